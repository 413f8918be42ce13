"""Value of a zero-sum matrix game by the simplex method.

The column player's linear programme (Dantzig 1951) is solved in a tableau. The column that improves most enters; after
many steps Bland's rule decides, which cannot cycle, but often takes very many steps.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Floats
from reasoner.kernels import device_function
from reasoner.kernels.scalars import int64

EPSILON = 1e-11
FAST_STEPS = 20
"""Steps by the fast rule, for each row and column."""


def tableau(rows: int, columns: int) -> Floats:
    """Allocate work memory for games of at most rows x columns."""
    return np.zeros((rows + 1) * (rows + columns + 1), np.float64)


@device_function
def saddle_point(game: Floats, rows: int, columns: int) -> tuple[float, float]:
    """Return what the row player and the column player can ensure by one move each.  # game [rows * columns]."""
    low, high = -np.inf, np.inf
    for i in range(rows):
        worst = np.inf
        for j in range(columns):
            worst = min(worst, game[i * columns + j])
        low = max(low, worst)
    for j in range(columns):
        worst = -np.inf
        for i in range(rows):
            worst = max(worst, game[i * columns + j])
        high = min(high, worst)
    return low, high


@device_function
def matrix_value(game: Floats, rows: int, columns: int, work: Floats, row_mix: Floats, column_mix: Floats) -> float:
    """Return the value for the row player, who maximizes, and write optimal mixed strategies of both players."""
    lowest = highest = game[0]
    for place in range(rows * columns):
        lowest, highest = min(lowest, game[place]), max(highest, game[place])
    scale = highest - lowest if highest > lowest else 1.0
    width, fast = rows + columns + 1, FAST_STEPS * (rows + columns)
    _fill(game, rows, columns, work, lowest, scale)
    basis = row_mix  # until the end: the basic variable of each row
    for i in range(rows):
        basis[i] = columns + i
    column = _entering(work, rows, width, True)
    while column >= 0:
        fast -= 1
        row = _leaving(work, rows, width, column, basis)
        _pivot(work, rows, width, row, column)
        basis[row] = column
        column = _entering(work, rows, width, fast > 0)
    total = work[rows * width + width - 1]
    for j in range(columns):
        column_mix[j] = 0.0
    for i in range(rows):
        if basis[i] < columns:
            column_mix[int64(basis[i])] = work[i * width + width - 1] / total
    for i in range(rows):
        row_mix[i] = work[rows * width + columns + i] / total
    value: float = lowest + scale * (1.0 / total - 1.0)
    return value


@device_function
def _fill(game: Floats, rows: int, columns: int, work: Floats, lowest: float, scale: float) -> None:
    """Write the tableau of: maximize the sum of y, where each row of the game times y is at most 1, and y >= 0.

    The entries of the game are moved to 1 ... 2, so that its value is positive and goals may be large.
    """
    width = rows + columns + 1
    for i in range(rows + 1):
        for j in range(width):
            work[i * width + j] = 0.0
    for i in range(rows):
        for j in range(columns):
            work[i * width + j] = 1.0 + (game[i * columns + j] - lowest) / scale
        work[i * width + columns + i] = work[i * width + width - 1] = 1.0
    for j in range(columns):
        work[rows * width + j] = -1.0


@device_function
def _entering(work: Floats, rows: int, width: int, fast: bool) -> int:
    """Return the column that improves the sum most, or the first that improves it; -1: none."""
    best, at = -EPSILON, -1
    for j in range(width - 1):
        if work[rows * width + j] < best:
            best, at = work[rows * width + j], j
            if not fast:
                break
    return at


@device_function
def _leaving(work: Floats, rows: int, width: int, column: int, basis: Floats) -> int:
    """Return the row that limits the entering column; of several, the one whose basic variable comes first."""
    best, at = np.inf, -1
    for i in range(rows):
        entry = work[i * width + column]
        if entry > EPSILON:
            ratio = work[i * width + width - 1] / entry
            if at < 0 or ratio < best - EPSILON or (ratio <= best + EPSILON and basis[i] < basis[at]):
                best, at = min(ratio, best), i
    return at


@device_function
def _pivot(work: Floats, rows: int, width: int, row: int, column: int) -> None:
    """Make `column` the unit vector of `row`."""
    divisor = work[row * width + column]
    for j in range(width):
        work[row * width + j] /= divisor
    work[row * width + column] = 1.0
    for i in range(rows + 1):
        factor = work[i * width + column]
        if i != row and factor != 0.0:
            for j in range(width):
                work[i * width + j] -= factor * work[row * width + j]
            work[i * width + column] = 0.0
