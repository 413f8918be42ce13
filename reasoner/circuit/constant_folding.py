"""Rebuild a graph with nodes that are constant in play replaced by constants."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_
from reasoner.kernels import plain


def folded(old: Graph, can: Bools) -> tuple[Graph, Literals]:
    """Return the new graph, and the new literal of each old literal.

    can: whether each old literal can be true  # [2 * nodes].
    """
    literal = np.arange(len(can), dtype=np.int32)
    if _is_folded(old, can):
        inputs = np.arange(2, 2 * old.first_gate)
        literal[inputs[~can[2 : 2 * old.first_gate]]] = FALSE
        literal[inputs[~can[2 : 2 * old.first_gate]] ^ 1] = TRUE
        return old, literal
    graph = Graph(old.inputs, old.max_gates)
    rebuild(old.left, old.right, old.first_gate, can, literal, graph.reserve(len(old)))
    return graph, literal


def _is_folded(graph: Graph, can: Bools) -> bool:
    """Whether no gate is constant, and none reads a constant."""
    varies = can[::2] & can[1::2]
    gates = slice(graph.first_gate, None)
    return bool(varies[gates].all() and varies[graph.left >> 1].all() and varies[graph.right >> 1].all())


@plain
def rebuild(left: Literals, right: Literals, first_gate: int, can: Bools, literal: Literals, store: GateStore) -> None:
    """Fill `literal`, node by node; false and the inputs are given, except for constant inputs."""
    for node in range(1, first_gate + len(left)):
        new = literal[2 * node]
        if not can[2 * node]:
            new = FALSE
        elif not can[2 * node + 1]:
            new = TRUE
        elif node >= first_gate:
            new = and_(store, literal[left[node - first_gate]], literal[right[node - first_gate]])
        literal[2 * node], literal[2 * node + 1] = new, new ^ 1
