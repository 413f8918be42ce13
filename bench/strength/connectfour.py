"""Solver of Connect Four on 7 columns and 6 rows from the empty board.

Alpha-beta search over bitboards. Moves that make the most threats are tried first, moves that lose at once are
pruned, and a board and its mirror image share an entry of the transposition table. A board is two integers: the stones
of the player to move, and all stones. Cell (column, row from the bottom) is bit 7 * column + row; bit 7 * column + 6 is
always 0. A node allocates no memory. The solution of the empty board takes about two minutes and 700 million positions.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

COLUMNS, ROWS = 7, 6
WIN, DRAW, LOSS = 1, 0, -1
ENTRIES = 1 << 25
"""Entries of the transposition table, 8 bytes each. An entry takes memory only when it is used."""

_CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
_BOTTOM = np.int64(sum(1 << (7 * column) for column in range(COLUMNS)))
_BOARD = np.int64(((1 << ROWS) - 1) * int(_BOTTOM))
_FILE = np.int64((1 << ROWS) - 1)
_COLUMN = np.int64((1 << 7) - 1)
_WIN, _LEAST_A_DRAW, _DRAW, _MOST_A_DRAW, _LOSS = 4, 3, 2, 1, 0  # results in the low three bits of an entry


@numba.njit(cache=True)
def has_four(stones: int) -> bool:
    """Return whether four stones stand in a row."""
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


@numba.njit(cache=True)
def _threats(own: int, stones: int) -> int:
    """Return the empty cells that would complete a four."""
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
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56


@numba.njit(cache=True)
def _mirrored(bits: int) -> int:
    outer = ((bits & _COLUMN) << 42) | ((bits >> 42) & _COLUMN)
    second = ((bits & (_COLUMN << 7)) << 28) | ((bits >> 28) & (_COLUMN << 7))
    third = ((bits & (_COLUMN << 14)) << 14) | ((bits >> 14) & (_COLUMN << 14))
    return outer | second | third | (bits & (_COLUMN << 21))


# Precondition: the player to move cannot win at once. A table entry is the board's key << 3 | result.
@numba.njit(cache=True)
def _value(own: int, stones: int, low: int, high: int, table: NDArray[np.int64]) -> int:
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
    key = min(own + stones, _mirrored(own) + _mirrored(stones)) + _BOTTOM
    place = ((key * 0x2545F4914F6CDD1D) >> 20) & (ENTRIES - 1)
    entry = table[place]
    if entry >> 3 == key:
        known = entry & 7
        if known == _WIN:
            return WIN
        if known == _DRAW:
            return DRAW
        if known == _LOSS:
            return LOSS
        if known == _LEAST_A_DRAW:
            low = max(low, DRAW)
        else:
            high = min(high, DRAW)
        if low >= high:
            return low
    # One byte per column: 5 bits for the number of threats of its stone, 3 bits that prefer the centre. Never 0.
    waiting = np.int64(0)
    for at in range(COLUMNS):
        cell = moves & (_FILE << (7 * _CENTRE_FIRST[at]))
        if cell:
            weight = min(_count(_threats(own | cell, stones | cell)), 31)
            waiting |= (weight * 8 + COLUMNS - at) << (8 * at)
    best, first = LOSS, low
    while waiting:
        most, chosen = np.int64(0), 0
        for at in range(COLUMNS):
            weight = (waiting >> (8 * at)) & 0xFF
            if weight > most:
                most, chosen = weight, at
        waiting &= ~(0xFF << (8 * chosen))
        cell = moves & (_FILE << (7 * _CENTRE_FIRST[chosen]))
        best = max(best, -_value(theirs, stones | cell, -high, -max(low, best), table))
        if best >= high:
            break
    if best == WIN:
        known = _WIN
    elif best == LOSS:
        known = _LOSS
    else:
        known = _LEAST_A_DRAW if best >= high else _MOST_A_DRAW if best <= first else _DRAW
    table[place] = (key << 3) | known
    return best


class Solver:
    """Solves positions, with a table shared by all calls."""

    def __init__(self) -> None:
        self._table = np.zeros(ENTRIES, np.int64)

    def value(self, columns: tuple[int, ...]) -> int:
        """Return the result for the player to move after these columns (0 to 6) were played: 1, 0 or -1."""
        return WIN if self._reaches(WIN, columns) else DRAW if self._reaches(DRAW, columns) else LOSS

    def best(self, columns: tuple[int, ...]) -> set[int]:
        """Return the columns that keep the position's value."""
        value, still_open = self.value(columns), set(open_columns(columns))
        if value == LOSS:
            return still_open
        return {column for column in still_open if not self._reaches(1 - value, (*columns, column))}

    # A null-window search: it takes far less work than the exact value.
    def _reaches(self, value: int, columns: tuple[int, ...]) -> bool:
        own, stones = board(columns)
        if has_four(own ^ stones):
            return False
        if int(_threats(own, stones)) & (stones + int(_BOTTOM)) & int(_BOARD):
            return True
        return bool(_value(own, stones, value - 1, value, self._table) >= value)


def board(columns: tuple[int, ...]) -> tuple[int, int]:
    """Return the stones of the player to move, and all stones."""
    own, stones = 0, 0
    for column in columns:
        cell = (stones + (1 << (7 * column))) & int(_FILE) << (7 * column)
        own, stones = stones ^ own, stones | cell
    return own, stones


def open_columns(columns: tuple[int, ...]) -> list[int]:
    """Return the columns that are not full."""
    return [column for column in range(COLUMNS) if columns.count(column) < ROWS]


def is_over(columns: tuple[int, ...]) -> bool:
    """Return whether somebody has won or the board is full."""
    own, stones = board(columns)
    return stones == int(_BOARD) or bool(has_four(own)) or bool(has_four(own ^ stones))
