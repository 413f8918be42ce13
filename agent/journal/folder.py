"""Folder of journals: one file per match, one agent per folder; old finished journals are deleted."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import structlog

from agent.errors import SettingsError, reason_of
from agent.journal.boot import Boot
from agent.journal.journal import MAX_JOURNAL_BYTES, Journal
from agent.journal.lines import decode
from agent.journal.replayed_match import ReplayedMatch, opening, replay
from agent.protocol.messages import Start
from agent.resources import given_folder, users_folder
from agent.settings import JournalSettings
from reasoner.platform_calls import lock_file

SUFFIX, ASIDE = ".journal", ".bad"
"""Suffix of journals, and the suffix added to the names of damaged journals."""
TAIL = 1 << 16
"""Bytes at the end of a file that are searched for its last line."""
DAY = 86_400.0
KEY = "journal.folder"
"""The setting that names the folder."""
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")


class Journals:
    """The journals of one agent. Raises OSError if the folder cannot be created or another agent uses it."""

    def __init__(
        self, folder: Path, settings: JournalSettings, wall: Callable[[], float] = time.time, boot: Boot | None = None
    ) -> None:
        self.folder = folder
        self._boot = boot or Boot.at_hand()
        self._settings = settings
        self._wall = wall
        self._pool: Executor = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._open: set[Path] = set()
        self._lock = self._claimed()

    def _claimed(self) -> int:
        """Create the folder, and return its lock file, locked. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            lock_file(lock)
        except OSError:
            os.close(lock)
            raise
        return lock

    def begin(self, start: Start, manager: str | None = None) -> Journal:
        """Create the journal of a new match of `manager`, with its first line; and the folder, if it was removed."""
        if not self.folder.exists():
            with contextlib.suppress(OSError):  # then the journal reports it
                before, self._lock = self._lock, self._claimed()
                os.close(before)
        stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(self._wall()))
        name = f"{stamp}-{_UNFIT.sub('_', start.match_id)[:60]}"
        journal = self._journal(self._free(name))
        journal.add("start", **opening(start), **({} if manager is None else {"manager": manager}))
        return journal

    def unfinished(self) -> list[tuple[Journal, ReplayedMatch]]:
        """Return the unfinished matches, oldest first; incomplete lines are cut off."""
        return [found for path in self.files() for found in self._left(path)]

    def finished(self) -> Iterator[tuple[Path, ReplayedMatch]]:
        """Yield the finished matches, newest first; each is read lazily."""
        for path in reversed(self.files()):
            replayed = None if path in self._open else replayed_from(path)
            if replayed is not None and replayed.ended is not None:
                yield path, replayed

    def age(self, replayed: ReplayedMatch) -> float:
        """Return the seconds since the last message of a match, by the boot clock, or the wall clock after a reboot."""
        if replayed.boot and replayed.boot == self._boot.name:
            return max(self._boot.seconds() - replayed.up, 0.0)
        return max(self._wall() - replayed.heard, 0.0)

    def end(self, journal: Journal) -> None:
        """Close the journal of a finished match, and prune old journals."""
        self._open.discard(journal.path)
        journal.close()
        with contextlib.suppress(RuntimeError):  # no thread available; the next call prunes
            self._pool.submit(self.prune)

    def files(self) -> list[Path]:
        """Return all journals, oldest first, without folders and links."""
        return self._named(SUFFIX)

    def _named(self, ending: str) -> list[Path]:
        return sorted(path for path in self.folder.glob(f"*{ending}") if path.is_file() and not path.is_symlink())

    def prune(self) -> None:
        """Delete finished and damaged journals that are too old, then the oldest ones until the rest fits the limit."""
        oldest = self._wall() - self._settings.keep_days * DAY
        room = int(self._settings.keep_mib * (1 << 20))
        with contextlib.suppress(OSError):  # retried after the next match
            for path in sorted([*self.files(), *self._named(SUFFIX + ASIDE)], reverse=True):
                status = path.stat()
                room -= status.st_size
                if path not in self._open and (room < 0 or status.st_mtime < oldest):
                    path.unlink()

    def close(self) -> None:
        """Release the folder once all lines are on disk. Unfinished journals are resumed later."""
        self._pool.shutdown()
        os.close(self._lock)

    def _journal(self, path: Path) -> Journal:
        self._open.add(path)
        return Journal(path, self._wall, self._pool if self._settings.sync == "background" else None, self._boot)

    def _free(self, name: str) -> Path:
        paths = (self.folder / f"{name}{f'_{n}' if n else ''}{SUFFIX}" for n in range(1_000_000))
        return next(path for path in paths if path not in self._open and not path.exists())

    def _left(self, path: Path) -> Iterator[tuple[Journal, ReplayedMatch]]:
        try:
            if not _is_over(path):
                yield from self._reopened(path)
        except OSError as error:
            structlog.get_logger().warning("a journal cannot be read", path=str(path), reason=error.strerror)

    def _reopened(self, path: Path) -> Iterator[tuple[Journal, ReplayedMatch]]:
        if path.stat().st_size == 0:  # the disk was full when the match began
            path.unlink()
            return
        entries, good = decode(contents(path))
        replayed = replay(entries)
        if replayed is None:
            aside = path.with_name(path.name + ASIDE)
            structlog.get_logger().warning(
                "a file is not a valid journal; it is renamed", path=str(path), now=str(aside)
            )
            path.replace(aside)
            return
        if replayed.damaged:
            structlog.get_logger().warning(
                "a journal has damaged lines; its match is resumed without them", path=str(path)
            )
        journal = self._journal(path)
        journal.cut(good)
        yield journal, replayed


