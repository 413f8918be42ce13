"""A uniform choice among the true literals, as a circuit.

Numbers are arrays of literals, least significant bit first; bits that an array lacks are 0. The legal moves are
counted in a tree; the index ``k = floor(U * count / 2**b)`` of the chosen one comes from b random bits U; then
k walks down the tree: left while it is below the left count, else right with the left count taken off. The chance of
each move differs from 1/count by less than ``2**-b``.

The left part of every node has a power of two of leaves. Its count, which is no greater, has no other bit beside the
highest: sums and comparisons end with fewer gates there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Literals
from reasoner.circuit.graph import FALSE, GateStore, Graph, and_, xor_
from reasoner.kernels import kernel, subkernel

Number = Literals

BITS = 16
"""Random bits for each choice."""

GATES_A_BIT = 5
"""Gates of a full adder or subtractor at most."""


@dataclass(frozen=True)
class _Tree:
    """The count of true literals among `leaves`; `children` is empty for one leaf."""

    count: Number
    leaves: int
    children: tuple[_Tree, ...] = ()


def choose(graph: Graph, legal: list[int], random: list[int], some: int) -> list[int]:
    """For each literal of `legal` whether it is the chosen one: exactly one where any is true, else none.

    some: the literal of "any of `legal` is true".
    """
    tree = _counted(graph, np.array(legal, np.int32))
    bits = np.array(random, np.int32)
    index = np.zeros(1, np.int32)
    if len(legal) > 1:
        index = graph.made((GATES_A_BIT + 1) * len(bits) * (len(tree.count) + 1), scaled, tree.count, bits)
    chosen: list[int] = []
    _descend(graph, tree, some, index, chosen)
    return chosen


def _counted(graph: Graph, literals: Literals) -> _Tree:
    if len(literals) == 1:
        return _Tree(literals, 1)
    half = 1 << ((len(literals) - 1).bit_length() - 1)
    left, right = _counted(graph, literals[:half]), _counted(graph, literals[half:])
    width = len(literals).bit_length()
    total = graph.made(GATES_A_BIT * width, add_to_full, left.count, right.count)
    return _Tree(total[:width], len(literals), (left, right))


def _descend(graph: Graph, tree: _Tree, here: int, index: Number, chosen: list[int]) -> None:
    """Mark the leaf that `index` names under `tree`, where `here` holds."""
    if not tree.children:
        chosen.append(here)
        return
    left, right = tree.children
    below, rest = graph.made(GATES_A_BIT * len(index), take_off, index, left.count)
    _descend(graph, left, graph.and_(here, below), _bits(index, left.leaves), chosen)
    _descend(graph, right, graph.and_(here, below ^ 1), _bits(rest, right.leaves), chosen)


def _bits(index: Number, leaves: int) -> Number:
    """`index` with the bits an index below `leaves` has."""
    return index[: (leaves - 1).bit_length()]


@kernel
def scaled(store: GateStore, count: Number, random: Literals) -> Number:
    """``floor(random * count / 2**len(random))``, adding and shifting from the least significant random bit on."""
    result, part = np.zeros(0, np.int32), np.empty_like(count)
    for bit in random:
        for i in range(len(count)):
            part[i] = and_(store, bit, count[i])
        result = add(store, result, part)[1:].copy()
    return result


@kernel
def take_off(store: GateStore, index: Number, count: Number) -> tuple[int, Number]:
    """Whether ``index < count``, and ``index - count`` without its highest bit, which is then 0.

    index: with as many bits as `count`, whose highest bit is true only where all others are false.
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
    """``a + b``, a bit longer than `a`; of each the bit with the number of a's highest is true only by itself."""
    last = len(a) - 1
    carry, total = FALSE, np.empty(last + 2, np.int32)
    for i in range(last):
        carry = _add_bit(store, a[i], bit_of(b, i), carry, total[i : i + 1])
    x, y = a[last], bit_of(b, last)
    both = and_(store, x, y)
    total[last] = or_(store, xor_(store, x, y), carry)
    total[last + 1] = both
    return total


@subkernel
def add(store: GateStore, a: Number, b: Number) -> Number:
    """``a + b``, a bit longer than both."""
    width = max(len(a), len(b))
    carry, total = FALSE, np.empty(width + 1, np.int32)
    for i in range(width):
        carry = _add_bit(store, bit_of(a, i), bit_of(b, i), carry, total[i : i + 1])
    total[width] = carry
    return total


@subkernel
def _add_bit(store: GateStore, x: int, y: int, carry: int, total: Number) -> int:
    """Write ``x + y + carry`` into the one place of `total`; what is carried on."""
    unequal = xor_(store, x, y)
    total[0] = xor_(store, unequal, carry)
    return or_(store, and_(store, x, y), and_(store, unequal, carry))


@subkernel
def or_(store: GateStore, a: int, b: int) -> int:
    """The literal of ``a | b``."""
    return and_(store, a ^ 1, b ^ 1) ^ 1


@subkernel
def bit_of(number: Number, i: int) -> int:
    """Bit `i` of a number."""
    bit: int = number[i] if i < len(number) else FALSE
    return bit
