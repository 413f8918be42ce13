"""Ledger: a CSV file with a row for every match. Each match is saved when it ends, so that none is repeated or lost."""

from __future__ import annotations

import csv
import os
import threading
from dataclasses import asdict, dataclass, fields
from pathlib import Path

KEY = ("player", "version", "opponent", "opponent_version", "game", "clock", "start", "move", "seed", "number")
"""The key of a match; rows of other versions, clocks or opponents may share the file."""


@dataclass(frozen=True, slots=True)
class Row:
    """A match. Times are in seconds. `result`, `score` and `goals` are empty if the match was not played to its end."""

    player: str
    version: str  # of the player's code
    opponent: str
    opponent_version: str
    game: str
    clock: str  # processor, simulations or wall
    start: float
    move: float
    seed: int
    number: int  # from 0; modulo the number of seats, the player's seat
    role: str  # of the player
    result: float | None  # 0..100, see `scores.result_of`
    score: float | None  # 0..100, the player's goal
    goals: str  # of all roles
    steps: int
    errors: int  # late, illegal or missing answers of the player
    opponent_errors: int
    simulations: float  # mean per move with a choice; 0 if unknown
    opponent_simulations: float
    seconds: float  # duration of the match by the wall clock
    load_before: float
    load_after: float
    ended: str  # ISO 8601
    record: str  # file with the moves and positions
    fault: str  # why the match was not played to its end

    @property
    def key(self) -> tuple[str, ...]:
        """See KEY."""
        return tuple(str(getattr(self, name)) for name in KEY)


NAMES = tuple(field.name for field in fields(Row))


class Ledger:
    """The CSV file; `rows`: its rows, with those added since. Raises ValueError for another kind of file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.rows = _read(path)

    def add(self, row: Row) -> None:
        """Save a match."""
        with self._lock, self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if file.tell() == 0:
                writer.writerow(NAMES)
            cells = asdict(row)
            writer.writerow("" if cells[name] is None else cells[name] for name in NAMES)
            file.flush()
            os.fsync(file.fileno())
            self.rows.append(row)


def _read(path: Path) -> list[Row]:
    """Return the complete rows of a file; an incomplete last line is removed."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        path.write_bytes(whole)
    lines = list(csv.reader(whole.decode().splitlines()))
    if lines and tuple(lines[0]) != NAMES:
        raise ValueError(f"{path} is not a results file of this version: give another file with --results")
    return [_row(cells) for cells in lines[1:]]


def _row(cells: list[str]) -> Row:
    kinds = {"float": float, "int": int, "float | None": lambda text: float(text) if text else None, "str": str}
    values = {field.name: kinds[str(field.type)](text) for field, text in zip(fields(Row), cells, strict=True)}
    return Row(**values)
