"""The step counter: the part of a state that no move changes, such as ``control`` and ``step``.

A base belongs to the *step counter* if its next value depends only on bases of the step counter. The values of these
bases after each step are a *phase*. The phases are the same in every match; they are found by simulation from the
initial state until a phase repeats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Literals, Longs
from reasoner.circuit.netlist import Netlist
from reasoner.kernels import kernel

MAX_PHASES = 512
"""Maximum phases; bases with more phases are not treated as a step counter."""

ROUNDS = 64
"""Maximum rounds that remove bases which depend on moves through other bases; with more there is no step counter."""


@dataclass(frozen=True, eq=False)
class StepCounter:
    """The step counter's C bases, which change independently of moves, and their phases."""

    bases: Longs  # [C] numbers of bases, ascending; each is true in some phases and false in others
    phases: Bools  # [phases, C]


def step_counter_of(netlist: Netlist) -> StepCounter | None:
    """Return the step counter of a game; None if there is none or its phases are too many."""
    graph, following = netlist.graph, netlist.next
    alone = _alone(graph.left, graph.right, graph.first_gate, following)
    bases = np.flatnonzero(alone[1 : len(following) + 1])
    gates = np.flatnonzero(alone[graph.first_gate :])
    value = np.zeros(len(alone), np.bool_)
    value[1 + bases] = netlist.initial[bases]
    seen: dict[bytes, Bools] = {}
    while (phase := value[1 + bases]).tobytes() not in seen:
        if len(seen) == MAX_PHASES:
            return None
        seen[phase.tobytes()] = phase
        advance(graph.left, graph.right, graph.first_gate, gates, following, bases, value)
    phases = np.array(list(seen.values()))
    varying = phases.any(axis=0) & ~phases.all(axis=0)
    return StepCounter(bases[varying], phases[:, varying]) if varying.any() else None


@kernel
def _alone(left: Literals, right: Literals, first_gate: int, following: Literals) -> Bools:
    """Return, for each node, whether it depends on bases of the step counter only."""
    alone = np.zeros(first_gate + len(left), np.bool_)
    alone[: len(following) + 1] = True
    for _ in range(ROUNDS):
        for gate in range(len(left)):
            alone[first_gate + gate] = alone[left[gate] >> 1] & alone[right[gate] >> 1]
        settled = True
        for base in range(len(following)):
            if alone[1 + base] and not alone[following[base] >> 1]:
                alone[1 + base] = settled = False
        if settled:
            return alone
    return np.zeros_like(alone)


@kernel
def advance(
    left: Literals,
    right: Literals,
    first_gate: int,
    gates: Longs,
    following: Literals,
    bases: Longs,
    value: Bools,
) -> None:
    """Replace the values of the step counter's bases by their next values.

    left, right, first_gate: the graph; gates: the gates that the next values need, in order; following: [all bases] the
    literals of next values; bases: the bases of the counter; value: [nodes], changed.
    """
    for gate in gates:
        a, b = left[gate], right[gate]
        value[first_gate + gate] = (value[a >> 1] ^ (a & 1)) & (value[b >> 1] ^ (b & 1))
    after = np.empty(len(bases), np.bool_)
    for i in range(len(bases)):
        literal = following[bases[i]]
        after[i] = value[literal >> 1] ^ (literal & 1)
    for i in range(len(bases)):
        value[1 + bases[i]] = after[i]
