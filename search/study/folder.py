"""A study on disk: one folder, every file of which is written whole or not at all, so that it can be stopped anyhow.

`study.json` says how far it has come, `window/` holds the last positions, `trainer.pt` what training goes on with,
`selfplay.npz` the network that plays itself, and `studied.npz` the best one so far, ready for matches. Positions
written after `study.json` are found by their numbers.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from search.errors import StorageError, StudyError
from search.network.storage import Studied, load, to_bytes
from search.study.games import Games, games_from_bytes

VERSION = 2
MOST_JSON = 64 << 20


@dataclass
class Record:
    """How far a study has come; plain values."""

    rules: str = ""  # a hash of their text
    seed: int = 0
    seconds: float = 0.0
    jobs: int = 0
    games: int = 0
    positions: int = 0
    chunk: int = 0  # the number of the next file of positions
    weight: float = 0.5  # of a network's values against random games, in self-play
    gated: float = 0.0  # the second at which matches were played last
    generation: int = 0  # of the best network; 0: none has won its matches yet
    points: float = 0.0
    error: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)  # a dict a moment, for people and plots
    matches: list[dict[str, Any]] = field(default_factory=list)  # and one for each time that matches decided


class StudyFolder:
    """Reads and writes it. Raises StudyError, with what would mend it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._window = path / "window"
        self._selfplay = path / "selfplay.npz"
        self.result = path / "studied.npz"
        self.report = path / "report.html"

    def exists(self) -> bool:
        """Whether a study was begun there."""
        return (self.path / "study.json").exists()

    def begin(self) -> None:
        """Make the folders."""
        with self._told():
            self._window.mkdir(parents=True, exist_ok=True)

    def clear(self) -> None:
        """Remove what an earlier study has left."""
        with self._told():
            written = [self.path / "study.json", self.path / "trainer.pt", self._selfplay, self.result]
            for path in [*written, *self._chunks().values()]:
                path.unlink(missing_ok=True)

    def save_record(self, record: Record) -> None:
        """How far it has come."""
        self._write(self.path / "study.json", json.dumps({"version": VERSION, **asdict(record)}).encode())

    def load_record(self) -> Record:
        """What was saved last."""
        path = self.path / "study.json"
        try:
            kept = json.loads(self._read(path, MOST_JSON))
            if kept.pop("version") != VERSION:
                raise StudyError(f"{path} is of another version: begin anew in another folder")
            return Record(**kept)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise StudyError(f"{path} is damaged ({str(error)[:100]}): begin anew in another folder") from error

    def save_games(self, number: int, games: Games) -> None:
        """Positions under a number."""
        self._write(self._window / f"{number:06d}.npz", games.to_bytes())

    def forget(self, number: int) -> None:
        """Remove positions."""
        with self._told():
            (self._window / f"{number:06d}.npz").unlink(missing_ok=True)

    def load_games(self) -> Iterator[tuple[int, Games]]:
        """All positions that are kept, in their order; damaged files are passed over."""
        for number, path in sorted(self._chunks().items()):
            with contextlib.suppress(ValueError):
                yield number, games_from_bytes(self._read(path, 1 << 31))

    def save_trainer(self, state: bytes) -> None:
        """What training goes on with."""
        self._write(self.path / "trainer.pt", state)

    def load_trainer(self) -> bytes | None:
        """The same, if it was saved."""
        path = self.path / "trainer.pt"
        return self._read(path, 1 << 31) if path.exists() else None

    def save_selfplay(self, studied: Studied) -> None:
        """The network that plays itself."""
        self._keep(self._selfplay, studied)

    def load_selfplay(self) -> Studied | None:
        """The same, if there is one."""
        return _load(self._selfplay)

    def save_result(self, studied: Studied) -> None:
        """The best network."""
        self._keep(self.result, studied)

    def load_result(self) -> Studied | None:
        """The same, if there is one."""
        return _load(self.result)

    def save_report(self, page: str) -> None:
        """What people read of it."""
        self._write(self.report, page.encode())

    def _keep(self, path: Path, studied: Studied) -> None:
        try:
            data = to_bytes(studied)
        except StorageError as error:
            raise StudyError(str(error)) from error
        self._write(path, data)

    def _chunks(self) -> dict[int, Path]:
        return {int(path.stem): path for path in self._window.glob("*.npz") if path.stem.isdigit()}

    def _read(self, path: Path, most: int) -> bytes:
        with self._told(), path.open("rb") as file:
            return file.read(most)

    def _write(self, path: Path, data: bytes) -> None:
        draft = path.with_name(f".{path.name}.draft")
        with self._told():
            try:
                with draft.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(path)
            except OSError:  # a full disk, which the rest of a draft would leave fuller
                with contextlib.suppress(OSError):
                    draft.unlink(missing_ok=True)
                raise

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StudyError(f"cannot use {self.path}: {error.strerror}{_mended(error)}") from error


def _load(path: Path) -> Studied | None:
    try:
        return load(path) if path.exists() else None
    except StorageError as error:
        raise StudyError(str(error)) from error


def _mended(error: OSError) -> str:
    """What helps."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "; nothing that was written is lost: make room, then --resume goes on"
    return "; give a folder that can be written by --out"
