"""One command, and the page has the game set up; Ctrl-C ends it without a word of Python."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest

from agent.cli import play as module
from agent.progress import first_word
from tests.agent.rules import STONES


@contextmanager
def playing(*arguments, folder):
    """The command, and the address that it prints."""
    environment = {**os.environ, "GGP_AGENT_WORKER_ENGINE": "relational", "GGP_AGENT_LOG_LEVEL": "error"}
    with subprocess.Popen(
        [sys.executable, "-m", "agent", "play", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=folder,
    ) as process:
        try:
            line = first_word(process.stdout)
            found = re.fullmatch(r"open (http://127\.0\.0\.1:\d+/)(#/\S+) in a browser; Ctrl-C stops the agent", line)
            assert found, line + process.stderr.read()
            yield process, found[1], found[2]
        finally:
            process.kill()


@pytest.mark.usefixtures("forked_commands")
def test_a_file_is_set_up_on_the_page_and_ctrl_c_ends_well(tmp_path):
    (tmp_path / "stones.kif").write_text(STONES, encoding="utf-8")
    with playing("stones.kif", folder=tmp_path) as (process, address, view):
        assert view.startswith("#/play/sheet/")
        with urllib.request.urlopen(f"{address}api/sheets/{view.rpartition('/')[2]}") as answer:
            body = answer.read().decode()
        assert '"title": "stones"' in body or '"title":"stones"' in body
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate()
        assert (process.returncode, out, errors) == (0, "", "")


@pytest.mark.usefixtures("forked_commands")
def test_faults_of_a_file_are_told_in_the_terminal_too(tmp_path):
    (tmp_path / "bad.kif").write_text("(role a) (init (step 1)", encoding="utf-8")
    with playing("bad.kif", folder=tmp_path) as (process, _, view):
        assert view.startswith("#/play/sheet/")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        assert errors.startswith("bad cannot be played yet: line 1, column 10: this `(` is never closed")
        assert errors.endswith("next: mend it on the page\n")


def test_the_page_opens_at_the_named_game_and_without_a_game_at_the_gallery():
    from agent.gamemaster.games import bundled_game

    assert module._view(None, "connectFour", bundled_game("connectFour")) == "#/play/game/connectFour"
    assert module._view(None, None, None) == "#/games"


def test_where_no_browser_opens_the_address_is_enough(monkeypatch, capsys):
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    module._open("http://127.0.0.1:1/")
    assert "no browser was found" in capsys.readouterr().err


@pytest.mark.long  # a real browser
def test_connect_four_is_played_in_the_browser_after_one_command(tmp_path):
    from tests.agent.page.browser import browsing, need_chromium, play_first_move

    need_chromium()
    with playing("connectFour", folder=tmp_path) as (_, address, view), browsing(tmp_path / "profile") as context:
        play_first_move(context.new_page(), address + view)
