"""The portable emitter: a lane program interpreted run by run, in code that numba compiles for any machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import kernel
from reasoner.lanes.order import AND, ANDNOT, NOR
from reasoner.lanes.program import Rows
from reasoner.lanes.rows import row_and, row_andnot, row_nor, row_xor

Words = NDArray[np.uint64]


@kernel
def run(values: Words, out: Rows, left: Rows, right: Rows, runs: NDArray[np.int32], start: int, end: int) -> None:
    """Execute the runs `start … end` of a program on the rows of `values`."""
    for i in range(start, end):
        pattern, first, last = runs[i, 0], runs[i, 1], runs[i, 2]
        if pattern == AND:
            for k in range(first, last):
                row_and(values, out[k], left[k], right[k])
        elif pattern == ANDNOT:
            for k in range(first, last):
                row_andnot(values, out[k], left[k], right[k])
        elif pattern == NOR:
            for k in range(first, last):
                row_nor(values, out[k], left[k], right[k])
        else:
            for k in range(first, last):
                row_xor(values, out[k], left[k], right[k])
