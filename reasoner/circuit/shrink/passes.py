"""The rewritings of a circuit in the order they are applied, each with the reason it exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.build import Netlist
from reasoner.circuit.constants import reachable
from reasoner.circuit.fold import folded
from reasoner.circuit.graph import Literals
from reasoner.circuit.shrink.absorb import absorb
from reasoner.circuit.shrink.exclusive import Group, use_groups
from reasoner.circuit.shrink.factor import factor
from reasoner.circuit.shrink.share import share
from reasoner.circuit.shrink.turn import turn
from reasoner.circuit.shrink.wide import Logic
from reasoner.circuit.shrink.within import within


@dataclass(frozen=True, eq=False)
class Known:
    """What passes may presume and ask of a circuit."""

    groups: Sequence[Group]
    goals: NDArray[np.bool_]  # [outputs] which outputs only ended games need


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewriting that keeps every output, as long as the groups are kept. It stops above `most` gates."""

    name: str
    reason: str
    apply: Callable[[Logic, Known], Logic]
    most: int


FACTOR = Pass("factor", "a common factor is one gate instead of many", lambda logic, _: factor(logic), 3_000_000)
SHARE = Pass("share", "what several gates have in common is computed once", lambda logic, _: share(logic), 3_000_000)
ABSORB = Pass("absorb", "a term that implies another adds nothing", lambda logic, _: absorb(logic), 3_000_000)

PASSES: tuple[Pass, ...] = (
    Pass(
        "turn",
        "sums of paths may be shorter from the other end",
        lambda logic, known: turn(logic, known.goals),
        1_000_000,
    ),
    ABSORB,
    FACTOR,
    Pass(
        "exclusive",
        "where one of a group is true, it is shorter to say which are not",
        lambda logic, known: use_groups(logic, known.groups),
        400_000,
    ),
    FACTOR,
    Pass(
        "within", "what is computed under a condition is asked for under it", lambda logic, _: within(logic), 3_000_000
    ),
    FACTOR,
    SHARE,
    ABSORB,
    FACTOR,
    SHARE,
)


LARGE, WORTH = 100_000, 0.98
"""A pass that leaves more than this part of so many gates is not run again."""


def shrink(netlist: Netlist, groups: Sequence[Group], passes: Sequence[Pass] = PASSES) -> Netlist:
    """`netlist` after all `passes`: the same outputs from fewer gates, wherever no group is broken.

    groups: of inputs, as literals; every role's moves are a group besides, as a role makes one move.
    """
    graph, new = folded(netlist.graph, reachable(netlist))
    terminal = np.array([netlist.terminal], np.int32)
    outputs = [netlist.next, netlist.legal, netlist.goals[:, 2], terminal]
    ends = np.cumsum([len(part) for part in outputs])
    logic = Logic(graph, new[np.concatenate(outputs).astype(np.int32)])
    goals = np.zeros(ends[-1], np.bool_)
    goals[ends[1] : ends[2]] = True
    known = Known((*_joint(netlist), *groups), goals)
    idle: set[str] = set()  # passes that brought little in a large graph
    for one in passes:
        before = len(logic.graph)
        if before > one.most or one.name in idle:
            continue
        logic = one.apply(logic, known)
        if before > LARGE and len(logic.graph) > WORTH * before:
            idle.add(one.name)
    return _with_outputs(netlist, logic, np.split(logic.outputs, ends[:-1]))


def _joint(netlist: Netlist) -> Sequence[Group]:
    """Each role makes exactly one of its moves."""
    first = len(netlist.bases) + 1
    of_roles = (np.flatnonzero(netlist.mover == role) for role in range(len(netlist.roles)))
    return [Group(tuple((2 * (first + moves)).tolist()), exactly=True) for moves in of_roles if len(moves)]


def _with_outputs(netlist: Netlist, logic: Logic, outputs: Sequence[Literals]) -> Netlist:
    following, legal, scores, terminal = outputs
    goals = netlist.goals.copy()
    goals[:, 2] = scores
    return replace(netlist, graph=logic.graph, next=following, legal=legal, goals=goals, terminal=int(terminal[0]))
