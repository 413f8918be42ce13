"""Row allocation for gates: a row is reused when it has no more readers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints
from reasoner.kernels import device_function, kernel
from reasoner.lanes.portable.order import Gates

ROWS, FREE = range(2)
"""Entries of `Places.counts`: the number of rows allocated so far, and the number of free rows."""

NO_ROW = -1


class Places(NamedTuple):
    """The rows allocated so far; N nodes."""

    row: Ints  # [N] the row of each node
    given: Ints  # [N] the fixed row of a node, or NO_ROW
    uses: Ints  # [N] the remaining readers of each node
    free: Ints  # [N] rows without readers, a stack
    counts: Ints  # [2] the number of rows ever used; the length of `free`


@kernel
def place(gates: Gates, places: Places, order: Ints, words: NDArray[np.uint32]) -> None:
    """Write the operations of the gates in `order`: three rows each.

    The row of an operand becomes free after its last reader. If only one operand is complemented, it comes first.
    """
    for i in range(len(order)):
        node = order[i]
        a, b = gates.left[node - gates.first], gates.right[node - gates.first]
        if b & 1 and not a & 1:
            a, b = b, a
        release(gates, places, a >> 1)
        release(gates, places, b >> 1)
        places.row[node] = places.given[node] if places.given[node] != NO_ROW else take(places)
        words[3 * i], words[3 * i + 1], words[3 * i + 2] = places.row[node], places.row[a >> 1], places.row[b >> 1]


@device_function
def release(gates: Gates, places: Places, node: int) -> None:
    """Count one reader of a node as done; free the node's row after its last reader."""
    places.uses[node] -= 1
    if places.uses[node] == 0 and node >= gates.first:
        places.free[places.counts[FREE]] = places.row[node]
        places.counts[FREE] += 1


@device_function
def take(places: Places) -> int:
    """A free row, or a new one."""
    if places.counts[FREE]:
        places.counts[FREE] -= 1
        row: int = places.free[places.counts[FREE]]
        return row
    return take_new(places)


@kernel
def take_new(places: Places) -> int:
    """A row that was never in use."""
    row: int = places.counts[ROWS]
    places.counts[ROWS] += 1
    return row
