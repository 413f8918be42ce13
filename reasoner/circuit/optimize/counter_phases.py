"""Merge nodes that are equal in all phases of the step counter, and drop redundant ones.

A node that depends on bases of the step counter only has a *signal*: its value in each phase. Nodes with the same
signal are merged, such as "it is red's turn" and "it is not blue's turn". A node whose signal is 0 is false, such as
"red owns the stone of step 2". In a conjunction, signals that another signal implies are dropped, and signals that
exclude each other make it false.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.graph import FALSE, GateStore, Graph, and_
from reasoner.circuit.optimize.wide_gates import Logic, blank, gates, remade
from reasoner.circuit.step_counter import StepCounter
from reasoner.kernels import kernel

Signals = dict[int, int]
"""For each literal its signal, one bit for each phase."""

MAX_SIGNALS = 50_000
"""Maximum gates that depend on the step counter only; with more the pass does nothing."""


def use_step_counter(logic: Logic, counter: StepCounter) -> Logic:
    """Return a smaller graph with the outputs of `logic` in all phases of the step counter."""
    signals = _signals(logic.graph, counter)
    if not signals:
        return logic
    twin = _twins(signals, len(counter.phases), logic.graph)
    merged = _merged(logic, twin) if (twin >= 0).any() else logic
    shorter = _without_superfluous(merged, _signals(merged.graph, counter))
    return shorter if shorter is not merged and gates(shorter) < gates(merged) else merged


def _signals(graph: Graph, counter: StepCounter) -> Signals:
    """Return the signals of the constants and of all literals that depend on the step counter only."""
    known = np.zeros(graph.first_gate + len(graph), np.bool_)
    known[0] = True
    known[1 + counter.bases] = True
    _spread(graph.left, graph.right, graph.first_gate, known)
    over = np.flatnonzero(known[graph.first_gate :])
    if len(over) > MAX_SIGNALS:
        return {}
    every = (1 << len(counter.phases)) - 1
    signals = {0: 0, 1: every}
    columns = np.packbits(counter.phases, axis=0, bitorder="little")
    for i, base in enumerate(counter.bases.tolist()):
        signal = int.from_bytes(columns[:, i].tobytes(), "little")
        signals[2 * base + 2], signals[2 * base + 3] = signal, signal ^ every
    for node, a, b in zip(over.tolist(), graph.left[over].tolist(), graph.right[over].tolist(), strict=True):
        literal, signal = 2 * (graph.first_gate + node), signals[a] & signals[b]
        signals[literal], signals[literal + 1] = signal, signal ^ every
    return signals


@kernel
def _spread(left: Literals, right: Literals, first_gate: int, known: Bools) -> None:
    for gate in range(len(left)):
        known[first_gate + gate] = known[left[gate] >> 1] & known[right[gate] >> 1]


def _twins(signals: Signals, phases: int, graph: Graph) -> Literals:
    """Return, for each node, the first literal with the same signal; -1 if the node is the first or has no signal.

    Inputs are replaced only by constants, because other passes need inputs as members of groups.
    """
    twin = np.full(graph.first_gate + len(graph), -1, np.int32)
    first: dict[int, int] = {}
    for literal, signal in signals.items():
        if not literal & 1:
            found = first.setdefault(signal, literal)
            if found == literal:
                found = first.get(signal ^ ((1 << phases) - 1), -2) ^ 1
            if literal >> 1 >= graph.first_gate or found <= 1:
                twin[literal >> 1] = found
    return twin


def _merged(logic: Logic, twin: Literals) -> Logic:
    old = logic.graph
    graph = Graph(old.inputs, old.max_gates)
    literal = blank(old)
    _rebuild(old.left, old.right, old.first_gate, twin, literal, graph.reserve(len(old)))
    return Logic(graph, literal[logic.outputs])


@kernel
def _rebuild(
    left: Literals, right: Literals, first_gate: int, twin: Literals, literal: Literals, store: GateStore
) -> None:
    """Fill `literal`, node by node; a node's twin comes before the node."""
    for node in range(first_gate + len(left)):
        if twin[node] >= 0:
            made = literal[twin[node]]
        elif node < first_gate:
            continue
        else:
            made = and_(store, literal[left[node - first_gate]], literal[right[node - first_gate]])
        literal[2 * node], literal[2 * node + 1] = made, made ^ 1


def _without_superfluous(logic: Logic, signals: Signals) -> Logic:
    """Remove from each conjunction the signals that its other signals imply; exclusive signals make it false."""
    wide = logic.wide
    known = np.zeros(2 * len(wide.number), np.bool_)
    known[list(signals)] = True
    kept = np.ones(len(wide.leaves), np.bool_)
    leaves = wide.leaves.copy()
    before = np.concatenate(([0], np.cumsum(known[leaves])))
    for g in np.flatnonzero(np.diff(before[wide.start]) > 1).tolist():
        row = range(int(wide.start[g]), int(wide.start[g + 1]))
        places = sorted((i for i in row if known[leaves[i]]), key=lambda i: (~leaves[i] & 1, -leaves[i]))
        needed = _needed([signals[leaves[i]] for i in places])
        if needed is None:
            kept[row.start + 1 : row.stop], leaves[row.start] = False, FALSE
        else:
            kept[places] = needed
    if kept.all():
        return logic
    start = np.concatenate(([0], np.cumsum(kept)))[wide.start]
    return remade(logic, wide, start, leaves[kept])


def _needed(row: list[int]) -> list[bool] | None:
    """Return which signals are needed, preferably later ones: their AND is the AND of all; None if the AND is false."""
    whole = row[0]
    for signal in row:
        whole &= signal
    if whole == 0:
        return None
    needed = [True] * len(row)
    for i in range(len(row)):
        rest = -1
        for k, signal in enumerate(row):
            if needed[k] and k != i:
                rest &= signal
        needed[i] = rest != whole
    return needed
