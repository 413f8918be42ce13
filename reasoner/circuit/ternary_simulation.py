"""Nodes that have one value in every reachable state, found by ternary simulation.

From the initial state, the set of values each literal can take is grown until a step of play adds nothing. A base or
a move may take several values independently of the others, so the sets err on the safe side: a node with one value
really is constant in play.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.netlist import Netlist
from reasoner.kernels import plain


def reachable(netlist: Netlist) -> Bools:
    """For each literal of the graph whether it can be true in some reachable state.  # [2 * nodes] bool."""
    graph, bases = netlist.graph, len(netlist.bases)
    can = np.zeros(2 * (graph.first_gate + len(graph)), np.bool_)
    can[1] = True
    can[2 : 2 * bases + 2 : 2], can[3 : 2 * bases + 3 : 2] = netlist.initial, ~netlist.initial
    can[2 * bases + 3 : 2 * graph.first_gate : 2] = True
    simulate(graph.left, graph.right, graph.first_gate, netlist.next, netlist.legal, can)
    return can


@plain
def simulate(
    left: Literals, right: Literals, first_gate: int, following: Literals, legal: Literals, can: Bools
) -> None:
    """Grow `can` until a step of play adds nothing; the inputs are bases, which take their next values, and moves."""
    grown = True
    while grown:
        for gate in range(len(left)):
            a, b, out = left[gate], right[gate], 2 * (first_gate + gate)
            can[out] = can[a] & can[b]
            can[out + 1] = can[a ^ 1] | can[b ^ 1]
        grown = False
        for base in range(len(following)):
            for complement in range(2):
                own = 2 * (1 + base) + complement
                if can[following[base] ^ complement] and not can[own]:
                    can[own] = grown = True
        for move in range(len(legal)):
            own = 2 * (1 + len(following) + move)
            if can[legal[move]] and not can[own]:
                can[own] = grown = True
