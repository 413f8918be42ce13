"""Store of results in an SQLite file: interrupted tournaments resume without loss or repetition.

Table ``plan`` has the fingerprint of the plan, table ``games`` a hash of the rules of each game; table ``matches`` has
one row per match, by the pairing's key.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from agent.message_lines import finite_json
from agent.tournament.errors import OtherResultsError, StoreError

_TABLES = """
CREATE TABLE IF NOT EXISTS plan (fingerprint TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (game TEXT PRIMARY KEY, rules TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS matches (
    key TEXT PRIMARY KEY, game TEXT NOT NULL, match_id TEXT NOT NULL, players TEXT NOT NULL, roles TEXT NOT NULL,
    goals TEXT NOT NULL, errors TEXT NOT NULL, steps INTEGER NOT NULL, seconds REAL NOT NULL, ended REAL NOT NULL,
    completed INTEGER NOT NULL
);
"""
_COLUMNS = "key, game, match_id, players, roles, goals, errors, steps, seconds, ended, completed"
"""The columns of table ``matches``; a file may have more columns."""

_FOREIGN = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""Errors of a file that is damaged, or not of a tournament; with all others, the results are still there."""

Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Time = Annotated[float, msgspec.Meta(ge=0, le=253402300799)]
"""Seconds since 1970, at most those of the year 9999, the last that a date can have."""
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)] | Annotated[float, msgspec.Meta(ge=0, le=100)]
Count = Annotated[int, msgspec.Meta(ge=0)]

FAILED = "PF"
"""Error kind that is not in match records: the player failed, and its agent played a legal move."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished match. All tuples have one entry per seat, in role order, without chance."""

    key: str
    game: str
    match_id: str
    players: tuple[str, ...]
    roles: tuple[str, ...]
    goals: tuple[Percent, ...]  # percent of the maximum; empty if not completed
    errors: tuple[str, ...]  # kinds (TO, IL, CE, PF), separated by spaces
    steps: Count
    seconds: Seconds  # duration
    ended: Time
    completed: bool


class ResultStore:
    """The database of one tournament, for one thread at a time. Raises StoreError."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        self.path = path
        with self._clear():
            self._database = sqlite3.connect(path, timeout=10.0, check_same_thread=False)
            self._database.executescript(_TABLES)
            self._adopt(fingerprint)

    def check_rules(self, rules: Mapping[str, str]) -> None:
        """Store a hash of the rules of each game. Raises OtherResultsError if there are results of other rules."""
        with self._clear(), self._database:
            known = dict(self._database.execute("SELECT game, rules FROM games").fetchall())
            played = {game for (game,) in self._database.execute("SELECT DISTINCT game FROM matches")}
            for game, text in rules.items():
                found = hashlib.sha256(text.encode()).hexdigest()
                if game in played and known.get(game, found) != found:
                    raise OtherResultsError(
                        f"{self.path} has results of other rules of {game}; give another --results file, or delete it"
                    )
                self._database.execute("INSERT OR REPLACE INTO games VALUES (?, ?)", (game, found))

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return all finished matches in order of their end."""
        with self._clear():
            rows = self._database.execute(f"SELECT {_COLUMNS} FROM matches ORDER BY ended, key").fetchall()
        return tuple(self._outcome(row) for row in rows)

    def add(self, outcome: Outcome) -> None:
        """Store a result durably."""
        lists = (json.dumps(part) for part in (outcome.players, outcome.roles, outcome.goals, outcome.errors))
        row = (outcome.key, outcome.game, outcome.match_id, *lists, outcome.steps, outcome.seconds, outcome.ended)
        with self._clear(), self._database:
            self._database.execute(
                f"INSERT OR REPLACE INTO matches ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                (*row, int(outcome.completed)),
            )

    def _outcome(self, row: Sequence[object]) -> Outcome:
        """Parse a row. Raises StoreError if its values are invalid."""
        try:
            return _read_outcome(row)
        except (ValueError, RecursionError) as error:
            raise StoreError(
                f"{self.path}: the row {str(row[0])[:80]!r} of table matches is damaged ({str(error)[:200]}); "
                "delete the row to repeat its match"
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _adopt(self, fingerprint: str) -> None:
        known = self._database.execute("SELECT fingerprint FROM plan").fetchone()
        if known is None:
            with self._database:
                self._database.execute("INSERT INTO plan VALUES (?)", (fingerprint,))
        elif known[0] != fingerprint:
            self._database.close()
            raise OtherResultsError(
                f"{self.path} was begun with other values of {_changed(known[0], fingerprint)}; "
                "give another --results file, or delete it"
            )

    @contextmanager
    def _clear(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the other bits are details
            advice = "give another --results file" if code in _FOREIGN else "earlier results are intact; resume later"
            raise StoreError(f"{self.path}: {error}; {advice}") from error


def _changed(before: str, now: str) -> str:
    """Return the names of the entries in which two fingerprints differ."""
    try:
        old, new = finite_json(before), finite_json(now)
    except (ValueError, RecursionError):
        return "the plan"
    plans = isinstance(old, dict) and isinstance(new, dict)
    return (", ".join(sorted(key for key in new if new[key] != old.get(key))) if plans else "") or "the plan"


def _read_outcome(row: Sequence[object]) -> Outcome:
    """Parse a row. Raises ValueError; msgspec's names the column."""
    named = dict(zip(_COLUMNS.split(", "), row, strict=True))
    named |= {column: finite_json(str(named[column])) for column in ("players", "roles", "goals", "errors")}
    outcome = msgspec.convert(named | {"completed": bool(named["completed"])}, Outcome)
    seats = len(outcome.roles)
    if not len(outcome.players) == len(outcome.errors) == seats or len(outcome.goals) != seats * outcome.completed:
        raise ValueError("its lists do not have one entry per role")
    return outcome
