"""The folder of a study refuses what is no regular file, instead of waiting for a pipe's other end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from search.errors import StudyError
from search.study.folder import Record, StudyFolder
from search.study.games import games_from_bytes
from tests.search.study.test_games import some_games

pytestmark = pytest.mark.timeout(60)  # without the check these tests would wait for ever

READS = {
    "study.json": StudyFolder.load_record,
    "trainer.pt": StudyFolder.load_trainer,
    "selfplay.npz": StudyFolder.load_selfplay,
    "studied.npz": StudyFolder.load_result,
    "evaluation.json": StudyFolder.load_lesson,
    "window/000003.npz": lambda folder: list(folder.load_games()),
}
WRITES = {
    "study.json": lambda folder: folder.save_record(Record()),
    "trainer.pt": lambda folder: folder.save_trainer(b"state"),
    "window/000003.npz": lambda folder: folder.save_games(3, some_games()),
    "report.html": lambda folder: folder.save_report("<p>"),
}


def refused(path: Path) -> pytest.RaisesExc[StudyError]:
    return pytest.raises(StudyError, match=f"^{path} is not a regular file: remove it[.]$")


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("name", READS)
def test_what_is_no_regular_file_is_not_read(tmp_path: Path, name, make):
    folder = StudyFolder(tmp_path)
    folder.begin()
    make(tmp_path / name)
    with refused(tmp_path / name):
        READS[name](folder)


@pytest.mark.parametrize("name", WRITES)
def test_what_is_no_regular_file_is_not_written(tmp_path: Path, name):
    folder = StudyFolder(tmp_path)
    folder.begin()
    os.mkfifo(tmp_path / name)
    with refused(tmp_path / name):
        WRITES[name](folder)


def test_a_pipe_as_the_lock_is_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "lock")
    with refused(tmp_path / "lock"), StudyFolder(tmp_path).held():
        pass


def test_what_is_missing_is_not_there_and_a_damaged_file_of_positions_is_skipped(tmp_path: Path):
    folder = StudyFolder(tmp_path)
    folder.begin()
    assert [folder.load_trainer(), folder.load_selfplay(), folder.load_result(), folder.load_lesson()] == [None] * 4
    (tmp_path / "window" / "000001.npz").write_bytes(b"PK")
    folder.save_games(2, games_from_bytes(some_games().to_bytes()))
    assert [number for number, _ in folder.load_games()] == [2]
