"""Nodes that are constant in every reachable state, found by ternary simulation.

From the initial state, the set of possible values of each literal grows until a step of play adds nothing. Bases and
moves with several values are treated as independent, so the sets are an overapproximation: a node with one value is
constant in play.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals, Longs
from reasoner.circuit.netlist import Netlist
from reasoner.kernels import device_function, device_function_norefcount, kernel

ROUNDS = 8
"""Number of passes over all gates; later growth, as in long chains of facts, is propagated by a worklist."""


def reachable(netlist: Netlist) -> Bools:
    """Return which literals of the graph can be true in some reachable state.  # [2 * nodes]."""
    graph, bases = netlist.graph, len(netlist.bases)
    can = np.zeros(2 * (graph.first_gate + len(graph)), np.bool_)
    can[1] = True
    can[2 : 2 * bases + 2 : 2], can[3 : 2 * bases + 3 : 2] = netlist.initial, ~netlist.initial
    can[2 * bases + 3 : 2 * graph.first_gate : 2] = True
    simulate(graph.left, graph.right, graph.first_gate, netlist.next, netlist.legal, can)
    return can


@kernel
def simulate(
    left: Literals, right: Literals, first_gate: int, following: Literals, legal: Literals, can: Bools
) -> None:
    """Grow the possible values `can` until a step of play adds none.  # can [2 * nodes].

    following, legal: the literals of the bases' next values and of the moves' legality.
    """
    grown, rounds = True, 0
    while grown and rounds < ROUNDS:
        rounds, grown = rounds + 1, False
        for gate in range(len(left)):
            _look(left, right, first_gate, gate, can)
        for node in range(1, first_gate if rounds < ROUNDS else 0):
            grown |= _take(following, legal, node, can)
    if rounds == ROUNDS:
        _follow(left, right, first_gate, following, legal, can)


@device_function_norefcount
def _look(left: Literals, right: Literals, first_gate: int, gate: int, can: Bools) -> bool:
    """Update the possible values of a gate; return whether they grew."""
    a, b, out = left[gate], right[gate], 2 * (first_gate + gate)
    true, false = can[a] & can[b], can[a ^ 1] | can[b ^ 1]
    grown = bool((true & ~can[out]) | (false & ~can[out + 1]))
    can[out], can[out + 1] = true, false
    return grown


@device_function_norefcount
def _take(following: Literals, legal: Literals, node: int, can: Bools) -> bool:
    """Add to an input its possible values after a step of play; return whether they grew."""
    grown, bases = False, len(following)
    source = following[node - 1] if node <= bases else legal[node - 1 - bases]
    for complement in range(2 if node <= bases else 1):
        if can[source ^ complement] and not can[2 * node + complement]:
            can[2 * node + complement] = grown = True
    return grown


@device_function
def _follow(left: Literals, right: Literals, first_gate: int, following: Literals, legal: Literals, can: Bools) -> None:
    """Propagate by a worklist: when a node has grown, only its readers are updated.

    At the start the gates are up to date with the inputs, but the inputs do not have the values of the next step yet.
    """
    start, readers = _readers(left, right, first_gate, following, legal)
    waiting = np.empty(2 * (first_gate + len(left)), np.int32)  # a node grows at most twice, so it waits at most twice
    height = 0
    for node in range(1, first_gate):
        if _take(following, legal, node, can):
            waiting[height] = node
            height += 1
    while height:
        height -= 1
        node = waiting[height]
        for reader in readers[start[node] : start[node + 1]]:
            if reader < first_gate:
                grown = _take(following, legal, reader, can)
            else:
                grown = _look(left, right, first_gate, reader - first_gate, can)
            if grown:
                waiting[height] = reader
                height += 1


@device_function
def _readers(
    left: Literals, right: Literals, first_gate: int, following: Literals, legal: Literals
) -> tuple[Longs, Literals]:
    """Return each node's readers: offsets, then gates that read the node, and inputs whose next value it determines."""
    nodes, bases = first_gate + len(left), len(following)
    start = np.zeros(nodes + 2, np.int64)
    for gate in range(len(left)):
        start[(left[gate] >> 1) + 2] += 1
        start[(right[gate] >> 1) + 2] += 1
    for literal in following:
        start[(literal >> 1) + 2] += 1
    for literal in legal:
        start[(literal >> 1) + 2] += 1
    for node in range(1, nodes + 2):
        start[node] += start[node - 1]
    readers = np.empty(start[nodes + 1], np.int32)
    for node in range(1, nodes):
        if node >= first_gate:
            _put(readers, start, left[node - first_gate], node)
            _put(readers, start, right[node - first_gate], node)
        else:
            _put(readers, start, following[node - 1] if node <= bases else legal[node - 1 - bases], node)
    return start, readers


@device_function_norefcount
def _put(readers: Literals, start: Longs, literal: int, reader: int) -> None:
    """Add a reader of a literal's node; while readers are added, ``start[node + 1]`` is the place of the next one."""
    node = (literal >> 1) + 1
    readers[start[node]] = reader
    start[node] += 1
