"""Journals on disks that fail: what is written is whole, and what cannot be written costs nothing else."""

import errno
import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from agent.journal.journal import Journal
from agent.journal.lines import decode


@pytest.fixture
def journal(tmp_path):
    made = Journal(tmp_path / "m.journal", lambda: 1.0, None)
    yield made
    made.close()


def kinds(journal):
    return [entry["is"] for entry in decode(journal.path.read_bytes())[0]]


class Disk:
    """In place of `os.pwrite`: `room` bytes can be written, then nothing."""

    def __init__(self, room):
        self.room = room
        self.write = os.pwrite

    def __call__(self, file, data, offset):
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = self.write(file, bytes(data[: self.room]), offset)
        self.room -= done
        return done


def test_a_line_is_in_the_file_when_add_returns(journal):
    journal.add("start", id="m")
    journal.add("play", n=1)
    assert kinds(journal) == ["start", "play"]


@pytest.mark.parametrize("room", [0, 1, 30, 70])
def test_what_a_full_disk_refuses_is_written_with_the_next_line(journal, monkeypatch, room):
    disk = Disk(room)
    monkeypatch.setattr(os, "pwrite", disk)
    with capture_logs() as logs:
        for number in range(4):
            journal.add("play", n=number)
        whole = kinds(journal)
        assert whole == ["play"] * len(whole)
        disk.room = 10_000
        journal.add("end")
    assert kinds(journal) == ["play"] * 4 + ["end"]
    assert decode(journal.path.read_bytes())[1] == journal.path.stat().st_size
    assert [entry["reason"] for entry in logs] == ["No space left on device"]


def test_a_folder_that_is_gone_costs_the_journal_and_not_the_match(tmp_path):
    journal = Journal(tmp_path / "none" / "m.journal", lambda: 1.0, None)
    with capture_logs() as logs:
        journal.add("start")
        journal.add("play")
        journal.close()
    assert [entry["reason"] for entry in logs] == ["No such file or directory"]


def test_a_journal_that_is_removed_during_its_match_is_said_to_be_once(journal):
    journal.add("start")
    journal.path.unlink()
    with capture_logs() as logs:
        journal.add("play", n=1)
        journal.add("play", n=2)
    assert [entry["reason"] for entry in logs] == ["the file was removed"]


def test_a_torn_line_is_written_over(tmp_path):
    path = Path(tmp_path / "m.journal")
    first = Journal(path, lambda: 1.0, None)
    first.add("start")
    first.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])
    again = Journal(path, lambda: 1.0, None)
    again.cut(decode(path.read_bytes())[1])
    again.add("again")
    again.close()
    assert kinds(again) == ["start", "again"]
    assert decode(path.read_bytes())[1] == path.stat().st_size


def test_a_journal_takes_no_more_than_its_room_and_says_that_more_was_played(journal, monkeypatch):
    monkeypatch.setattr("agent.journal.journal.MAX_JOURNAL_BYTES", 1_000)
    with capture_logs() as logs:
        for number in range(40):
            journal.add("play", n=number, moves=["x" * 50])
        journal.add("end", reason="stopped", moves=None)
    told = kinds(journal)
    assert told == ["play"] * (len(told) - 2) + ["full", "end"]
    assert journal.path.stat().st_size < 1_300
    assert len(logs) == 1


def test_what_a_full_disk_refuses_is_kept_within_the_same_room(journal, monkeypatch):
    monkeypatch.setattr("agent.journal.journal.MAX_JOURNAL_BYTES", 1_000)
    monkeypatch.setattr(os, "pwrite", Disk(0))
    for number in range(40):
        journal.add("play", n=number, moves=["x" * 50])
    assert len(journal._pending) < 1_300
