"""Rows of numbers looked up by what they hold: open addressing, places tried one after the other.

A table has a power of two places, at most half of them taken; one holds the number of a row + 1, 0 where it is free.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import int64, uint64

Rows = NDArray[np.integer[Any]]

_MIX = uint64(0xD6E8FEB86659FD93)
_SHIFT = uint64(32)


@subkernel
def code_of(row: Rows) -> int:
    """The hash of a row of numbers, none below 0."""
    code = GOLDEN
    for each in row:
        code = (code ^ uint64(each)) * _MIX
        code ^= code >> _SHIFT
    return int64((code * GOLDEN) >> _SHIFT)


@kernel
def place(table: Ints, rows: Rows, row: Rows) -> int:
    """The place of a row in the table, or where it belongs.  # rows [most, width]."""
    mask = len(table) - 1
    at = code_of(row) & mask
    while table[at]:
        number = table[at] - 1
        same = True
        for i in range(len(row)):
            same &= rows[number, i] == row[i]
        if same:
            break
        at = (at + 1) & mask
    return at
