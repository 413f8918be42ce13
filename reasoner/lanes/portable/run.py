"""Run the operations of one section, by a C function that numba compiles.

The operations are a stream of 32-bit words, see `reasoner.lanes.portable.emit`. Rows and stream are passed as
addresses, so that all emitters' code is called in the same way.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.np.numpy_support import carray

from reasoner.kernels import callback
from reasoner.kernels.memory import array_length
from reasoner.kernels.scalars import uint64
from reasoner.lanes.portable.order import AND, ANDNOT, NOR, UPDATE, UPDATE_NOT, XOR
from reasoner.lanes.rows import WORDS, row_and, row_andnot, row_nor, row_random, row_update, row_xor

UNKNOWN = 2**40
"""The length of an array over memory that is passed as an address; checked mode uses its real length."""

KEEP, FLIP = uint64(0), uint64(2**64 - 1)


def run(memory: Any, operands: Any) -> None:  # noqa: ANN401  # addresses, for which numba has types of its own
    """Execute a section's stream on the rows of `memory`."""
    values = carray(memory, array_length(memory, 8, UNKNOWN), np.uint64)
    stream = carray(operands, array_length(operands, 4, UNKNOWN), np.uint32)
    at = 1
    for _ in range(stream[0]):
        pattern, end = stream[at], at + 2 + 3 * int(stream[at + 1])
        first = at + 2
        if pattern == AND:
            for k in range(first, end, 3):
                row_and(values, stream[k], stream[k + 1], stream[k + 2])
        elif pattern == ANDNOT:
            for k in range(first, end, 3):
                row_andnot(values, stream[k], stream[k + 1], stream[k + 2])
        elif pattern == NOR:
            for k in range(first, end, 3):
                row_nor(values, stream[k], stream[k + 1], stream[k + 2])
        elif pattern == XOR:
            for k in range(first, end, 3):
                row_xor(values, stream[k], stream[k + 1], stream[k + 2])
        elif pattern == UPDATE:
            for k in range(first, end, 3):
                row_update(values, stream[k], stream[k + 2], KEEP, stream[k + 1])
        elif pattern == UPDATE_NOT:
            for k in range(first, end, 3):
                row_update(values, stream[k], stream[k + 2], FLIP, stream[k + 1])
        else:
            for k in range(first, end, 3):
                row_random(values, stream[k], values[int(stream[k + 1]) * WORDS :])
        at = end


@cache
def section_address() -> int:
    """The address of the compiled function in this process."""
    return callback(types.void(types.voidptr, types.voidptr), run)
