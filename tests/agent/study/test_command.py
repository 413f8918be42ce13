"""The command learns, can be stopped or killed at any moment, and can be resumed."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.cli import main
from agent.cli.console import console
from agent.gamemaster.games import find_game
from agent.study.display import StudyDisplay
from agent.study.run import study_game
from search.study.folder import VERSION, Record, StudyFolder
from search.study.options import StudyOptions
from tests.agent.knowledge.test_folder import a_lesson
from tests.extras import needs_torch
from tests.waiting import wait_until

pytestmark = [needs_torch, pytest.mark.long]  # whole studies


def command(folder: Path, *options: str) -> list[str]:
    return ["study", "ticTacToe", "--out", str(folder), "--threads", "1", "--simulations", "8", "--no-keep", *options]


def started(folder: Path, *options: str) -> subprocess.Popen:
    arguments = [sys.executable, "-m", "agent", *command(folder, *options)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_games(folder: Path, process: subprocess.Popen, before: int) -> None:
    """Until there are more games than before."""
    record = folder / "study.json"

    def more() -> bool:
        assert process.poll() is None, process.stdout.read()
        return record.exists() and json.loads(record.read_text())["games"] > before

    wait_until(more)


def test_a_study_that_signals_end_continues_each_time_with_all_its_games(tmp_path):
    folder, before = tmp_path / "a", {"games": 0, "seconds": 0.0}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with started(folder, "--minutes", "60", *(["--resume"] if before["games"] else [])) as process:
            wait_for_games(folder, process, before["games"])
            process.send_signal(number)
            process.wait(60)
        assert process.returncode == (-9 if number == signal.SIGKILL else 0)
        after = json.loads((folder / "study.json").read_text())
        assert after["games"] > before["games"]
        assert after["seconds"] > before["seconds"]
        before = after
    minutes = str(before["seconds"] / 60 + 0.01)
    done = CliRunner().invoke(main, command(folder, "--resume", "--minutes", minutes))
    assert done.exit_code == 0, done.output
    after = json.loads((folder / "study.json").read_text())
    assert after["games"] >= before["games"]
    assert after["seconds"] > before["seconds"]
    page = (folder / "report.html").read_text()
    assert "<h1>Study of ticTacToe</h1>" in page


def test_a_folder_with_a_study_is_not_written_over_unasked(tmp_path):
    (tmp_path / "study.json").write_text("{}")
    done = CliRunner().invoke(main, command(tmp_path))
    assert done.exit_code == 1
    assert "use --resume to continue it" in done.output


def test_two_studies_do_not_share_a_folder(tmp_path):
    """The second would write over the first, which has saved nothing yet."""
    with StudyFolder(tmp_path / "a").held():
        assert "another study runs in" in error_of(tmp_path / "a")
        assert "another study runs in" in error_of(tmp_path / "a", "--resume")
    assert not (tmp_path / "a").exists()


def test_a_folder_of_ones_own_and_its_file_lock_stay_if_no_study_begins(tmp_path):
    with StudyFolder(tmp_path).held():
        pass
    assert tmp_path.exists()
    (tmp_path / "lock").write_text("mine")
    with StudyFolder(tmp_path).held():
        pass
    assert (tmp_path / "lock").read_text() == "mine"


def test_what_cannot_be_studied_is_reported_in_one_message(tmp_path):
    sheet = tmp_path / "endless.kif"
    sheet.write_text(
        "(role x) (init (a 1)) (<= (next (a 1)) (does x go)) (legal x go) (goal x 1) (<= terminal (true (b 1)))"
    )
    done = CliRunner().invoke(main, ["study", str(sheet), "--minutes", "0.1", "--out", str(tmp_path / "a")])
    assert done.exit_code == 1
    assert "no random game of this rulesheet ends" in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "a" / "studied.npz").exists()


def error_of(folder: Path, *options: str) -> str:
    """What a study that cannot be says; one message."""
    done = CliRunner().invoke(main, command(folder, "--minutes", "0.2", *options))
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert done.output.count("Error: ") == 1
    return done.output


def test_roles_that_see_only_a_part_are_not_studied_for(tmp_path):
    done = CliRunner().invoke(main, ["study", "hiddenCoin", "--threads", "1", "--out", str(tmp_path / "a")])
    assert done.exit_code == 1
    assert "this game hides information" in done.output
    assert not (tmp_path / "a").exists()


def test_without_pytorch_it_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "search.study.training", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "pip install 'ggp-agent[study]'" in error_of(tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_a_full_disk_ends_a_study_with_one_message_and_it_continues_when_there_is_room(tmp_path, monkeypatch):
    folder, synced = tmp_path / "a", os.fsync
    room = iter([True] * 3)

    def fsync(descriptor: int) -> None:
        if not next(room, False):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        synced(descriptor)

    with monkeypatch.context() as full:
        full.setattr("os.fsync", fsync)
        assert "free some disk space, then continue with --resume" in error_of(folder)
    assert not list(folder.rglob("*.draft"))
    before = json.loads((folder / "study.json").read_text())
    assert before["games"] > 0
    done = CliRunner().invoke(main, command(folder, "--resume", "--minutes", str(before["seconds"] / 60 + 0.01)))
    assert done.exit_code == 0, done.output
    assert json.loads((folder / "study.json").read_text())["games"] >= before["games"]


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    assert "name a writable folder with --out" in error_of(tmp_path / "file" / "a")


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"version": 1, "games": 3, "gate": "old"}, "was written by another version"),
        ({"version": VERSION, "games": "3"}, "is damaged (Expected `int`, got `str` - at `$.games`)"),
        ([], "is damaged ('str' object cannot be interpreted as an integer)"),
    ],
)
def test_a_record_that_cannot_be_continued_is_reported(tmp_path, record, said):
    (tmp_path / "study.json").write_text(json.dumps(record))
    assert f"{said}: start a new study in another folder" in error_of(tmp_path, "--resume")


@pytest.mark.parametrize("options", [(), ("--resume",)])
def test_a_study_that_has_lost_its_progress_is_not_written_over(tmp_path, options):
    (tmp_path / "trainer.pt").write_text("weeks of training")
    assert "has parts of a study without study.json: restore it" in error_of(tmp_path, *options)
    assert (tmp_path / "trainer.pt").read_text() == "weeks of training"
    assert not (tmp_path / "lock").exists()


def test_a_study_whose_time_is_up_says_how_it_continues(tmp_path):
    (tmp_path / "study.json").write_text(json.dumps({"version": 2, "seconds": 12.5}))
    assert "has already run 0.2 minutes: use --resume with more --minutes" in error_of(tmp_path, "--resume")


def test_a_signal_before_anything_was_played_ends_it_at_once_and_leaves_no_process(tmp_path, monkeypatch):
    class Actors:
        closed = False

        def close(self) -> None:
            self.closed = True

    def building(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("it went on")

    monkeypatch.setattr("agent.study.run.Study", building)
    actors, folder = Actors(), StudyFolder(tmp_path / "a")
    with pytest.raises(KeyboardInterrupt):
        study_game(find_game("ticTacToe"), folder, StudyOptions(), lambda: actors, StudyDisplay(console(), 1.0))
    assert actors.closed
    assert not folder.path.exists()


@pytest.mark.parametrize("helps", [True, False])
def test_a_rating_is_told_only_of_a_network_that_improves_the_search(tmp_path, monkeypatch, helps):
    """The rating against earlier networks may be high although matches do not use the network."""
    monkeypatch.setattr(
        "agent.study.run.study_game", lambda *_: Record(games=5, seconds=60.0, generation=1, points=90.0)
    )
    monkeypatch.setattr("agent.study.run.useful", lambda _: helps)
    done = CliRunner().invoke(main, command(tmp_path / "a", "--no-keep"))
    assert ("rated +90 Elo" in done.output.replace("\n", " ")) == helps
    assert ("not shown to improve the search" in done.output.replace("\n", " ")) != helps


@pytest.mark.parametrize(("trusted", "options"), [(True, []), (False, []), (True, ["--no-keep"])])
def test_a_trusted_evaluation_is_stored_for_matches_also_without_a_network(tmp_path, monkeypatch, trusted, options):
    lesson = a_lesson(60.0) if trusted else a_lesson(60.0)._replace(pieces=False, confidence=-1.0)
    monkeypatch.setenv("GGP_AGENT_KNOWLEDGE_FOLDER", str(tmp_path / "kept"))
    monkeypatch.setattr("agent.study.run.study_game", lambda *_: Record(games=5, seconds=60.0))
    monkeypatch.setattr(StudyFolder, "load_lesson", lambda _: lesson)
    done = CliRunner().invoke(main, ["study", "ticTacToe", "--out", str(tmp_path / "a"), *options])
    assert done.exit_code == 0, done.output
    stored = [path.name.partition(".")[2] for path in (tmp_path / "kept").glob("*")]
    assert stored == (["evaluation.json"] if trusted and not options else [])
