"""Nodes that have one value in every reachable state, found by ternary simulation.

From the initial state, the set of values each literal can take is grown until a step of play adds nothing. A base or
a move may take several values independently of the others, so the sets err on the safe side: a node with one value
really is constant in play.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from reasoner.arrays import Bools, Literals, Longs
from reasoner.circuit.netlist import Netlist
from reasoner.kernels import kernel, subkernel, subplain

ROUNDS = 8
"""Passes over all gates; what grows even then, as where facts follow each other for long, is followed by itself."""


def reachable(netlist: Netlist) -> Bools:
    """For each literal of the graph whether it can be true in some reachable state.  # [2 * nodes] bool, only read.

    Kept for the next asker: several stages ask it of one netlist.
    """
    return _reachable(netlist, len(netlist.graph))


@lru_cache(maxsize=1)
def _reachable(netlist: Netlist, gates: int) -> Bools:
    """The same, of a graph of so many gates, as more may be made in it."""
    graph, bases = netlist.graph, len(netlist.bases)
    can = np.zeros(2 * (graph.first_gate + gates), np.bool_)
    can[1] = True
    can[2 : 2 * bases + 2 : 2], can[3 : 2 * bases + 3 : 2] = netlist.initial, ~netlist.initial
    can[2 * bases + 3 : 2 * graph.first_gate : 2] = True
    simulate(graph.left, graph.right, graph.first_gate, netlist.next, netlist.legal, can)
    return can


@kernel
def simulate(
    left: Literals, right: Literals, first_gate: int, following: Literals, legal: Literals, can: Bools
) -> None:
    """Grow `can` until a step of play adds nothing; the inputs are bases, which take their next values, and moves."""
    grown, rounds = True, 0
    while grown and rounds < ROUNDS:
        rounds, grown = rounds + 1, False
        for gate in range(len(left)):
            _look(left, right, first_gate, gate, can)
        for node in range(1, first_gate if rounds < ROUNDS else 0):
            grown |= _take(following, legal, node, can)
    if rounds == ROUNDS:
        _follow(left, right, first_gate, following, legal, can)


@subplain
def _look(left: Literals, right: Literals, first_gate: int, gate: int, can: Bools) -> bool:
    """Work out what a gate can be; whether that is more than it was."""
    a, b, out = left[gate], right[gate], 2 * (first_gate + gate)
    true, false = can[a] & can[b], can[a ^ 1] | can[b ^ 1]
    grown = bool((true & ~can[out]) | (false & ~can[out + 1]))
    can[out], can[out + 1] = true, false
    return grown


@subplain
def _take(following: Literals, legal: Literals, node: int, can: Bools) -> bool:
    """Let an input be what it can be after a step of play; whether that is more than it was."""
    grown, bases = False, len(following)
    source = following[node - 1] if node <= bases else legal[node - 1 - bases]
    for complement in range(2 if node <= bases else 1):
        if can[source ^ complement] and not can[2 * node + complement]:
            can[2 * node + complement] = grown = True
    return grown


@subkernel
def _follow(left: Literals, right: Literals, first_gate: int, following: Literals, legal: Literals, can: Bools) -> None:
    """The same from input to input: what reads a node that has grown is looked at again, and nothing else.

    The gates are as the inputs are; these have not taken their next values yet.
    """
    start, readers = _readers(left, right, first_gate, following, legal)
    waiting = np.empty(2 * (first_gate + len(left)), np.int32)  # each node twice at most, as a node grows twice
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


@subkernel
def _readers(
    left: Literals, right: Literals, first_gate: int, following: Literals, legal: Literals
) -> tuple[Longs, Literals]:
    """For each node where its readers begin, and the readers: gates, and inputs after a step of play."""
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


@subplain
def _put(readers: Literals, start: Longs, literal: int, reader: int) -> None:
    """Note a reader; `start` has moved on by one node, and is right when all are noted."""
    node = (literal >> 1) + 1
    readers[start[node]] = reader
    start[node] += 1
