"""Population count as a circuit: the number of true literals.

Literals of one weight form a column. A full adder replaces three literals of a column by two: the sum goes to the end
of the same column, the carry to the next column (Dadda 1965). The oldest literals go first, so the adders of a column
form a balanced tree.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Literals
from reasoner.circuit.graph import FALSE, GateStore, Graph, and_, xor_
from reasoner.kernels import device_function, kernel

Times = NDArray[np.int64]

ADDER = 5
"""Maximum gates of a full adder."""

COLUMNS = 64
"""Maximum bits of a sum."""


def total(graph: Graph, literals: Literals, times: Times) -> Literals:
    """Return the bits, lowest first, of the sum of ``times[i]`` over all true ``literals[i]``. Raises LimitError."""
    ones = int(sum(((times >> j) & 1).sum() for j in range(COLUMNS - 1)))
    bits: Literals = graph.made(ADDER * (ones + COLUMNS), added, literals, times)
    return bits


@kernel
def added(store: GateStore, literals: Literals, times: Times) -> Literals:
    """Compute `total` in a store in which the caller has reserved the gates."""
    bits = np.zeros(COLUMNS, np.int32)
    carried, width = np.zeros(0, np.int32), 0
    for j in range(COLUMNS - 1):
        own = literals[(times >> j) & 1 == 1]
        if len(own) + len(carried) == 0 and times.sum() >> j == 0:
            break
        bits[j], carried = column(store, np.concatenate((own, carried)))
        width = j + 1
    return bits[:width]


@device_function
def column(store: GateStore, literals: Literals) -> tuple[int, Literals]:
    """Return the sum bit of a column, and the literals carried to the next."""
    queue, carries = np.empty(2 * len(literals) + 1, np.int32), np.empty(len(literals), np.int32)
    queue[: len(literals)] = literals
    first, end, count = 0, len(literals), 0
    while end - first > 1:
        x, y = queue[first], queue[first + 1]
        z = queue[first + 2] if end - first > 2 else FALSE
        unequal = xor_(store, x, y)
        carries[count] = and_(store, and_(store, x, y) ^ 1, and_(store, unequal, z) ^ 1) ^ 1
        queue[end] = xor_(store, unequal, z)
        first += min(3, end - first)
        end += 1
        count += 1
    return (queue[first] if end > first else FALSE), carries[:count].copy()
