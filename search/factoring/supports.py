"""Supports: the bases that each node of a graph depends on.

Each node has a row of ``ceil(bases / 64)`` words: base ``b``, which is node ``b + 1``, is bit ``b % 64`` of word ``b //
64``.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from reasoner.arrays import Bools, Literals, Longs, Words
from reasoner.kernels import kernel
from search.factoring.limits import MAX_WORDS, TooLargeError


class Supports:
    """The bases that literals of a graph depend on, as Python integers with bit ``b`` for base ``b``.

    place: [bases] the number of each base's part, negative for none. If it is given, the supports are sets of parts
    instead of sets of bases.
    """

    def __init__(
        self, left: Literals, right: Literals, first_gate: int, bases: int, place: Longs | None = None
    ) -> None:
        numbers = np.arange(bases) if place is None else place
        words = -(-(int(numbers.max(initial=0)) + 1) // 64)
        if words * (first_gate + len(left)) > MAX_WORDS:
            raise TooLargeError(f"{len(left):,} gates over {bases:,} facts are too many to analyse")
        self.rows: Words = np.zeros((first_gate + len(left), words), np.uint64)
        kept = np.flatnonzero(numbers >= 0)
        numbers = numbers[kept]
        self.rows[kept + 1, numbers // 64] = np.uint64(1) << (numbers % 64).astype(np.uint64)
        _fill(self.rows, left, right, first_gate)

    def of(self, literal: int) -> int:
        """Return the set of bases that a literal depends on."""
        return int.from_bytes(self.rows[literal >> 1].tobytes(), "little")

    def within(self, mask: int) -> Bools:
        """Return which nodes depend on no base outside a set.  # [nodes]."""
        size = 8 * self.rows.shape[1]
        others = np.frombuffer((~mask & ((1 << 8 * size) - 1)).to_bytes(size, "little"), np.uint64)
        return np.logical_not((self.rows & others).any(axis=1))


@kernel
def _fill(rows: Words, left: Literals, right: Literals, first_gate: int) -> None:
    for gate in range(len(left)):
        for word in range(rows.shape[1]):
            rows[first_gate + gate, word] = rows[left[gate] >> 1, word] | rows[right[gate] >> 1, word]


MAX_SINGLE_MEMBERS = 16
"""Maximum size of a set whose members are extracted one by one."""


def members(mask: int) -> list[int]:
    """Return the numbers in a set."""
    if mask.bit_count() > MAX_SINGLE_MEMBERS:
        packed = np.frombuffer(mask.to_bytes(-(-mask.bit_length() // 8), "little"), np.uint8)
        return list(np.flatnonzero(np.unpackbits(packed, bitorder="little")).tolist())
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def joined(masks: Iterable[int]) -> list[int]:
    """Return the unions of sets that overlap, directly or through others, ordered by least number; no empty sets."""
    groups: dict[int, int] = {}  # by the root, one of the numbers of the group
    parent: dict[int, int] = {}  # the parent of each number seen, on the path to the root
    for mask in set(masks) - {0}:
        root = _root(parent, (mask & -mask).bit_length() - 1)
        union = groups.pop(root, 0)
        mask &= ~union
        while mask:
            number = (mask & -mask).bit_length() - 1
            other = _root(parent, number)
            parent[other] = root
            union |= groups.pop(other, 1 << number)
            mask &= ~union
        groups[root] = union
    return sorted(groups.values(), key=lambda group: group & -group)


def _root(parent: dict[int, int], number: int) -> int:
    """Return the root of a number, itself if the number is new; paths are halved (Tarjan)."""
    while (above := parent.setdefault(number, number)) != number:
        parent[number] = number = parent[above]
    return number