def replayed_from(path: Path) -> ReplayedMatch | None:
    """Read a match from a journal; None if the file is missing or invalid."""
    try:
        return replay(decode(contents(path))[0])
    except OSError:
        return None


def contents(path: Path) -> bytes:
    """Return the contents of a file; empty if it is too large for a journal."""
    with path.open("rb") as file:
        found = file.read(MAX_JOURNAL_BYTES + TAIL + 1)
    return found if len(found) <= MAX_JOURNAL_BYTES + TAIL else b""


def _is_over(path: Path) -> bool:
    """Whether the last line of a journal is an ``end`` entry."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        tail = file.read()
    last = tail[tail.rfind(b"\n", 0, -1) + 1 :]
    entries, _ = decode(last)
    return bool(entries) and entries[0]["is"] == "end"


def open_journals(settings: JournalSettings, port: int) -> Journals | None:
    """Open the journals of an agent on `port`; None if disabled or not available.

    Raises SettingsError if the configured folder cannot be used.
    """
    try:
        folder = folder_of(settings.folder, port)
        return None if folder is None else _opened(folder, settings)
    except SettingsError as error:
        if settings.folder != "auto":
            raise
        structlog.get_logger().warning("no journal is kept: a restart loses the matches", reason=str(error))
        return None


def _opened(folder: Path, settings: JournalSettings) -> Journals:
    try:
        return Journals(folder, settings)
    except OSError as error:
        reason = "another agent uses it" if isinstance(error, BlockingIOError) else reason_of(error)
        raise SettingsError(f"{KEY} {folder}: {reason}; give another folder, or off") from None


def folder_of(setting: str, port: int) -> Path | None:
    """Return the journal folder of an agent on `port`; None for no journal. Raises SettingsError."""
    if setting == "off":
        return None
    if setting != "auto":
        return given_folder(KEY, setting)
    if port == 0:  # after a restart the port differs, and managers do not find it
        return None
    given = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]  # systemd separates several folders by colons
    state = given or users_folder(KEY, "XDG_STATE_HOME", ".local", "state")
    return Path(state) / "ggp-agent" / f"journal-{port}"
