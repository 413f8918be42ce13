"""Evaluate long sums of paths from the root to the leaves instead of from the leaves to the root.

An OR of conjunctions that contain ORs, and so on, is a sum over paths, such as "some tally with more black than red".
Evaluation from the leaves computes, for each inner gate, whether some path leads from it to a leaf: each tally of each
part of the board. Evaluation from the root computes whether some path leads from the root to the gate:

    B(root) = true        B(child) = OR over its readers of (B(reader) & the other conjuncts beside the child)

The root is then the OR over the reached leaves. Both results are equal, as (A B) c is A (B c), and either graph may be
much smaller. From the root, inner gates that are equivalent for this root become one gate. This is the reversal of an
automaton (Brzozowski 1962), applied to an acyclic automaton.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals, Longs
from reasoner.circuit.graph import FALSE, GATES, TRUE, GateStore, Graph, and_, conjunction
from reasoner.circuit.optimize.wide_gates import Logic, Wide, blank, fill, gates
from reasoner.circuit.traversal import mark
from reasoner.kernels import device_function, kernel

MAX_ROOTS = 8


def reverse_paths(logic: Logic, chosen: Bools) -> Logic:
    """Return the graph with the ORs of some outputs reversed, if that makes the graph smaller.

    chosen: [outputs] whether the ORs of the output are reversed; gates that other outputs need are left unchanged.
    """
    wide = logic.wide
    inside = _only_under(logic, chosen)[wide.nodes]
    roots = _roots(wide, inside, logic.outputs[chosen])
    if not 0 < len(roots) <= MAX_ROOTS:
        return logic
    old = logic.graph
    graph = Graph(old.inputs, old.max_gates)
    literal = blank(old)
    allowed = gates(logic)
    edges = len(wide.leaves) + len(wide.nodes)
    fill(graph.reserve(2 * len(old)), literal, wide.nodes, wide.start, wide.leaves)
    reached = np.empty(len(roots), np.int32)
    for i, root in enumerate(roots):
        reached[i] = _reversed(graph.reserve(allowed + 4 * edges), literal, wide, inside, root, len(graph) + allowed)
        if reached[i] < 0:
            return logic
    again = blank(old)
    nodes = wide.nodes[roots]
    again[2 * nodes + 1], again[2 * nodes] = reached, reached ^ 1
    fill(graph.reserve(2 * len(old)), again, wide.nodes, wide.start, wide.leaves)
    shorter = Logic(graph, again[logic.outputs])
    return shorter if gates(shorter) < allowed else logic


def _only_under(logic: Logic, chosen: Bools) -> Bools:
    """Return, for each node, whether only the chosen outputs need it.  # [nodes]."""
    graph = logic.graph
    seen = np.zeros((2, graph.first_gate + len(graph)), np.bool_)
    for row, outputs in zip(seen, (logic.outputs[chosen], logic.outputs[~chosen]), strict=True):
        mark(graph.left, graph.right, graph.first_gate, np.ascontiguousarray(outputs, np.int32), row)
    mine: Bools = seen[0] & ~seen[1]
    return mine


def _roots(wide: Wide, inside: Bools, outputs: Literals) -> list[int]:
    """Return the topmost ORs with paths through several inner ORs; stops after MAX_ROOTS.

    inside: whether only the chosen outputs need a wide gate.
    """
    found: dict[int, None] = {}
    waiting = _inner(wide, inside, outputs.tolist())
    seen = set(waiting)
    while waiting and len(found) <= MAX_ROOTS:
        g = waiting.pop()
        below = _inner(wide, inside, (wide.leaves[wide.start[g] : wide.start[g + 1]] ^ 1).tolist())
        if len(below) > 1:
            found[g] = None
        waiting += set(below) - seen if len(below) == 1 else ()
        seen.update(below)
    return list(found)


def _inner(wide: Wide, inside: Bools, terms: list[int]) -> list[int]:
    """Return the wide gates of the ORs that the conjunctions of terms contain, among the gates `inside`."""
    found: dict[int, None] = {}
    waiting, seen = list(terms), set(terms)
    while waiting:
        literal = waiting.pop()
        g = int(wide.number[literal >> 1])
        if g < 0 or not inside[g]:
            continue
        if literal & 1:
            found[g] = None
        else:
            leaves = set(wide.leaves[wide.start[g] : wide.start[g + 1]].tolist()) - seen
            seen |= leaves
            waiting += leaves
    return list(found)


@kernel
def _reversed(store: GateStore, literal: Literals, wide: Wide, inside: Bools, root: int, most: int) -> int:
    """Return the root's literal, evaluated from the root; -1 if the graph then has more than `most` gates."""
    count = len(wide.nodes)
    last = np.full(count + 1, -1, np.int64)  # the newest term that reaches a gate; the last place is for leaves
    seen = np.full(len(literal), -1, np.int64)  # by literal: the last leaf whose term contains it
    before = np.empty(4 * len(wide.leaves) + 4, np.int64)
    terms, beside = np.empty(len(before), np.int32), np.empty(len(wide.leaves) + 1, np.int32)
    end = 0
    for g in range(root, -1, -1):
        if g == root:
            reached = TRUE
        elif last[g] < 0:
            continue
        else:
            reached = _any(store, last[g], before, terms)
        if reached == FALSE:
            continue
        if end + wide.start[g + 1] - wide.start[g] > len(before):
            return -1
        for i in range(wide.start[g], wide.start[g + 1]):
            child, length = _taken_apart(literal, wide, inside, i, seen, beside)
            if store.sizes[GATES] + length > most:
                return -1
            term = and_(store, reached, conjunction(store, beside[:length]))
            if term != FALSE:
                before[end], terms[end] = last[child], term
                last[child] = end
                end += 1
    return _any(store, last[count], before, terms)


@device_function
def _any(store: GateStore, newest: int, before: Longs, terms: Literals) -> int:
    """Return the OR of a chain of terms; `before` links each term to the one before it."""
    length, at = 0, newest
    while at >= 0:
        length += 1
        at = before[at]
    row = np.empty(length, np.int32)
    at = newest
    for i in range(length):
        row[i] = terms[at] ^ 1
        at = before[at]
    return conjunction(store, row) ^ 1


@device_function
def _taken_apart(
    literal: Literals, wide: Wide, inside: Bools, place: int, seen: Longs, beside: Literals
) -> tuple[int, int]:
    """Split the term of an OR: return its inner OR's gate (the number of gates if it has none), and write `beside`.

    place: the index of the OR's leaf; seen: as in `_reversed`, so that each factor is visited once; beside: the other
    factors, whose number is the second result.
    """
    child, length = len(wide.nodes), 0
    stack = [np.int32(wide.leaves[place] ^ 1)]
    while len(stack):
        leaf = stack.pop()
        if seen[leaf] == place:
            continue
        seen[leaf] = place
        g = wide.number[leaf >> 1]
        if g >= 0 and inside[g] and not leaf & 1:
            stack.extend(wide.leaves[wide.start[g] : wide.start[g + 1]])
        elif g >= 0 and inside[g] and (child == len(wide.nodes) or g > child):
            if child < len(wide.nodes):
                beside[length] = literal[2 * wide.nodes[child] + 1]
                length += 1
            child = g
        else:
            beside[length] = literal[leaf]
            length += 1
    return child, length
