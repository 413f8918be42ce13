"""The passes that optimize a circuit, in order of application."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools
from reasoner.circuit.constant_folding import with_outputs, without_constants
from reasoner.circuit.netlist import Netlist
from reasoner.circuit.optimize.absorption import absorb
from reasoner.circuit.optimize.common_cubes import share
from reasoner.circuit.optimize.common_factors import factor
from reasoner.circuit.optimize.complement_sums import ExclusiveGroup, use_groups
from reasoner.circuit.optimize.context_resubstitution import context_resubstitution
from reasoner.circuit.optimize.counter_phases import use_step_counter
from reasoner.circuit.optimize.reverse_paths import reverse_paths
from reasoner.circuit.optimize.wide_gates import Logic
from reasoner.circuit.step_counter import StepCounter


@dataclass(frozen=True, eq=False)
class Invariants:
    """Properties of a circuit that passes may assume; expensive ones are computed on first use."""

    groups: Callable[[], Sequence[ExclusiveGroup]]
    goals: Bools  # [outputs] whether only ended games need the output


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewriting that keeps every output if the invariants hold. Graphs with more than `max_gates` skip it."""

    apply: Callable[[Logic, Invariants], Logic]
    max_gates: int = 3_000_000


FACTOR = Pass(lambda logic, _: factor(logic))  # a common factor is one gate instead of many
SHARE = Pass(lambda logic, _: share(logic))  # leaves that several gates share are computed once
ABSORB = Pass(lambda logic, _: absorb(logic))  # a term that implies another is superfluous in an OR

PASSES: tuple[Pass, ...] = (
    Pass(lambda logic, known: reverse_paths(logic, known.goals), 400_000),  # sums of paths, shorter from the other end
    ABSORB,
    FACTOR,
    Pass(lambda logic, known: use_groups(logic, known.groups()), 400_000),  # complements of sums over exclusive groups
    FACTOR,
    Pass(lambda logic, _: context_resubstitution(logic)),  # values that are read only under a condition
    FACTOR,
    SHARE,
    ABSORB,
    FACTOR,
    SHARE,
)


MIN_LARGE_GATES, MAX_KEPT = 100_000, 0.98
"""In a graph with at least MIN_LARGE_GATES gates, a pass is not run again if more than the share MAX_KEPT of the gates
remained after a run."""


def optimize(
    netlist: Netlist,
    groups: Callable[[], Sequence[ExclusiveGroup]] = tuple,
    passes: Sequence[Pass] = PASSES,
    counter: StepCounter | None = None,
) -> Netlist:
    """Return `netlist` after all `passes`: in all states that violate no invariant, the outputs are equal.

    groups: groups of inputs, as literals; each role's moves are also a group, because a role makes one move.
    counter: the step counter of this netlist. Nodes that it makes constant are folded before the passes begin.
    """
    if counter is not None:
        merged = use_step_counter(Logic(netlist.graph, netlist.outputs), counter)
        netlist = without_constants(with_outputs(netlist, merged.graph, merged.outputs), 1)
    logic = Logic(netlist.graph, netlist.outputs)
    goals = np.zeros(len(logic.outputs), np.bool_)
    goals[len(netlist.next) + len(netlist.legal) : -1] = True
    known = Invariants(lambda: (*_joint(netlist), *groups()), goals)
    idle: set[Pass] = set()  # passes with little gain in a large graph
    for one in passes:
        before = len(logic.graph)
        if before > one.max_gates or one in idle:
            continue
        logic = one.apply(logic, known)
        if before > MIN_LARGE_GATES and len(logic.graph) > MAX_KEPT * before:
            idle.add(one)
    return with_outputs(netlist, logic.graph, logic.outputs)


def _joint(netlist: Netlist) -> Sequence[ExclusiveGroup]:
    """Return, for each role, the group of its moves: the role makes exactly one of them."""
    first = len(netlist.bases) + 1
    of_roles = (np.flatnonzero(netlist.mover == role) for role in range(len(netlist.roles)))
    return [ExclusiveGroup(tuple((2 * (first + moves)).tolist()), exactly=True) for moves in of_roles if len(moves)]
