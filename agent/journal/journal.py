"""The journal of one match: lines added at the end of a file, each before what it tells of is answered.

A line is handed to the operating system before `add` returns, so that it outlives the agent however that ends. It is
forced to the disk in the background, for a power cut: nobody waits for that, because a machine that has lost its power
comes back after the clocks have run out anyway.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Protocol

import structlog

from agent.journal.boot import Boot
from agent.journal.lines import encode

LARGEST = 64 << 20
"""Bytes of one journal; the rules of a match take a good part of them at most."""


class MatchWriter(Protocol):
    """Who writes a match down."""

    def add(self, kind: str, **fields: object) -> None:
        """Add an entry."""


class NoJournal:
    """Writes nothing down."""

    def add(self, kind: str, **fields: object) -> None:
        """Nothing."""


NO_JOURNAL = NoJournal()


class Journal:
    """Raises nothing: a disk that fails costs the journal and never the match.

    What could not be written is kept and written with the next line, so that the file never has a hole.
    """

    def __init__(
        self, path: Path, wall: Callable[[], float], syncer: Executor | None, boot: Boot | None = None
    ) -> None:
        self.path = path
        self._wall = wall
        self._boot = boot or Boot.at_hand()
        self._syncer = syncer  # forces lines to the disk; None: the operating system does so when it likes
        self._file: int | None = None
        self._good = 0  # bytes of whole lines in the file
        self._pending = b""
        self._syncing = False
        self._failed = False
        self._full = False

    def add(self, kind: str, **fields: object) -> None:
        """Add an entry; `at` is the time in seconds since 1970, `up` since the machine's start, `boot`."""
        line = self._line(kind, fields)
        if kind != "end" and self._good + len(self._pending) + len(line) > LARGEST:
            if self._full:
                return
            self._full, line = True, self._line("full", {})
            structlog.get_logger().warning(
                "the journal is full; the match goes on without, and ends with the agent", path=str(self.path)
            )
        self._pending += line
        try:
            self._write()
        except OSError as error:
            self._complain(error)
        else:
            self._failed = False
            self._sync()

    def _line(self, kind: str, fields: Mapping[str, object]) -> bytes:
        at, up = round(self._wall(), 3), round(self._boot.seconds(), 3)
        return encode({"is": kind, "at": at, "up": up, "boot": self._boot.name, **fields})

    def cut(self, good: int) -> None:
        """Forget what follows the first `good` bytes: a torn line of an earlier agent."""
        self._good = good

    def close(self) -> None:
        """No more lines; those that a full disk has refused are lost."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if self._syncer is None:
            os.close(file)
        else:  # after what is still being forced to the disk
            try:
                self._syncer.submit(os.close, file)
            except RuntimeError:  # as above
                os.close(file)

    def _write(self) -> None:
        if self._file is None:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.ftruncate(self._file, self._good)
        while self._pending:
            done = os.pwrite(self._file, self._pending, self._good)
            self._good += done
            self._pending = self._pending[done:]

    def _sync(self) -> None:
        if self._syncer is None or self._file is None or self._syncing:
            return
        self._syncing = True
        try:
            self._syncer.submit(self._force, self._file)
        except RuntimeError:  # no room for the thread; the operating system forces the line to the disk when it likes
            self._syncing = False

    def _force(self, file: int) -> None:
        """Runs in the syncer's thread; a line added meanwhile asks again."""
        self._syncing = False
        try:
            os.fdatasync(file)
        except OSError as error:
            self._complain(error)

    def _complain(self, error: OSError) -> None:
        """One line in the log until writing succeeds again."""
        if not self._failed:
            self._failed = True
            structlog.get_logger().error(
                "the journal cannot be written; the match goes on without", path=str(self.path), reason=error.strerror
            )
