"""Which bases each node of a graph depends on.

A row of ``ceil(bases / 64)`` words a node: base ``b``, which is node ``b + 1``, is bit ``b % 64`` of word ``b // 64``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.graph import Literals
from reasoner.kernels import kernel
from search.factoring.limits import MAX_WORDS, TooLargeError

Rows = NDArray[np.uint64]


class Supports:
    """The bases under the literals of a graph, as Python integers with bit ``b`` for base ``b``."""

    def __init__(self, left: Literals, right: Literals, first_gate: int, bases: int) -> None:
        words = -(-bases // 64) or 1
        if words * (first_gate + len(left)) > MAX_WORDS:
            raise TooLargeError(f"{len(left):,} gates over {bases:,} facts are too many to look at")
        self.rows: Rows = np.zeros((first_gate + len(left), words), np.uint64)
        numbers = np.arange(bases)
        self.rows[numbers + 1, numbers // 64] = np.uint64(1) << (numbers % 64).astype(np.uint64)
        _fill(self.rows, left, right, first_gate)

    def of(self, literal: int) -> int:
        """The set of bases that a literal depends on."""
        return int.from_bytes(self.rows[literal >> 1].tobytes(), "little")

    def within(self, mask: int) -> NDArray[np.bool_]:
        """Which nodes depend on no base outside a set.  # [nodes]."""
        size = 8 * self.rows.shape[1]
        others = np.frombuffer((~mask & ((1 << 8 * size) - 1)).to_bytes(size, "little"), np.uint64)
        return np.logical_not((self.rows & others).any(axis=1))


@kernel
def _fill(rows: Rows, left: Literals, right: Literals, first_gate: int) -> None:
    for gate in range(len(left)):
        for word in range(rows.shape[1]):
            rows[first_gate + gate, word] = rows[left[gate] >> 1, word] | rows[right[gate] >> 1, word]


def members(mask: int) -> list[int]:
    """The numbers in a set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def joined(masks: list[int]) -> list[int]:
    """The unions of sets that overlap, directly or through others; empty ones are left out."""
    groups: list[int] = []
    for mask in masks:
        if mask:
            apart = [group for group in groups if not group & mask]
            for group in groups:
                mask |= group if group & mask else 0
            groups = [*apart, mask]
    return groups
