"""A study on disk: one folder whose files are written atomically, so that the study can be stopped at any time.

`study.json` contains the progress, `window/` the most recent positions, `trainer.pt` the state of the training,
`selfplay.npz` the network of self-play, `studied.npz` the best network so far, ready for matches, and `evaluation.json`
the learned evaluation in a game of pieces. Positions that were written after `study.json` are recognized by their
numbers.
"""

from __future__ import annotations

import contextlib
import errno
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from reasoner.platform_calls import lock_file
from search.errors import StorageError, StudyError
from search.files import is_stored, read_stored, write_atomically
from search.minimax import storage
from search.minimax.lesson import Lesson
from search.network.storage import Model, load, to_bytes
from search.study.games import Games, games_from_bytes
from search.study.history import MatchEntry, NetworkEntry

VERSION = 2
MAX_JSON_BYTES, MAX_BYTES = 64 << 20, 1 << 31
"""Maximum sizes of `study.json`, and of a file of positions or of the training."""
LONGEST_NUMBER = 15
"""Digits of the number of a file of positions: numpy adds it to 64-bit integers."""

Count = Annotated[int, Meta(ge=0, le=2**53)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]


@dataclass
class Record:
    """Progress of a study, as plain values."""

    rules: str = ""  # hash of the text of the rules
    seed: int = 0
    seconds: Seconds = 0.0
    jobs: Count = 0
    games: Count = 0
    positions: Count = 0
    chunk: Count = 0  # the number of the next file of positions
    weight: Annotated[float, Meta(ge=0, le=1)] = 0.5  # share of a network's values against playouts, in self-play
    gated: Seconds = 0.0  # seconds of study after which matches were last played
    generation: Count = 0  # number of the best network; 0: no network has been kept yet
    points: float = 0.0
    error: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)  # one entry for each comparison of networks
    matches: list[dict[str, Any]] = field(default_factory=list)  # one entry for each decision by matches


class StudyFolder:
    """Reads and writes the folder of a study. Raises StudyError, whose message says what to do."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._window = path / "window"
        self._selfplay = path / "selfplay.npz"
        self._evaluation = path / "evaluation.json"
        self.result = path / "studied.npz"
        self.report = path / "report.html"

    def exists(self) -> bool:
        """Return whether the folder contains a study."""
        return (self.path / "study.json").exists()

    def headless(self) -> bool:
        """Return whether the folder contains parts of a study, but not its progress, which is written first."""
        parts = (self._selfplay, self._evaluation, self.result, self.path / "trainer.pt", *self._chunks().values())
        return not self.exists() and any(part.exists() for part in parts)

    def begin(self) -> None:
        """Create the folders."""
        with self._located_errors():
            self._window.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Create the folder and lock it. Raises StudyError if another process studies in it.

        A folder that is created here is removed again if no study begins in it.
        """
        lock = self.path / "lock"
        with self._located_errors():
            created, locked = not self.path.exists(), is_stored(lock)
            self.path.mkdir(parents=True, exist_ok=True)
            file = lock.open("ab")
        with file:
            try:
                lock_file(file.fileno())
            except BlockingIOError:
                raise StudyError(
                    f"another study runs in {self.path}: wait for its end, or give another --out"
                ) from None
            try:
                yield
            finally:
                if not self.exists():
                    with contextlib.suppress(OSError):
                        if not locked:
                            lock.unlink()
                        if created:
                            self.path.rmdir()

    def save_record(self, record: Record) -> None:
        """Save the progress."""
        self._write(self.path / "study.json", json.dumps({"version": VERSION, **asdict(record)}).encode())

    def load_record(self) -> Record:
        """Load the progress."""
        path = self.path / "study.json"
        try:
            kept = msgspec.json.decode(self._read(path, MAX_JSON_BYTES))  # unlike json, it refuses NaN
            if kept.pop("version") != VERSION:
                raise StudyError(f"{path} was written by another version: start a new study in another folder")
            Record(**kept)  # refuses unknown fields, which msgspec ignores in a dataclass
            msgspec.convert(kept.get("history", []), list[NetworkEntry])
            msgspec.convert(kept.get("matches", []), list[MatchEntry])
            return msgspec.convert(kept, Record)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise StudyError(f"{path} is damaged ({str(error)[:100]}): start a new study in another folder") from error

    def save_games(self, number: int, games: Games) -> None:
        """Save positions under a number."""
        self._write(self._window / f"{number:06d}.npz", games.to_bytes())

    def forget(self, number: int) -> None:
        """Remove the positions with a number."""
        with self._located_errors():
            (self._window / f"{number:06d}.npz").unlink(missing_ok=True)

    def load_games(self) -> Iterator[tuple[int, Games]]:
        """Yield all stored positions with their numbers, in order; skip damaged files."""
        for number, path in sorted(self._chunks().items()):
            with contextlib.suppress(ValueError):
                yield number, games_from_bytes(self._read(path, MAX_BYTES))

    def save_trainer(self, state: bytes) -> None:
        """Save the state of the training."""
        self._write(self.path / "trainer.pt", state)

    def load_trainer(self) -> bytes | None:
        """Load the state of the training, if it was saved."""
        path = self.path / "trainer.pt"
        with self._located_errors():
            return read_stored(path, MAX_BYTES) if is_stored(path) else None

    def save_selfplay(self, model: Model) -> None:
        """Save the network of self-play."""
        self._keep(self._selfplay, model)

    def load_selfplay(self) -> Model | None:
        """Load the network of self-play, if there is one."""
        return self._load(self._selfplay)

    def save_result(self, model: Model) -> None:
        """Save the best network."""
        self._keep(self.result, model)

    def load_result(self) -> Model | None:
        """Load the best network, if there is one."""
        return self._load(self.result)

    def save_lesson(self, lesson: Lesson) -> None:
        """Save the learned evaluation."""
        with self._located_errors():
            data = storage.to_bytes(storage.StoredLesson(lesson))
        self._write(self._evaluation, data)

    def load_lesson(self) -> Lesson | None:
        """Load the learned evaluation, if there is one."""
        with self._located_errors():
            return storage.load(self._evaluation).lesson if is_stored(self._evaluation) else None

    def save_report(self, page: str) -> None:
        """Save the report page."""
        self._write(self.report, page.encode())

    def _keep(self, path: Path, model: Model) -> None:
        with self._located_errors():
            data = to_bytes(model)
        self._write(path, data)

    def _load(self, path: Path) -> Model | None:
        with self._located_errors():
            return load(path) if is_stored(path) else None

    def _chunks(self) -> dict[int, Path]:
        named = (path for path in self._window.glob("*.npz") if path.stem.isascii() and path.stem.isdigit())
        return {int(path.stem): path for path in named if len(path.stem) <= LONGEST_NUMBER}

    def _read(self, path: Path, most: int) -> bytes:
        with self._located_errors():
            return read_stored(path, most)

    def _write(self, path: Path, data: bytes) -> None:
        with self._located_errors():
            is_stored(path)
            write_atomically(path, data)

    @contextlib.contextmanager
    def _located_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StudyError(f"cannot use {self.path}: {error.strerror}{_remedy(error)}") from error
        except StorageError as error:
            raise StudyError(str(error)) from error


def _remedy(error: OSError) -> str:
    """Return what the user can do about an error, as the end of a message."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "; no written data is lost: free some disk space, then continue with --resume"
    return "; name a writable folder with --out"
