"""A template is a file that checks and plays as it is."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.cli import main


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, arguments)


def test_a_new_game_checks_without_warnings_in_random_games_too(here):
    written = run("new", "game", "pebbles")
    assert (
        written.output
        == "pebbles.kif: a game of seven stones; next: ggp-agent check pebbles.kif && ggp-agent play pebbles.kif\n"
    )
    assert "NAME" not in (here / "pebbles.kif").read_text(encoding="utf-8")
    checked = run("check", "pebbles.kif", "--simulate", "20", "--seconds", "60")
    assert checked.exit_code == 0, checked.output
    assert "1 file: 0 errors, 0 warnings" in checked.output


@pytest.mark.usefixtures("forked_commands")
def test_a_new_player_plays_the_new_game(monkeypatch):
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")  # a circuit costs more than the match
    assert run("new", "game", "pebbles").exit_code == 0
    assert "--player wise_one:WiseOne" in run("new", "player", "wise_one").output
    command = ["match", "pebbles.kif", "--player", "wise_one:WiseOne", "--player", "random", "--start-clock", "2"]
    played = [sys.executable, "-m", "agent", *command, "--play-clock", "0.5", "--seed", "1"]
    done = subprocess.run(played, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "first (wise_one:WiseOne)" in done.stdout
    assert "raised" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("game", "nim"), "nim is the name of a bundled game: choose another name"),
        (("game", "../x"), "'../x' cannot name a game: use letters, digits and _, such as myGame"),
        (("player", "class"), "'class' cannot name a Python module: use letters, digits and _, such as my_player"),
        (("player", "json"), "json is the name of a player or of a Python module already: choose another"),
        (("player", "mcts"), "mcts is the name of a player or of a Python module already: choose another"),
        (("player", "aiohttp"), "aiohttp is the name of a player or of a Python module already: choose another"),
        (("player", "mine"), "mine.py exists already: choose another name, or move that file"),
    ],
)
def test_a_name_that_cannot_be_used_is_one_message(arguments, said, here):
    (here / "mine.py").write_text("# somebody's own\n")
    done = run("new", *arguments)
    assert done.exit_code == 2
    assert said in done.output
    assert (here / "mine.py").read_text() == "# somebody's own\n"


def test_a_full_disk_leaves_no_empty_file(here, monkeypatch):
    def full(path, _data):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    done = run("new", "game", "mine")
    assert done.exit_code == 2
    assert "No space left on device; change to another folder" in done.output
    assert not list(here.iterdir())
