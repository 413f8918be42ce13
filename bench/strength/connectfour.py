"""Connect Four on 7 columns and 6 rows solved from the empty board: who wins with best play.

Alpha-beta search over bitboards; tried first are moves that make most threats, left out those that lose at once, and a
board and its mirror image are one entry of the table. A board is two numbers, the stones of the player to move and all
stones; cell (column, row) is bit 7 * column + row from the bottom, bit 7 * column + 6 stays empty.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

COLUMNS, ROWS = 7, 6
WIN, DRAW, LOSS = 1, 0, -1
ENTRIES = (1 << 23) + 9
"""Of the table, 9 bytes each; an odd number, so that low bits alone do not choose the place."""

_CENTRE_FIRST = np.array((3, 2, 4, 1, 5, 0, 6), np.int64)
_BOTTOM = np.int64(sum(1 << (7 * column) for column in range(COLUMNS)))
_BOARD = np.int64(((1 << ROWS) - 1) * int(_BOTTOM))
_FILE = np.int64((1 << ROWS) - 1)


@numba.njit(cache=True)
def has_four(stones: int) -> bool:
    """Whether four stones stand in a row."""
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


@numba.njit(cache=True)
def _threats(own: int, stones: int) -> int:
    """The empty cells that would complete a four."""
    found = (own << 1) & (own << 2) & (own << 3)
    for step in (6, 7, 8):
        pair = (own << step) & (own << (2 * step))
        found |= pair & (own << (3 * step))
        found |= pair & (own >> step)
        pair = (own >> step) & (own >> (2 * step))
        found |= pair & (own << step)
        found |= pair & (own >> (3 * step))
    return found & (_BOARD ^ stones)


@numba.njit(cache=True)
def _count(bits: int) -> int:
    number = 0
    while bits:
        bits &= bits - 1
        number += 1
    return number


@numba.njit(cache=True)
def _mirrored(bits: int) -> int:
    found = 0
    for column in range(COLUMNS):
        found |= ((bits >> (7 * column)) & 0x7F) << (7 * (COLUMNS - 1 - column))
    return found


# The player to move cannot win at once. Entries: 3 a win, 2 a draw, -3 a loss; 1 at least a draw, -1 at most one.
@numba.njit(cache=True)
def _value(own: int, stones: int, low: int, high: int, keys: NDArray[np.int64], values: NDArray[np.int8]) -> int:
    theirs = stones ^ own
    playable = (stones + _BOTTOM) & _BOARD
    danger = _threats(theirs, stones)
    forced = playable & danger
    if forced:
        if forced & (forced - 1):
            return LOSS
        playable = forced
    moves = playable & ~(danger >> 1)
    if not moves:
        return LOSS if playable else DRAW
    if _count(stones) >= COLUMNS * ROWS - 2:
        return DRAW
    key = own + stones + _BOTTOM
    other = _mirrored(own) + _mirrored(stones) + _BOTTOM
    key = min(key, other)
    place = key % ENTRIES
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
    ordered = np.empty(COLUMNS, np.int64)
    weights = np.empty(COLUMNS, np.int64)
    many = 0
    for i in range(COLUMNS):
        cell = moves & (_FILE << (7 * _CENTRE_FIRST[i]))
        if cell:
            weight = _count(_threats(own | cell, stones | cell))
            at = many
            while at and weights[at - 1] < weight:
                ordered[at], weights[at] = ordered[at - 1], weights[at - 1]
                at -= 1
            ordered[at], weights[at] = cell, weight
            many += 1
    best, first = LOSS, low
    for i in range(many):
        cell = ordered[i]
        best = max(best, -_value(theirs, stones | cell, -high, -max(low, best), keys, values))
        if best >= high:
            break
    keys[place] = key
    if best != DRAW:
        values[place] = 3 if best == WIN else -3
    else:
        values[place] = 1 if best >= high else -1 if best <= first else 2
    return best


class Solver:
    """Remembers positions it has solved."""

    def __init__(self) -> None:
        self._keys = np.zeros(ENTRIES, np.int64)
        self._values = np.zeros(ENTRIES, np.int8)

    def value(self, columns: tuple[int, ...]) -> int:
        """What the player to move gets after these columns (0 to 6) were played: 1, 0 or -1."""
        own, stones = board(columns)
        if has_four(own ^ stones):
            return LOSS
        if int(_threats(own, stones)) & (stones + int(_BOTTOM)) & int(_BOARD):
            return WIN
        return int(_value(own, stones, LOSS, WIN, self._keys, self._values))

    def best(self, columns: tuple[int, ...]) -> set[int]:
        """The columns that keep what the position is worth."""
        values = {column: -self.value((*columns, column)) for column in open_columns(columns)}
        return {column for column, value in values.items() if value == max(values.values())}


def board(columns: tuple[int, ...]) -> tuple[int, int]:
    """The stones of the player to move, and all stones."""
    own, stones = 0, 0
    for column in columns:
        cell = (stones + (1 << (7 * column))) & int(_FILE) << (7 * column)
        own, stones = stones ^ own, stones | cell
    return own, stones


def open_columns(columns: tuple[int, ...]) -> list[int]:
    """The columns that are not full."""
    return [column for column in range(COLUMNS) if columns.count(column) < ROWS]


def is_over(columns: tuple[int, ...]) -> bool:
    """Whether somebody has won or the board is full."""
    own, stones = board(columns)
    return stones == int(_BOARD) or bool(has_four(own)) or bool(has_four(own ^ stones))
