"""A uniform choice among the true literals, as a circuit.

Numbers are lists of literals, least significant bit first. The legal moves are counted in a balanced tree; the index
``k = floor(U * count / 2**b)`` of the chosen one comes from b random bits U; then k walks down the tree: left while it
is below the left count, else right with the left count taken off. The chance of each move differs from 1/count by
less than ``2**-b``.
"""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.circuit.graph import FALSE, Graph

Number = list[int]

BITS = 16
"""Random bits for each choice."""


@dataclass(frozen=True)
class _Tree:
    """The count of true literals among `leaves`; `children` is empty for one leaf."""

    count: Number
    leaves: int
    children: tuple[_Tree, ...] = ()


def choose(graph: Graph, legal: list[int], random: Number) -> list[int]:
    """For each literal of `legal` whether it is the chosen one: exactly one where any is true, else none."""
    tree = _counted(graph, legal)
    index = [FALSE] if len(legal) == 1 else _scaled(graph, tree.count, random)
    chosen: list[int] = []
    _descend(graph, tree, graph.any(legal), index, chosen)
    return chosen


def _counted(graph: Graph, literals: list[int]) -> _Tree:
    if len(literals) == 1:
        return _Tree([literals[0]], 1)
    half = (len(literals) + 1) // 2
    left, right = _counted(graph, literals[:half]), _counted(graph, literals[half:])
    width = len(literals).bit_length()
    return _Tree(_sum(graph, left.count, right.count)[:width], len(literals), (left, right))


def _scaled(graph: Graph, count: Number, random: Number) -> Number:
    """``floor(random * count / 2**len(random))``, adding and shifting from the least significant random bit on."""
    scaled: Number = []
    for bit in random:
        scaled = _sum(graph, scaled, [graph.and_(bit, c) for c in count])[1:]
    return scaled


def _descend(graph: Graph, tree: _Tree, here: int, index: Number, chosen: list[int]) -> None:
    """Mark the leaf that `index` names under `tree`, where `here` holds."""
    if not tree.children:
        chosen.append(here)
        return
    left, right = tree.children
    below, rest = _less(graph, index, left.count)
    _descend(graph, left, graph.and_(here, below), _bits(index, left.leaves), chosen)
    _descend(graph, right, graph.and_(here, below ^ 1), _bits(rest, right.leaves), chosen)


def _bits(index: Number, leaves: int) -> Number:
    """`index` with the bits an index below `leaves` has."""
    return index[: (leaves - 1).bit_length()]


def _less(graph: Graph, a: Number, b: Number) -> tuple[int, Number]:
    """Whether ``a < b``, and ``a - b`` modulo a power of two."""
    borrow, difference = FALSE, []
    for i in range(max(len(a), len(b))):
        x, y = _bit(a, i), _bit(b, i)
        unequal = graph.xor_(x, y)
        difference.append(graph.xor_(unequal, borrow))
        borrow = graph.any((graph.and_(x ^ 1, y), graph.and_(unequal ^ 1, borrow)))
    return borrow, difference


def _sum(graph: Graph, a: Number, b: Number) -> Number:
    carry, total = FALSE, []
    for i in range(max(len(a), len(b))):
        x, y = _bit(a, i), _bit(b, i)
        unequal = graph.xor_(x, y)
        total.append(graph.xor_(unequal, carry))
        carry = graph.any((graph.and_(x, y), graph.and_(unequal, carry)))
    return [*total, carry]


def _bit(number: Number, i: int) -> int:
    return number[i] if i < len(number) else FALSE
