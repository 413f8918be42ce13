"""Traverse a graph, down from literals or up from nodes; nodes are numbered as in `reasoner.circuit.graph`."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Literals
from reasoner.kernels import kernel


def conjuncts(
    left: Literals, right: Literals, first_gate: int, literals: Iterable[int], stop: Container[int] = ()
) -> set[int]:
    """Return the conjuncts of literals; AND gates are split, except complemented ones and those of nodes in `stop`."""
    found, seen, waiting = set[int](), set[int](), list(literals)
    while waiting:
        literal = waiting.pop()
        if literal in seen:
            continue
        seen.add(literal)
        gate = (literal >> 1) - first_gate
        if gate < 0 or literal & 1 or literal >> 1 in stop:
            found.add(literal)
        else:
            waiting += [int(left[gate]), int(right[gate])]
    return found


@kernel
def mark(left: Literals, right: Literals, first_gate: int, roots: Literals, seen: Bools) -> None:
    """Add to `seen` the nodes that the roots depend on, including their own.  # seen [nodes]."""
    stack = np.empty(len(seen) + 1, np.int32)
    for root in roots:
        stack[0], height = root >> 1, 1
        while height:
            height -= 1
            node = stack[height]
            if seen[node]:
                continue
            seen[node] = True
            if node >= first_gate:
                for literal in (left[node - first_gate], right[node - first_gate]):
                    if not seen[literal >> 1]:
                        stack[height] = literal >> 1
                        height += 1


@kernel
def visit(
    left: Literals, right: Literals, first_gate: int, roots: Literals, seen: Bools, order: Literals, end: int
) -> int:
    """Append to `order` the gates that the roots need and that are not `seen`, operands first; return the new end.

    left, right, first_gate: the graph; roots: literals; seen: [nodes], changed; end: the number of entries of `order`.
    """
    path = np.empty(len(order) + 1, np.int32)
    for root in roots:
        path[0], height = root >> 1, 1
        while height:
            node = path[height - 1]
            below = node  # an operand that is not in the order yet
            if node >= first_gate and not seen[node]:
                a, b = left[node - first_gate] >> 1, right[node - first_gate] >> 1
                if b >= first_gate and not seen[b]:
                    below = b
                elif a >= first_gate and not seen[a]:
                    below = a
                else:
                    seen[node] = True
                    order[end] = node
                    end += 1
            if below == node:
                height -= 1
            else:
                path[height] = below
                height += 1
    return end


@kernel
def spread(left: Literals, right: Literals, first_gate: int, marked: Bools) -> None:
    """Mark all gates that depend on a marked node.  # marked [nodes]."""
    for gate in range(len(left)):
        marked[first_gate + gate] = marked[left[gate] >> 1] or marked[right[gate] >> 1]


def renumbered(literals: Literals, node: NDArray[np.integer[Any]]) -> Literals:
    """Return the literals with each node n replaced by ``node[n]``."""
    found: Literals = (2 * node[literals >> 1] + (literals & 1)).astype(np.int32)
    return found
