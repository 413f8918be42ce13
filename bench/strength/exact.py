"""Perfect play of Connect Four on 7 columns and 6 rows, for any rulesheet whose moves are ``(drop COLUMN)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from bench.strength.connectfour import COLUMNS, Solver, is_over, open_columns
from reasoner.language.terms import Term

DROP = re.compile(r"\(drop (\d)\)")
TRAPS_FROM = 8
"""Minimum stones on the board for setting traps. With fewer stones, solving all replies to all moves takes minutes."""


class Exact:
    """Player that keeps the position's value; it draws among equally good moves at random.

    From TRAPS_FROM stones on, it draws only among those that leave the fewest good replies.
    """

    def __init__(self, seed: int = 1) -> None:
        self._solver = Solver()
        self._rng = Random(seed)

    def choose(self, played: Sequence[Sequence[str]], role: int, legal: Sequence[Term], seconds: float | None) -> str:  # noqa: ARG002 `played` shows who moves
        """See `chooser.Chooser`."""
        columns = line(played)
        words = {column_of(str(move)): str(move) for move in legal}
        if sorted(key for key in words if key >= 0) != open_columns(columns) or -1 in words:
            raise ValueError(
                f"this game is not Connect Four on {COLUMNS} columns with moves (drop COLUMN): exact plays only that"
            )
        best = sorted(self._solver.best(columns))
        self._rng.shuffle(best)
        if len(columns) < TRAPS_FROM:
            return words[best[0]]
        return words[min(best, key=lambda column: self._replies((*columns, column)))]

    def close(self) -> None:
        """Do nothing: there are no resources."""

    def _replies(self, columns: tuple[int, ...]) -> int:
        """Count the replies that keep the value for the other side: a trap has few."""
        return 0 if is_over(columns) else len(self._solver.best(columns))


def line(played: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the columns played, from 0."""
    return tuple(column for joint in played for column in map(column_of, joint) if column >= 0)


def column_of(move: str) -> int:
    """Return the column of a move, from 0; -1 if the move is not a drop."""
    found = DROP.fullmatch(move)
    return int(found[1]) - 1 if found else -1
