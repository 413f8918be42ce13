"""An and-inverter graph under construction.

A *node* is a number; node 0 is the constant false, the next nodes are the free inputs, the rest are AND gates in
topological order. A *literal* is ``2 * node + complement`` (AIGER's convention): 0 is false, 1 is true, and ``literal ^
1`` is the negation. Gates are hashed structurally and constants are folded on construction, so equal conjunctions are
one gate.

The order of the operands distinguishes XOR gates from AND gates: an XOR has the greater operand first, an AND the
smaller. Compiled circuits have no XOR gates; lanes use them for arithmetic.

`Graph` owns the arrays. Kernels that make many gates use its `store` and the functions below; their caller first
reserves space for the gates by `Graph.reserve`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Literals
from reasoner.errors import LimitError
from reasoner.kernels import device_function, device_function_norefcount, kernel, kernel_norefcount
from reasoner.kernels.hashing import paired, place_of

FALSE = 0
TRUE = 1

Sizes = NDArray[np.int64]
Made = TypeVar("Made")

GATES, FIRST_GATE = range(2)
"""Indices into `GateStore.sizes`: the number of gates, and the node of the first one."""

FIRST_ROOM = 1 << 2
"""Initial capacity in gates. It is small, so that every game runs the growth code, and warm-up compiles all kernels."""


class GateStore(NamedTuple):
    """The gates and a hash table of them, at most half full."""

    left: Literals  # [gates reserved] literals
    right: Literals  # [gates reserved] literals
    table: Ints  # [a power of two] the number of a gate plus 1; 0 for a free slot
    sizes: Sizes  # [2] the number of gates; the node of the first gate


@kernel_norefcount
def and_(store: GateStore, a: int, b: int) -> int:
    """The literal of ``a & b``."""
    if a > b:
        a, b = b, a
    if a == FALSE or a ^ 1 == b:
        return FALSE
    if a == TRUE:
        return b
    return b if a == b else gate(store, a, b)


@kernel_norefcount
def xor_(store: GateStore, a: int, b: int) -> int:
    """The literal of ``a ^ b``, one gate on uncomplemented operands."""
    flip, a, b = (a ^ b) & 1, a & ~1, b & ~1
    if a < b:
        a, b = b, a
    if b == FALSE or a == b:
        return (FALSE if a == b else a) ^ flip
    return gate(store, a, b) ^ flip


@kernel_norefcount
def conjunction(store: GateStore, row: Literals) -> int:
    """Return the conjunction of the literals in `row`, as a balanced tree over its sorted literals; overwrite `row`."""
    count = len(row)
    while True:
        count = sort_distinct(row[:count])
        if count <= 1 or row[0] == FALSE:
            break
        half = count // 2
        for i in range(half):
            row[i] = and_(store, row[2 * i], row[2 * i + 1])
        if count & 1:
            row[half] = row[count - 1]
        count -= half
    return row[0] if count else TRUE


@kernel
def conjunctions(store: GateStore, left: Literals, right: Literals) -> Literals:
    """Return the conjunctions of pairs of literals."""
    made = np.empty_like(left)
    for i in range(len(left)):
        made[i] = and_(store, left[i], right[i])
    return made


@kernel_norefcount
def sort_distinct(row: Literals) -> int:
    """Sort `row` and move its distinct values to the front; return their number."""
    if len(row) > MAX_INSERTION_SORT:
        sort_by_digits(row)
    else:
        for i in range(1, len(row)):
            value, k = row[i], i
            while k > 0 and row[k - 1] > value:
                row[k] = row[k - 1]
                k -= 1
            row[k] = value
    count = 0
    for i in range(len(row)):
        if count == 0 or row[i] != row[count - 1]:
            row[count] = row[i]
            count += 1
    return count


MAX_INSERTION_SORT = 64
"""Rows up to this length are sorted by insertion."""

RADIX_BITS = 11


@device_function
def sort_by_digits(row: Literals) -> None:
    """Sort literals by radix; quicksort is slow on concatenated ascending runs."""
    source, target = row, np.empty_like(row)
    highest = row.max()
    shift = 0
    while highest >> shift:
        start = np.zeros((1 << RADIX_BITS) + 1, np.int64)
        for literal in source:
            start[((literal >> shift) & ((1 << RADIX_BITS) - 1)) + 1] += 1
        start = np.cumsum(start)
        for literal in source:
            digit = (literal >> shift) & ((1 << RADIX_BITS) - 1)
            target[start[digit]] = literal
            start[digit] += 1
        source, target = target, source
        shift += RADIX_BITS
    row[:] = source


@device_function_norefcount
def gate(store: GateStore, left: int, right: int) -> int:
    """Return the literal of the gate with these operands; create it if it does not exist."""
    at = place(store, left, right)
    number = store.table[at]
    if number == 0:
        number = store.sizes[GATES] + 1
        store.left[number - 1], store.right[number - 1] = left, right
        store.table[at] = number
        store.sizes[GATES] = number
    return 2 * (store.sizes[FIRST_GATE] + number - 1)


@device_function_norefcount
def place(store: GateStore, left: int, right: int) -> int:
    """Return the slot in the hash table of the gate with these operands (linear probing)."""
    mask = len(store.table) - 1
    at = place_of(paired(left, right), mask)
    while store.table[at] != 0:
        found = store.table[at] - 1
        if store.left[found] == left and store.right[found] == right:
            break
        at = (at + 1) & mask
    return at


@kernel_norefcount
def rehash(store: GateStore) -> None:
    """Insert all gates into the empty hash table."""
    for i in range(store.sizes[GATES]):
        store.table[place(store, store.left[i], store.right[i])] = i + 1


class Graph:
    """A growing graph. `left[i]` and `right[i]` are the literals of gate ``first_gate + i``."""

    def __init__(self, inputs: int, max_gates: int) -> None:
        self.inputs = inputs
        self.first_gate = inputs + 1
        self.max_gates = max_gates
        self.store = _empty(FIRST_ROOM, np.array([0, self.first_gate], np.int64))
        self._spare = 0  # a lower bound of the gates that fit before space and limit must be checked again

    def __len__(self) -> int:
        """The number of gates."""
        return int(self.store.sizes[GATES])

    @property
    def left(self) -> Literals:
        """The left operands.  # [gates] literals."""
        return self.store.left[: len(self)]

    @property
    def right(self) -> Literals:
        """The right operands.  # [gates] literals."""
        return self.store.right[: len(self)]

    def reserve(self, gates: int) -> GateStore:
        """Return the store, with space for `gates` more gates. Raises LimitError past the limit of gates."""
        count, self._spare = len(self), 0
        if count > self.max_gates:
            raise LimitError(f"the circuit has more than {self.max_gates:,} gates", limit="gates")
        room = count + gates
        if room > len(self.store.left):
            old, self.store = self.store, _empty(max(room, 2 * len(self.store.left)), self.store.sizes)
            self.store.left[:count] = old.left[:count]
            self.store.right[:count] = old.right[:count]
            rehash(self.store)
        return self.store

    def input(self, i: int) -> int:
        """The literal of input `i`, 0-based."""
        return 2 * (i + 1)

    def and_(self, a: int, b: int) -> int:
        """The literal of ``a & b``."""
        self._spare -= 1
        return and_(self.store, a, b) if self._spare >= 0 else self.made(1, and_, a, b)

    def xor_(self, a: int, b: int) -> int:
        """The literal of ``a ^ b``, one gate on uncomplemented operands."""
        self._spare -= 1
        return xor_(self.store, a, b) if self._spare >= 0 else self.made(1, xor_, a, b)

    def all(self, literals: Iterable[int]) -> int:
        """The conjunction of `literals` as a balanced tree over the sorted literals."""
        few = list(literals)
        if len(few) <= 2:  # the common case, faster without an array
            return self.and_(int(few[0]), int(few[-1])) if few else TRUE
        row = np.array(few, np.int32)
        self._spare -= len(row)
        return conjunction(self.store, row) if self._spare >= 0 else self.made(len(row), conjunction, row)

    def in_twos(self, left: Literals, right: Literals) -> Literals:
        """The literals of ``left[i] & right[i]``, made in this order."""
        return self.made(len(left), conjunctions, left, right)

    def any(self, literals: Iterable[int]) -> int:
        """The disjunction of `literals`, by De Morgan."""
        return self.all(literal ^ 1 for literal in literals) ^ 1

    def made(self, gates: int, make: Callable[..., Made], *arguments: object) -> Made:
        """Call the kernel `make`, which makes at most `gates` gates, on the store. Raises LimitError past the limit."""
        result = make(self.reserve(gates), *arguments)
        self.reserve(0)
        self._spare = min(len(self.store.left), self.max_gates) - len(self)
        return result


def _empty(room: int, sizes: Sizes) -> GateStore:
    places = 1 << (2 * room).bit_length()
    return GateStore(np.empty(room, np.int32), np.empty(room, np.int32), np.zeros(places, np.int32), sizes)
