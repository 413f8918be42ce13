"""Replace nodes that are constant in play by constants.

Later stages expect a netlist that `without_constants` has returned, so none of them folds constants again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_
from reasoner.circuit.netlist import Netlist
from reasoner.circuit.ternary_simulation import reachable
from reasoner.kernels import kernel_norefcount

MAX_FOLDS = 4


def without_constants(netlist: Netlist, folds: int = MAX_FOLDS) -> Netlist:
    """Return `netlist` without gates that are constant in play, and with outputs that read no constant inputs.

    If folding makes gates equal, more gates may be constant, so it is repeated, at most `folds` times.
    """
    for _ in range(folds):
        graph, new = folded(netlist.graph, reachable(netlist))
        settled = graph is netlist.graph
        netlist = with_outputs(netlist, graph, new[netlist.outputs])
        if settled:
            break
    return netlist


def with_outputs(netlist: Netlist, graph: Graph, outputs: Literals) -> Netlist:
    """Return `netlist` over another graph; outputs: as `Netlist.outputs`."""
    ends = np.cumsum([len(netlist.next), len(netlist.legal), len(netlist.goals)])
    following, legal, scores, terminal = np.split(outputs, ends)
    goals = netlist.goals.copy()
    goals[:, 2] = scores
    return replace(netlist, graph=graph, next=following, legal=legal, goals=goals, terminal=int(terminal[0]))


def folded(old: Graph, can: Bools) -> tuple[Graph, Literals]:
    """Return a graph with the constant nodes of `old` folded, and the new literal of each old literal.

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


@kernel_norefcount
def rebuild(left: Literals, right: Literals, first_gate: int, can: Bools, literal: Literals, store: GateStore) -> None:
    """Fill `literal` with the new literal of each old literal; those of false and of inputs are set by the caller."""
    for node in range(1, first_gate + len(left)):
        new = literal[2 * node]
        if not can[2 * node]:
            new = FALSE
        elif not can[2 * node + 1]:
            new = TRUE
        elif node >= first_gate:
            new = and_(store, literal[left[node - first_gate]], literal[right[node - first_gate]])
        literal[2 * node], literal[2 * node + 1] = new, new ^ 1
