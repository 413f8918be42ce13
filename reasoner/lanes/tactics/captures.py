"""Find captures: moves that make a fact of another role false, such as a piece (see `piece_ownership`)."""

from __future__ import annotations

import numpy as np

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.delete_effects import ended_facts
from reasoner.lanes.choice_plan import Choices
from reasoner.lanes.lane_graph import LaneGraph, Taken
from reasoner.lanes.tactics.piece_ownership import NOBODY, piece_owners


def captures(circuit: Circuit, choices: Choices, graph: LaneGraph) -> Taken:
    """The bases that each move captures; empty if no roles take turns or the analysis would take too long.

    graph: the lane graph of the circuit and the choices.
    """
    groups = [{turn.role: turn.idle for turn in group} for group in choices.turns.groups]
    seen = piece_owners(graph, choices) if groups and not choices.drawn else None
    if seen is None:
        return []
    owner = seen.owner
    mover = np.repeat(np.arange(len(circuit.roles)), [len(own) for own in circuit.moves])
    others = (owner != NOBODY) & (owner != mover[:, None])
    ended = ended_facts(circuit, groups, others, seen.absent)
    taken = [tuple(np.flatnonzero(row).tolist()) for row in ended]
    return taken if any(taken) else []
