"""Journal of one match: an append-only file; each line is written before its message is answered.

A line is passed to the operating system before `add` returns, so that it survives a crash of the agent. It is synced to
disk in the background, so that most lines survive a power cut. `add` does not wait for the sync: clocks expire during a
reboot anyway.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Protocol

import structlog

from agent.journal.boot import Boot
from agent.journal.lines import encode

MAX_JOURNAL_BYTES = 64 << 20
"""Maximum bytes of one journal."""


class MatchWriter(Protocol):
    """Recorder of a match."""

    def add(self, kind: str, **fields: object) -> None:
        """Add an entry."""


class NoJournal:
    """Recorder that ignores all entries."""

    def add(self, kind: str, **fields: object) -> None:
        """Ignore the entry."""


NO_JOURNAL = NoJournal()


class Journal:
    """Journal file. Never raises: after a disk error, the match continues without its journal.

    A line that could not be written is retried with the next one, so that the file has no gaps.
    """

    def __init__(
        self, path: Path, wall: Callable[[], float], syncer: Executor | None, boot: Boot | None = None
    ) -> None:
        self.path = path
        self._wall = wall
        self._boot = boot or Boot.at_hand()
        self._syncer = syncer  # syncs lines to disk; None: the operating system does
        self._file: int | None = None
        self._good = 0  # bytes of whole lines in the file
        self._pending = b""
        self._syncing = False
        self._failed = False
        self._full = False

    def add(self, kind: str, **fields: object) -> None:
        """Add an entry. The fields `at`, `up` and `boot` are added to it.

        `at` is the time in seconds since 1970, `up` in seconds since boot; `boot` is the identifier of this boot.
        """
        line = self._line(kind, fields)
        if kind != "end" and self._good + len(self._pending) + len(line) > MAX_JOURNAL_BYTES:
            if self._full:
                return
            self._full, line = True, self._line("full", {})
            structlog.get_logger().warning(
                "the journal is full; the match is not resumed after a restart", path=str(self.path)
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
        """Truncate to the first `good` bytes, to drop an incomplete line."""
        self._good = good

    def close(self) -> None:
        """Close the file; lines that could not be written are lost."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if self._syncer is None:
            os.close(file)
        else:  # close after the pending syncs
            try:
                self._syncer.submit(os.close, file)
            except RuntimeError:  # no thread available
                os.close(file)

    def _write(self) -> None:
        if self._file is None:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.ftruncate(self._file, self._good)
        while self._pending:
            done = os.pwrite(self._file, self._pending, self._good)
            self._good += done
            self._pending = self._pending[done:]
        if os.fstat(self._file).st_nlink == 0:
            raise FileNotFoundError(errno.ENOENT, "the file was removed")

    def _sync(self) -> None:
        if self._syncer is None or self._file is None or self._syncing:
            return
        self._syncing = True
        try:
            self._syncer.submit(self._force, self._file)
        except RuntimeError:  # no thread available; left to the operating system
            self._syncing = False

    def _force(self, file: int) -> None:
        """Sync the file, in the syncer's thread; a line added meanwhile triggers another sync."""
        self._syncing = False
        try:
            os.fdatasync(file)
        except OSError as error:
            self._complain(error)

    def _complain(self, error: OSError) -> None:
        """Log the first error; log again only after a successful write."""
        if not self._failed:
            self._failed = True
            structlog.get_logger().error(
                "cannot write the journal; the match continues without it", path=str(self.path), reason=error.strerror
            )
