"""The command as a user runs it, with light players."""

import asyncio
import errno
import io
import json
import os
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.cli import main
from agent.cli.tournament import _run
from agent.gamemaster.errors import PlayerError
from tests.agent.tournament.outcomes import outcome

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
    assert "resuming: 2 of 2 matches are done" in again.output
    assert "Requirement failed: first>100" in again.output
    (tmp_path / "cup.toml").write_text(PLAN.replace("start_clock = 20", "start_clock = 7"))
    other = run()
    assert other.exit_code == 2
    assert "cup.sqlite was begun with other values of start_clock;" in other.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--require", "me>60"), "unknown player 'me'; known: first, dice"), (("--trace", "/x/y"), "cannot write /x/y")],
)
def test_wrong_use_is_one_clear_message(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("name", ["faulty.kif", "faulty.gdl"])
def test_the_faulty_one_of_several_games_is_named(run, tmp_path, name):
    (tmp_path / name).write_text("(role a) (" if name.endswith("kif") else "role(a) init(")
    (tmp_path / "cup.toml").write_text(PLAN.replace('"lightsOut"', f'"lightsOut", "{name}"'))
    result = run()
    assert result.exit_code == 1
    assert f"Error: {name}: line 1, column " in result.output


def test_a_game_without_a_seat_for_players_is_an_error_of_the_plan(run, tmp_path):
    """Without this message there would be no match, no result, and exit code 0."""
    (tmp_path / "dice.kif").write_text(
        "(role Random) (init s) (<= (legal Random roll) (true s)) (<= terminal (not (true s))) (goal Random 0)"
    )
    (tmp_path / "cup.toml").write_text(PLAN.replace('"lightsOut"', '"lightsOut", "dice.kif"'))
    result = run()
    assert result.exit_code == 2
    assert "Error: dice.kif: the only role is chance, so no player can take part; remove this game" in result.output
    assert not (tmp_path / "cup.sqlite").exists()


def test_a_folder_that_cannot_keep_records_is_named_by_no_other_commands_option(run, tmp_path):
    (tmp_path / "cup.toml").write_text(f'records = "{tmp_path}/cup.toml/records"' + PLAN)
    result = run()
    assert "name a place that can be written and has room" in result.output
    assert "--record" not in result.output


class FullDisk(io.RawIOBase):
    """A file on a disk without room."""

    name = "t"

    def writable(self):
        return True

    def write(self, _):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_trace_on_a_full_disk_is_named(run, monkeypatch):
    """Also when it is closed, which tries to write again what was buffered."""
    opened = Path.open

    def full(path, mode="r", **options):
        return io.TextIOWrapper(io.BufferedWriter(FullDisk())) if path.name == "t" else opened(path, mode, **options)

    monkeypatch.setattr(Path, "open", full)
    result = run("--trace", "t")
    assert result.exit_code == 1
    assert "cannot write the trace t: No space left on device" in result.output


FAILING = PLAN.replace('"legal"', '"tests.agent.players.odd:Raises"')


@pytest.mark.usefixtures("forked_commands")
def test_a_player_that_fails_is_reported_in_lines_tables_and_files(run, tmp_path, monkeypatch):
    """Its matches look whole; the exit code is 1, also when nothing is left to be played."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3]))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    (tmp_path / "cup.toml").write_text(FAILING)
    played = run("--json", "j.json", "--html", "h.html", "--csv", "c.csv", "--log", "logs")
    assert played.exit_code == 1, played.output
    body = json.loads((tmp_path / "j.json").read_text())
    steps = sum(match["steps"] for match in body["matches"] if "first" in match["players"])
    assert {row["name"]: row["failed"] for row in body["standings"]} == {"first": steps, "dice": 0}
    assert f"first, {steps} times: play raised RuntimeError: in play" in played.output
    assert "first failed at every move" in played.output
    assert "PF PF" in (tmp_path / "c.csv").read_text()
    assert re.search(rf"<td>0</td><td>{steps}</td></tr>", (tmp_path / "h.html").read_text())
    assert "RuntimeError: in play" in (tmp_path / "logs" / "first.log").read_text()
    assert run().exit_code == 1


@pytest.mark.usefixtures("forked_commands")
def test_a_player_that_cannot_be_made_is_reported_with_the_reason(run, tmp_path, monkeypatch):
    """Its agent answers busy, and only its log, which is temporary, says why."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3]))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    (tmp_path / "cup.toml").write_text(FAILING.replace("Raises", "Unmade"))
    played = run()
    assert played.exit_code == 1, played.output
    assert "Error: first: __init__ raised FileNotFoundError: no model here (odd.py:" in played.output
    assert "first refused START of match" in played.output


def test_the_results_before_an_error_are_printed_and_written(run, tmp_path, monkeypatch):
    """A player that refuses a later match refuses it again in each run, so that nothing else would print them."""

    def refused(session, _arena):
        pairing = session.left()[0]
        session.store.add(replace(outcome(pairing.players, [70], game=pairing.game), key=pairing.key))
        raise PlayerError("first refused START")

    monkeypatch.setattr("agent.cli.tournament._run", refused)
    result = run("--csv", "c.csv", "--require", "first>=80")
    assert result.exit_code == 1
    assert re.search(r"first +1 +70\.0 ", result.output)
    assert "Requirement failed: first>=80" in result.output
    assert "Error: first refused START" in result.output
    assert ",first,70," in (tmp_path / "c.csv").read_text()


def test_players_of_a_cluster_keep_no_logs_here(run):
    result = run("--log", "logs", "--cluster", "local")
    assert result.exit_code == 2
    assert "--log does not work with --cluster" in result.output


def test_a_second_signal_does_not_interrupt_the_end():
    class Session:
        ended = False

        async def run(self, _arena):
            os.kill(os.getpid(), signal.SIGTERM)
            try:
                await asyncio.Event().wait()
            finally:
                os.kill(os.getpid(), signal.SIGTERM)
                for _ in range(9):
                    await asyncio.sleep(0)
                self.ended = True

    assert not _run(session := Session())
    assert session.ended


def test_before_the_first_match_there_are_no_tables(run, monkeypatch):
    """An interruption while players start prints what is left, and nothing that looks like a result."""
    monkeypatch.setattr("agent.cli.tournament._run", lambda *_: False)
    result = run()
    assert result.exit_code == 1
    assert "no match has been played yet" in result.output
    assert "interrupted; 2 matches are left" in result.output
    assert "Elo" not in result.output
