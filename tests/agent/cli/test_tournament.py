"""The command as a user runs it, with light players."""

import json

import pytest
from click.testing import CliRunner

from agent.cli import main

PLAN = """
games = ["lightsOut"]
start_clock = 20
play_clock = 10
[players]
first = "legal"
dice = "random"
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")
    (tmp_path / "cup.toml").write_text(PLAN)
    return lambda *arguments: CliRunner().invoke(main, ["tournament", "cup.toml", *arguments])


@pytest.mark.usefixtures("forked_commands")
def test_a_tournament_is_played_once_reported_and_judged(run, tmp_path):
    played = run("--csv", "c.csv", "--json", "j.json", "--html", "h.html", "--trace", "t", "--require", "first>=0")
    assert played.exit_code == 0, played.output
    assert "2/2  lightsOut: " in played.output
    assert (tmp_path / "cup.sqlite").exists()
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 3
    assert len(json.loads((tmp_path / "j.json").read_text())["matches"]) == 2
    assert "<svg" in (tmp_path / "h.html").read_text()
    assert '"sent": "( START ' in (tmp_path / "t").read_text()
    again = run("--require", "first>100")
    assert again.exit_code == 1
    assert "2 of 2 matches were played before" in again.output
    assert "not so: first>100" in again.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--require", "me>60"), "'me' is no player; they are first, dice"), (("--trace", "/x/y"), "cannot write /x/y")],
)
def test_wrong_use_is_one_clear_message(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output
