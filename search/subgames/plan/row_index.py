"""Hash table of rows of numbers: open addressing with linear probing.

A table has a power of two places, at most half of them taken; a place holds the number of a row + 1, 0 if it is free.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.hashing import joined, place_of
from reasoner.kernels.random import GOLDEN

Rows = NDArray[np.integer[Any]]


@subkernel
def code_of(row: Rows) -> int:
    """Return the hash of a row of numbers."""
    code = GOLDEN
    for each in row:
        code = joined(code, each)
    return code


@kernel
def place(table: Ints, rows: Rows, row: Rows) -> int:
    """Return the place of a row in the table, or the free place where it belongs.  # rows [most, width]."""
    mask = len(table) - 1
    at = place_of(code_of(row), mask)
    while table[at]:
        number = table[at] - 1
        same = True
        for i in range(len(row)):
            same &= rows[number, i] == row[i]
        if same:
            break
        at = (at + 1) & mask
    return at
