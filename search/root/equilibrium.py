"""Approximate equilibrium of a matrix game, from the mean values of joint moves.

Regret matching+ (Tammelin 2014, "Solving large imperfect information games using CFR+"; Hart and Mas-Colell 2000), with
later mixtures weighted more. It only needs that every joint move is visited now and then, and takes well under a
millisecond.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import kernel, subkernel

Matrix = NDArray[np.float64]

ROUNDS = 1000
LEAST = 0.01
"""Moves below this part of the largest share are dropped: they are left from the first rounds."""


def mixtures(matrix: Matrix) -> tuple[list[float], list[float]]:
    """Return the mixtures of the row player, who maximizes, and of the column player, who minimizes."""
    rows, columns = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
    match_regrets(np.ascontiguousarray(matrix), rows, columns, ROUNDS)
    return _shares(rows), _shares(columns)


def _shares(sums: Matrix) -> list[float]:
    kept = np.where(sums >= LEAST * sums.max(), sums, 0.0)
    shares: list[float] = (kept / kept.sum()).tolist()
    return shares


@subkernel
def _respond(matrix: Matrix, regrets: Matrix, own: Matrix, other: Matrix, total: Matrix, number: int) -> None:
    """Update the mixture `own` of the player who maximizes `matrix`, and add it to `total`."""
    worth, mean, positive = np.zeros(len(own)), 0.0, 0.0
    for i in range(len(own)):
        for j in range(len(other)):
            worth[i] += matrix[i, j] * other[j]
        mean += own[i] * worth[i]
    for i in range(len(own)):
        regrets[i] = max(regrets[i] + worth[i] - mean, 0.0)
        positive += regrets[i]
    for i in range(len(own)):
        own[i] = regrets[i] / positive if positive > 0.0 else 1.0 / len(own)
        total[i] += number * own[i]


@kernel
def match_regrets(matrix: Matrix, rows: Matrix, columns: Matrix, rounds: int) -> None:
    """Sum the mixtures of `rounds` rounds in `rows` and `columns`, weighted by the round's number."""
    height, width = matrix.shape
    turned = np.ascontiguousarray(-matrix.T)
    row_regrets, column_regrets = np.zeros(height), np.zeros(width)
    row, column = np.full(height, 1.0 / height), np.full(width, 1.0 / width)
    for number in range(1, rounds + 1):
        _respond(matrix, row_regrets, row, column, rows, number)
        _respond(turned, column_regrets, column, row, columns, number)
