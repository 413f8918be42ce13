"""The rewritings of a circuit in the order of application, each with its reason."""

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
from reasoner.circuit.optimize.condition_substitution import within
from reasoner.circuit.optimize.counter_phases import use_step_counter
from reasoner.circuit.optimize.reverse_paths import turn
from reasoner.circuit.optimize.split_by_moved_piece import Subjects, use_subjects
from reasoner.circuit.optimize.wide_gates import Logic
from reasoner.circuit.step_counter import StepCounter


@dataclass(frozen=True, eq=False)
class Invariants:
    """What passes may assume and use of a circuit; expensive properties are computed on first use."""

    groups: Callable[[], Sequence[ExclusiveGroup]]
    subjects: Callable[[], Sequence[Subjects]]
    goals: Bools  # [outputs] which outputs only ended games need


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewriting that keeps every output while the groups hold. It is skipped above `most` gates."""

    name: str
    reason: str
    apply: Callable[[Logic, Invariants], Logic]
    most: int


FACTOR = Pass("factor", "a common factor is one gate instead of many", lambda logic, _: factor(logic), 3_000_000)
SHARE = Pass("share", "what several gates have in common is computed once", lambda logic, _: share(logic), 3_000_000)
ABSORB = Pass("absorb", "a term that implies another adds nothing", lambda logic, _: absorb(logic), 3_000_000)

PASSES: tuple[Pass, ...] = (
    Pass(
        "turn",
        "sums of paths may be shorter from the other end",
        lambda logic, known: turn(logic, known.goals),
        400_000,
    ),
    ABSORB,
    FACTOR,
    Pass(
        "exclusive",
        "where one of a group is true, it is shorter to say which are not",
        lambda logic, known: use_groups(logic, known.groups()),
        400_000,
    ),
    FACTOR,
    Pass(
        "within", "what is computed under a condition is asked for under it", lambda logic, _: within(logic), 3_000_000
    ),
    FACTOR,
    Pass(
        "subject",
        "what a move does and with what is said apart",
        lambda logic, known: use_subjects(logic, known.subjects()),
        400_000,
    ),
    SHARE,
    ABSORB,
    FACTOR,
    SHARE,
)


LARGE, WORTH = 100_000, 0.98
"""A pass that keeps more than this share of so many gates is not run again."""


def optimize(
    netlist: Netlist,
    groups: Callable[[], Sequence[ExclusiveGroup]] = tuple,
    passes: Sequence[Pass] = PASSES,
    counter: StepCounter | None = None,
    subjects: Callable[[], Sequence[Subjects]] = tuple,
) -> Netlist:
    """Return `netlist` after all `passes`: equal outputs from fewer gates, in states that violate no invariant.

    groups: of inputs, as literals; every role's moves are also a group, as a role makes one move.
    subjects: candidate assignments of subjects to moves (`split_by_moved_piece`).
    counter: of this netlist. Nodes that it makes constant are folded before the passes begin.
    """
    if counter is not None:
        merged = use_step_counter(Logic(netlist.graph, netlist.outputs), counter)
        netlist = without_constants(with_outputs(netlist, merged.graph, merged.outputs), 1)
    logic = Logic(netlist.graph, netlist.outputs)
    goals = np.zeros(len(logic.outputs), np.bool_)
    goals[len(netlist.next) + len(netlist.legal) : -1] = True
    known = Invariants(lambda: (*_joint(netlist), *groups()), subjects, goals)
    idle: set[str] = set()  # passes with little gain in a large graph
    for one in passes:
        before = len(logic.graph)
        if before > one.most or one.name in idle:
            continue
        logic = one.apply(logic, known)
        if before > LARGE and len(logic.graph) > WORTH * before:
            idle.add(one.name)
    return with_outputs(netlist, logic.graph, logic.outputs)


def _joint(netlist: Netlist) -> Sequence[ExclusiveGroup]:
    """Return a group for each role: it makes exactly one of its moves."""
    first = len(netlist.bases) + 1
    of_roles = (np.flatnonzero(netlist.mover == role) for role in range(len(netlist.roles)))
    return [ExclusiveGroup(tuple((2 * (first + moves)).tolist()), exactly=True) for moves in of_roles if len(moves)]
