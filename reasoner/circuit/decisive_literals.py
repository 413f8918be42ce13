"""Decisive moves as a small optimized graph that contains only the gates they need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Literals
from reasoner.circuit.graph import Graph
from reasoner.circuit.optimize.absorption import absorb
from reasoner.circuit.optimize.common_cubes import share
from reasoner.circuit.optimize.common_factors import factor
from reasoner.circuit.optimize.context_resubstitution import context_resubstitution
from reasoner.circuit.optimize.wide_gates import Logic
from reasoner.circuit.restrict import copy
from reasoner.circuit.traversal import mark, renumbered

PASSES = absorb, factor, context_resubstitution, factor, share, absorb, factor
"""The passes that reduce the gates, as in `reasoner.circuit.optimize.passes`."""


@dataclass(frozen=True, eq=False)
class Decisive:
    """Decisive moves and defences; M moves, G gates of the circuit, D additional gates.

    Nodes below 1 + bases + M + G are those of the circuit; the additional gates follow. All literals are meaningful
    only while the game is not over.
    """

    left: Literals  # [D]
    right: Literals  # [D]
    wins: Literals  # [M] the move would win if it were its role's turn
    defends: Literals  # [M] the move may end a reason of a threat; meaningful only if the move is legal


def pruned(graph: Graph, gates: int, wins: Literals, defends: Literals) -> Decisive:
    """Return `wins` and `defends` over a smaller graph.

    It has the first `gates` gates of `graph`, and those of the other gates that `wins` or `defends` depends on.
    """
    own = graph.first_gate + gates
    seen = np.zeros(graph.first_gate + len(graph), np.bool_)
    mark(graph.left, graph.right, graph.first_gate, np.concatenate((wins, defends)), seen)
    kept = own + np.flatnonzero(seen[own:])
    node = np.arange(len(seen), dtype=np.int32)
    node[kept] = own + np.arange(len(kept))

    at = kept - graph.first_gate
    return Decisive(*(renumbered(each, node) for each in (graph.left[at], graph.right[at], wins, defends)))


def simplified(known: Decisive, inputs: int) -> Decisive:
    """Return `known` with fewer additional gates; inputs: the number of the circuit's nodes, except node 0."""
    graph = Graph(inputs, 2**31 - 1)
    node = np.zeros(1 + inputs + len(known.left), np.int32)
    node[: 1 + inputs] = 2 * np.arange(1 + inputs)
    graph.made(len(known.left), copy, known.left, known.right, 1 + inputs, node)
    outputs = np.concatenate((known.wins, known.defends))
    logic = Logic(graph, node[outputs >> 1] ^ (outputs & 1))
    for rewritten in PASSES:
        logic = rewritten(logic)
    wins, defends = np.split(logic.outputs, [len(known.wins)])
    return Decisive(logic.graph.left, logic.graph.right, wins, defends)
