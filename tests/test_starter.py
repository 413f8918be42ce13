"""A command that is forked from the starter is, to who starts it, the command."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from agent.progress import first_word
from reasoner.platform_calls import LINUX, SYSTEM
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(SYSTEM != LINUX, reason="commands are forked on Linux only")


@pytest.fixture
def begun(starter, tmp_path):
    """Starts a program in a folder of its own; the rest is ended with the test."""
    environment = {**os.environ, **starter.environment, "GGP_AGENT_WORKER_ENGINE": "relational"}
    processes = []

    def begin(*command):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        processes.append(subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, **pipes))
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def installed(starter):
    return str(starter.programs / "ggp-agent")


def test_streams_arguments_and_the_exit_code_are_its_own(begun, installed):
    out, err = (process := begun(installed, "check", "none.kif")).communicate()
    assert (process.returncode, out) == (2, "")
    assert "no file 'none.kif'" in err
    out, _ = (process := begun(installed, "step", "nim")).communicate("q\n")
    assert process.returncode == 0
    assert "stones" in out


def test_a_command_knows_by_which_name_it_was_called(begun, installed, starter):
    assert begun(installed, "--help").communicate()[0].startswith("Usage: ggp-agent ")
    assert begun(starter.python, "-m", "agent", "--help").communicate()[0].startswith("Usage: python -m agent ")


def test_what_is_no_command_is_left_to_python(begun, starter):
    out, _ = begun(starter.python, "-c", "import sys; print(sys.executable)").communicate()
    assert Path(out.strip()) == Path(sys.executable)


def listening(process):
    """The port of an agent."""
    return int(first_word(process.stdout).rpartition(":")[2].rstrip("/"))


def test_a_signal_reaches_it(begun, starter):
    process = begun(starter.python, "-m", "agent", "serve", "--port", "0", "--player", "legal")
    listening(process)
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 0


def test_it_ends_with_who_stands_for_it(begun, installed):
    process = begun(installed, "serve", "--port", "0", "--player", "legal")
    port = listening(process)
    process.kill()
    wait_until(lambda: not answers(port))


def answers(port):
    with socket.socket() as talk:
        return talk.connect_ex(("127.0.0.1", port)) == 0
