import os
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from agent.errors import SettingsError
from agent.progress import first_word
from agent.serve import closing_journals, running
from agent.settings import load_settings
from tests.agent.players.odd import MARKER
from tests.agent.rules import STONES
from tests.agent.server.client import agent

UNLESS_NOHUP = pytest.mark.skipif(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, reason="nohup runs the tests")


def command(*arguments):
    return [sys.executable, "-m", "agent", "serve", *arguments]


@contextmanager
def serving(*arguments, **environment):
    """The command, its first line read."""
    with subprocess.Popen(
        command("--port", "0", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "GGP_AGENT_WORKER_ENGINE": "relational", **environment},
    ) as process:
        try:
            yield process, first_word(process.stdout)
        finally:
            process.kill()


@pytest.mark.long  # a real start
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, pytest.param(signal.SIGHUP, marks=UNLESS_NOHUP)])
def test_the_first_line_names_the_address_and_a_signal_ends_it_well(number):
    with serving("--player", "legal", "--name", "me", GGP_AGENT_LOG_FORMAT="json") as (process, line):
        start, _, url = line.rpartition(" ")
        assert start == "listening on"
        body = urllib.request.urlopen(urllib.request.Request(url, b"(INFO)", method="POST")).read()
        assert body == b"((name me) (status available) (species alien))"
        process.send_signal(number)
        rest, log = process.communicate()
        assert process.returncode == 0
        assert [row for row in rest.splitlines() if "in a browser" not in row] == []
        assert '"stopping"' in log
        assert "Traceback" not in log


@pytest.mark.long  # a real start
def test_a_signal_that_the_parent_has_blocked_ends_it_too():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    try:
        with serving("--player", "legal") as (process, _):
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            assert process.returncode == 0
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.mark.usefixtures("forked_commands")
def test_the_move_under_way_is_finished_before_the_agent_stops():
    """A worker that waits for the end of its clock is given that time, and the match is over for nobody."""
    settings = {"GGP_AGENT_CLOCK_USE_START": "false", "PYTHONPATH": os.getcwd()}  # noqa: PTH109 where the tests are
    with serving("--player", "tests.agent.players.odd:Waits", **settings) as (process, line):
        url = line.rpartition(" ")[2]

        def ask(text):
            return urllib.request.urlopen(urllib.request.Request(url, text.encode(), method="POST")).read().decode()

        assert ask(f"(START m first ({STONES}) 30 3)") == "ready"
        play = HTTPConnection(url.removeprefix("http://").rstrip("/"))
        play.request("POST", "/", "(PLAY m NIL)")
        assert "(status busy)" in ask("(INFO)")  # sent after the PLAY message, and so answered after that was heard
        process.send_signal(signal.SIGTERM)
        assert play.getresponse().read().decode() in ("(take 1)", "(take 2)")
        process.communicate()
        assert process.returncode == 0


@pytest.mark.long  # a real start
def test_no_worker_outlives_the_agent():
    """Even when the agent is killed and can do nothing about it: the end of its log's pipe is held by all of them."""
    with serving("--player", "legal") as (process, _):
        process.kill()
        assert "Traceback" not in process.communicate()[1]


@pytest.mark.usefixtures("forked_commands")
def test_a_reader_that_stalls_stops_no_answer_and_no_signal(tmp_path):
    """The player writes more than a pipe holds to the log, which nobody reads."""
    (marker := tmp_path / "marker").touch()
    settings = {"PYTHONPATH": os.getcwd(), MARKER: str(marker)}  # noqa: PTH109 where the tests are
    with serving("--player", "tests.agent.players.odd:Floods", **settings) as (process, line):
        url = line.rpartition(" ")[2]

        def ask(text):
            request = urllib.request.Request(url, text.encode(), method="POST")
            return urllib.request.urlopen(request, timeout=60).read().decode()

        for _ in range(3):
            assert ask(f"(START m first ({STONES}) 30 30)") == "ready"
            assert ask("(PLAY m NIL)").startswith("(take ")
            ask("(ABORT m)")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


@pytest.mark.usefixtures("forked_commands")
def test_a_port_in_use_is_one_clear_message():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = subprocess.run(command("--port", port), capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use; give another --port or --host" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("forked_commands")
def test_a_port_in_use_by_another_agent_is_all_that_is_said(tmp_path):
    """The journals of the address are in use then, too, and no word is lost on them."""
    settings = {**os.environ, "GGP_AGENT_JOURNAL_FOLDER": str(tmp_path / "journals")}
    with socket.create_server(("127.0.0.1", 0)) as taken, closing_journals(load_settings(environment=settings)):
        port = str(taken.getsockname()[1])
        result = subprocess.run(command("--port", port), capture_output=True, text=True, check=False, env=settings)
    assert result.returncode == 2
    assert "Address already in use" in result.stderr
    assert "journal" not in result.stderr


async def test_a_port_in_use_for_the_page_is_named_as_such():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=f"page.port: cannot listen on 127.0.0.1:{port}: Addr"):
            async with agent(page__port=port):
                pass


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
async def test_the_address_of_the_page_is_one_that_can_be_reached_where_the_agent_listens():
    """On all IPv6 addresses: the sockets of asyncio then take no IPv4."""
    flags = {"server.host": "::", "server.port": 0, "player.spec": "legal", "worker.engine": "relational"}
    async with running(load_settings(environment={}, flags=flags)) as one:
        assert one.page is not None
        address = urlsplit(one.page)
        socket.create_connection((address.hostname, address.port), 5).close()


@pytest.mark.usefixtures("forked_commands")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--player", "mcts:foo=1"), "unknown setting 'foo'; the settings are simulations"),
        (("--config", "none.toml"), "none.toml: cannot be read: No such file or directory"),
        (("--port", "x"), "'x' is not a valid integer range"),
        (("--host", "a" * 64), "cannot listen on "),
    ],
)
def test_wrong_use_is_one_clear_message(arguments, words):
    result = subprocess.run(command("--port", "0", *arguments), capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr
