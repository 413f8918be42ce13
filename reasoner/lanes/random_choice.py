"""Uniform choice among the true literals, as a circuit.

Numbers are arrays of literals, least significant bit first; missing bits are 0. A tree counts the legal moves. The
index of the chosen move is ``k = floor(U * count / 2**b)``, where U is b random bits. From the root, k goes down the
tree: to the left child if k is below its count, else to the right child, with the left count subtracted from k. The
probability of each move differs from 1/count by less than ``2**-b``.

If there are many literals, they are divided into *blocks*, and the leaves of the tree count blocks. The literals of the
block that k selects are copied to one shared row (an OR over blocks), and a second tree chooses a literal in this row.
The chosen move is the one at the chosen place of the chosen block. With 1,500 literals this takes 10 gates a literal
instead of 14, and half as many three-input tables.

The number of leaves under every left child is a power of two. If the highest bit of its count is 1, all other bits are
0, so that sums and comparisons need fewer gates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from reasoner.arrays import Literals
from reasoner.circuit.graph import FALSE, GateStore, Graph, and_, xor_
from reasoner.kernels import device_function, kernel

Number = Literals

BITS = 16
"""Random bits for each choice."""

GATES_A_BIT = 5
"""Maximum gates of a full adder or subtractor."""


BLOCKED = 100
"""Minimum number of literals to choose among in blocks."""

SHARE = 2.5
"""The cost of a block in the first tree, relative to the cost of a literal in the second tree."""


@dataclass(frozen=True)
class _Tree:
    """A node of the counting tree: the count of true literals in some blocks; one block has no `children`."""

    count: Number
    leaves: int  # the number of literals
    children: tuple[_Tree, ...] = ()


def choose(graph: Graph, legal: list[int], random: list[int], some: int) -> list[int]:
    """Return, for each literal of `legal`, the literal for "it is chosen": exactly one is true if any of `legal` is.

    random: the random bits; some: the literal for "any of `legal` is true".
    """
    bits = np.array(random, np.int32)

    def scaled_to(count: Number) -> Number:
        return graph.made((GATES_A_BIT + 1) * len(bits) * (len(count) + 1), scaled, count, bits)

    return _chosen(graph, legal, block_size(len(legal)), some, scaled_to)


def block_size(literals: int) -> int:
    """The number of literals in a block: a power of two; 1 if blocks do not pay."""
    return 1 << round(log2(SHARE * literals) / 2) if literals >= BLOCKED else 1


def _chosen(graph: Graph, legal: list[int], size: int, some: int, index_of: Callable[[Number], Number]) -> list[int]:
    """Like `choose`, in blocks of `size` literals; index_of: maps the count to the index of the chosen literal."""
    blocks = [np.array(legal[start : start + size], np.int32) for start in range(0, len(legal), size)]
    tree = _counted(graph, blocks)
    index = index_of(tree.count) if len(legal) > 1 else np.zeros(1, np.int32)
    found: list[tuple[int, Number]] = []
    _descend(graph, tree, some, index, found)
    if size == 1:
        return [here for here, _ in found]
    in_block = _chosen(graph, _folded(graph, found, blocks), 1, some, lambda _: _folded_number(graph, found))
    return [
        graph.and_(here, picked)
        for (here, _), block in zip(found, blocks, strict=True)
        for picked in in_block[: len(block)]
    ]


def _folded(graph: Graph, found: list[tuple[int, Number]], rows: Sequence[Number]) -> list[int]:
    """The literals of the chosen block: for each place the OR over blocks."""
    places: list[list[int]] = [[] for _ in range(max(map(len, rows)))]
    for (here, _), row in zip(found, rows, strict=True):
        for place, literal in zip(places, row.tolist(), strict=False):
            place.append(graph.and_(here, literal))
    return [graph.any(place) for place in places]


def _folded_number(graph: Graph, found: list[tuple[int, Number]]) -> Number:
    """The index of the chosen literal in its block."""
    return np.array(_folded(graph, found, [index for _, index in found]), np.int32)


def _counted(graph: Graph, blocks: list[Literals]) -> _Tree:
    if len(blocks) == 1:
        (block,) = blocks
        return _Tree(graph.made(GATES_A_BIT * 2 * len(block), counted, block), len(block))
    half = 1 << ((len(blocks) - 1).bit_length() - 1)
    left, right = _counted(graph, blocks[:half]), _counted(graph, blocks[half:])
    leaves = left.leaves + right.leaves
    total = graph.made(GATES_A_BIT * leaves.bit_length(), add_to_full, left.count, right.count)
    return _Tree(total[: leaves.bit_length()], leaves, (left, right))


def _descend(graph: Graph, tree: _Tree, here: int, index: Number, found: list[tuple[int, Number]]) -> None:
    """Append, for each block under `tree`, the literal for "`here`, and `index` is in it", and the index within it."""
    if not tree.children:
        found.append((here, index))
        return
    left, right = tree.children
    below, rest = graph.made(GATES_A_BIT * len(index), take_off, index, left.count)
    _descend(graph, left, graph.and_(here, below), _bits(index, left.leaves), found)
    _descend(graph, right, graph.and_(here, below ^ 1), _bits(rest, right.leaves), found)


def _bits(index: Number, leaves: int) -> Number:
    """The bits of `index` that may be 1 if it is below `leaves`."""
    return index[: (leaves - 1).bit_length()]


@kernel
def counted(store: GateStore, literals: Literals) -> Number:
    """The number of true literals, by a carry-save tree: three bits of one place become one bit and a carry."""
    waiting, left = literals.copy(), len(literals)
    width = 0
    while len(literals) >> width:
        width += 1
    count = np.zeros(width, np.int32)
    for place in range(width):
        total, carried = FALSE, 0
        for i in range(0, left, 2):
            other = waiting[i + 1] if i + 1 < left else FALSE
            unequal = xor_(store, waiting[i], other)
            carry = or_(store, and_(store, waiting[i], other), and_(store, unequal, total))
            total = xor_(store, unequal, total)
            if carry != FALSE:
                waiting[carried] = carry
                carried += 1
        count[place], left = total, carried
    return count


@kernel
def scaled(store: GateStore, count: Number, random: Literals) -> Number:
    """``floor(random * count / 2**len(random))``, by shift and add from the least significant random bit."""
    result, part = np.zeros(0, np.int32), np.empty_like(count)
    for bit in random:
        for i in range(len(count)):
            part[i] = and_(store, bit, count[i])
        result = add(store, result, part)[1:].copy()
    return result


@kernel
def take_off(store: GateStore, index: Number, count: Number) -> tuple[int, Number]:
    """Return ``index < count``, and ``index - count`` without its highest bit, which is 0 unless ``index < count``.

    index: has as many bits as `count`; count: its highest bit is true only if all its other bits are false.
    """
    last = len(count) - 1
    borrow, difference = FALSE, np.empty(last, np.int32)
    for i in range(last):
        x, y = index[i], count[i]
        unequal = xor_(store, x, y)
        difference[i] = xor_(store, unequal, borrow)
        borrow = or_(store, and_(store, x ^ 1, y), and_(store, unequal ^ 1, borrow))
    return and_(store, index[last] ^ 1, or_(store, count[last], borrow)), difference


@kernel
def add_to_full(store: GateStore, a: Number, b: Number) -> Number:
    """``a + b``, one bit longer than `a`.

    The caller ensures for `a` and for `b`: if the bit at the highest place of `a` is 1, all other bits are 0.
    """
    last = len(a) - 1
    carry, total = FALSE, np.empty(last + 2, np.int32)
    for i in range(last):
        carry = _add_bit(store, a[i], bit_of(b, i), carry, total[i : i + 1])
    x, y = a[last], bit_of(b, last)
    both = and_(store, x, y)
    total[last] = or_(store, xor_(store, x, y), carry)
    total[last + 1] = both
    return total


@device_function
def add(store: GateStore, a: Number, b: Number) -> Number:
    """``a + b``, one bit longer than both."""
    width = max(len(a), len(b))
    carry, total = FALSE, np.empty(width + 1, np.int32)
    for i in range(width):
        carry = _add_bit(store, bit_of(a, i), bit_of(b, i), carry, total[i : i + 1])
    total[width] = carry
    return total


@device_function
def _add_bit(store: GateStore, x: int, y: int, carry: int, total: Number) -> int:
    """Write ``x + y + carry`` into the one place of `total`; return the carry."""
    unequal = xor_(store, x, y)
    total[0] = xor_(store, unequal, carry)
    return or_(store, and_(store, x, y), and_(store, unequal, carry))


@device_function
def or_(store: GateStore, a: int, b: int) -> int:
    """The literal of ``a | b``."""
    return and_(store, a ^ 1, b ^ 1) ^ 1


@device_function
def bit_of(number: Number, i: int) -> int:
    """Bit `i` of a number."""
    bit: int = number[i] if i < len(number) else FALSE
    return bit
