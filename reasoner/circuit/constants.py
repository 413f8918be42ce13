"""Nodes that have one value in every reachable state, found by ternary simulation.

From the initial state, the set of values each literal can take is grown until a step of play adds nothing. A base or
a move may take several values independently of the others, so the sets err on the safe side: a node with one value
really is constant in play.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.build import Netlist


def reachable(netlist: Netlist) -> NDArray[np.bool_]:
    """For each literal of the graph whether it can be true in some reachable state.  # [2 * nodes] bool."""
    graph = netlist.graph
    left, right = np.array(graph.left, np.int64), np.array(graph.right, np.int64)
    levels = _levels(graph.first_gate, left, right)
    bases = 2 * np.arange(1, len(netlist.bases) + 1)
    moves = 2 * np.arange(len(netlist.bases) + 1, graph.first_gate)
    initial, following, legal = (
        np.array(netlist.initial, bool),
        np.array(netlist.next, int),
        np.array(netlist.legal, int),
    )
    can = np.zeros(2 * (graph.first_gate + len(left)), bool)
    can[1] = True
    can[bases], can[bases ^ 1] = initial, ~initial
    can[moves ^ 1] = True
    while True:
        for gates in levels:
            a, b, out = left[gates], right[gates], 2 * (gates + graph.first_gate)
            can[out] = can[a] & can[b]
            can[out ^ 1] = can[a ^ 1] | can[b ^ 1]
        grown = can[bases] | can[following], can[bases ^ 1] | can[following ^ 1], can[legal]
        before = can[bases], can[bases ^ 1], can[moves]
        if all(np.array_equal(g, b) for g, b in zip(grown, before, strict=True)):
            return can
        can[bases], can[bases ^ 1], can[moves] = grown


def _levels(first_gate: int, left: NDArray[np.int64], right: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The gates (0-based) in groups, each group reading only inputs and earlier groups."""
    depth = [0] * (first_gate + len(left))
    for gate, (a, b) in enumerate(zip((left >> 1).tolist(), (right >> 1).tolist(), strict=True), start=first_gate):
        depth[gate] = 1 + max(depth[a], depth[b])
    depths = np.array(depth[first_gate:], np.int64)
    order = np.argsort(depths, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depths[order])) + 1) if len(order) else []
