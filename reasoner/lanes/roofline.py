"""Upper bound of the speed of row operations on this machine, measured by a plain loop of such operations.

Each operation reads two rows, combines them and writes a third row. The rows are picked at random in advance from as
many rows as a program has. Benchmarks compare the time that a lane program takes for a gate with this time.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Rows
from reasoner.kernels import kernel
from reasoner.lanes.rows import aligned, row_and

OPERATIONS = 100_000
"""Operations in one round of the loop."""


@kernel
def plain_loop(values: NDArray[np.uint64], operations: Rows) -> None:
    """Run all operations once."""
    for k in range(len(operations)):
        row_and(values, operations[k, 0], operations[k, 1], operations[k, 2])


def roofline(rows: int, rounds: int = 20, seed: int = 1) -> float:
    """Nanoseconds of processor time for one operation over `rows` rows, the best of several rounds."""
    values = aligned(rows)
    operations = np.random.default_rng(seed).integers(0, rows, (OPERATIONS, 3), np.uint32)
    plain_loop(values, operations)
    best = float("inf")
    for _ in range(rounds):
        began = time.thread_time_ns()
        plain_loop(values, operations)
        best = min(best, (time.thread_time_ns() - began) / OPERATIONS)
    return best
