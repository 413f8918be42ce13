"""Results as they come, in one SQLite file: nothing is played twice, and nothing is lost when it is interrupted.

Table ``plan`` holds the fingerprint of what is played; table ``matches`` one row a match, by the pairing's key.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from agent.tournament.errors import StoreError

_TABLES = """
CREATE TABLE IF NOT EXISTS plan (fingerprint TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS matches (
    key TEXT PRIMARY KEY, game TEXT NOT NULL, match_id TEXT NOT NULL, players TEXT NOT NULL, roles TEXT NOT NULL,
    goals TEXT NOT NULL, errors TEXT NOT NULL, steps INTEGER NOT NULL, seconds REAL NOT NULL, ended REAL NOT NULL,
    completed INTEGER NOT NULL
);
"""

FAILED = "PF"
"""The kind of error that a record knows nothing of: the player failed, and its agent played a legal move."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match that was played. All tuples have one entry per seat, in role order, chance left out."""

    key: str
    game: str
    match_id: str
    players: tuple[str, ...]
    roles: tuple[str, ...]
    goals: tuple[float, ...]  # 0..100, shares of the whole; empty when not completed
    errors: tuple[str, ...]  # kinds (TO, IL, CE, and PF) with spaces between
    steps: int
    seconds: float  # it took
    ended: float  # seconds since 1970
    completed: bool


class ResultStore:
    """The file of one tournament. Raises StoreError."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        self.path = path
        with self._clear():
            self._database = sqlite3.connect(path, timeout=10.0)
            self._database.executescript(_TABLES)
            self._adopt(fingerprint)

    def outcomes(self) -> tuple[Outcome, ...]:
        """All that was played, in the order it ended."""
        with self._clear():
            rows = self._database.execute("SELECT * FROM matches ORDER BY ended, key").fetchall()
        return tuple(_outcome(row) for row in rows)

    def add(self, outcome: Outcome) -> None:
        """Keep a result; it is on the disk when this returns."""
        lists = (json.dumps(part) for part in (outcome.players, outcome.roles, outcome.goals, outcome.errors))
        row = (outcome.key, outcome.game, outcome.match_id, *lists, outcome.steps, outcome.seconds, outcome.ended)
        with self._clear(), self._database:
            self._database.execute(
                "INSERT OR REPLACE INTO matches VALUES (?,?,?,?,?,?,?,?,?,?,?)", (*row, int(outcome.completed))
            )

    def close(self) -> None:
        """Let the file go."""
        self._database.close()

    def _adopt(self, fingerprint: str) -> None:
        known = self._database.execute("SELECT fingerprint FROM plan").fetchone()
        if known is None:
            with self._database:
                self._database.execute("INSERT INTO plan VALUES (?)", (fingerprint,))
        elif known[0] != fingerprint:
            self._database.close()
            raise StoreError(
                f"{self.path} holds results of other players or clocks; name another file with --results, or delete it"
            )

    @contextmanager
    def _clear(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}; what was kept before is whole, and can be gone on with") from error


def _outcome(row: tuple[object, ...]) -> Outcome:
    key, game, match_id, players, roles, goals, errors, steps, seconds, ended, completed = row
    lists = [tuple(json.loads(str(part))) for part in (players, roles, goals, errors)]
    return Outcome(
        str(key),
        str(game),
        str(match_id),
        lists[0],
        lists[1],
        lists[2],
        lists[3],
        int(str(steps)),
        float(str(seconds)),
        float(str(ended)),
        bool(completed),
    )
