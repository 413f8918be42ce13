"""Connect Four solved: who wins with best play, by alpha-beta search over bitboards with a table of positions.

A board is two numbers, the stones of the player to move and all stones. Cell (column, row) is bit 7 * column + row,
from the bottom; bit 7 * column + 6 stays empty, so that lines do not run over the edge.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from bench.strength.connectfour import board, is_over, open_columns

__all__ = ["Solver", "has_four", "is_over", "open_columns"]

COLUMNS, ROWS = 7, 6
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
TABLE = 1 << 22
WIN, DRAW, LOSS = 1, 0, -1

_ORDER = np.array(CENTRE_FIRST)
_BOTTOM = np.array([1 << (7 * column) for column in range(COLUMNS)], np.int64)
_COLUMN = np.array([((1 << ROWS) - 1) << (7 * column) for column in range(COLUMNS)], np.int64)
_FULL = int(_COLUMN.sum())


@numba.njit(cache=True)
def has_four(stones: int) -> bool:
    """Whether four stones stand in a row."""
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


# What the table says: 3 a win, 2 a draw, -3 a loss; 1 at least a draw, -1 at most one.
@numba.njit(cache=True)
def _value(own: int, stones: int, low: int, high: int, keys: NDArray[np.int64], values: NDArray[np.int8]) -> int:
    if stones == _FULL:
        return DRAW
    for column in range(COLUMNS):
        cell = (stones + _BOTTOM[column]) & _COLUMN[column]
        if cell and has_four(own | cell):
            return WIN
    key = own + stones + 1  # what is not 0; own + stones is another number in every position
    place = (key ^ (key >> 23)) * 0x9E3779B1 % TABLE
    if keys[place] == key:
        bound = values[place]
        if bound == 3:
            return WIN
        if bound == -3:
            return LOSS
        if bound == 2:
            return DRAW
        if bound == 1:
            low = max(low, DRAW)
        elif bound == -1:
            high = min(high, DRAW)
        if low >= high:
            return low
    best = LOSS
    for i in range(COLUMNS):
        cell = (stones + _BOTTOM[_ORDER[i]]) & _COLUMN[_ORDER[i]]
        if cell:
            best = max(best, -_value(stones ^ own, stones | cell, -high, -max(low, best), keys, values))
            if best >= high:
                break
    keys[place] = key
    values[place] = 3 if best == WIN else -3 if best == LOSS else 1 if best >= high else -1 if best <= low else 2
    return best


class Solver:
    """Remembers the positions it has solved."""

    def __init__(self) -> None:
        self._keys = np.zeros(TABLE, np.int64)
        self._values = np.zeros(TABLE, np.int8)

    def value(self, columns: tuple[int, ...]) -> int:
        """What the player to move gets after these columns (0 to 6) were played: 1, 0 or -1."""
        own, stones = board(columns)
        if has_four(own ^ stones):
            return LOSS
        return int(_value(own, stones, LOSS, WIN, self._keys, self._values))

    def best(self, columns: tuple[int, ...]) -> set[int]:
        """The columns that keep what the position is worth."""
        values = {column: -self.value((*columns, column)) for column in open_columns(columns)}
        return {column for column, value in values.items() if value == max(values.values())}
