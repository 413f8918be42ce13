"""Rebuild a graph with the nodes that have one value in play as constants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Literals
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_
from reasoner.kernels import kernel


def folded(old: Graph, can: NDArray[np.bool_]) -> tuple[Graph, Literals]:
    """The new graph, and the new literal of each old literal.

    can: for each old literal whether it can be true  # [2 * nodes].
    """
    graph = Graph(old.inputs, old.max_gates)
    literal = np.empty(len(can), np.int32)
    literal[: 2 * old.first_gate] = np.arange(2 * old.first_gate)
    rebuild(old.left, old.right, old.first_gate, can, literal, graph.reserve(len(old)))
    return graph, literal


@kernel
def rebuild(
    left: Literals, right: Literals, first_gate: int, can: NDArray[np.bool_], literal: Literals, store: GateStore
) -> None:
    """Fill `literal`, node by node; that of false and of the inputs is given, but for inputs that are constant."""
    for node in range(1, first_gate + len(left)):
        new = literal[2 * node]
        if not can[2 * node]:
            new = FALSE
        elif not can[2 * node + 1]:
            new = TRUE
        elif node >= first_gate:
            new = and_(store, literal[left[node - first_gate]], literal[right[node - first_gate]])
        literal[2 * node], literal[2 * node + 1] = new, new ^ 1
