"""A circuit made ready for lanes: its meaning, and the code that runs it."""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.lanes.emitters import emit
from reasoner.lanes.lane_graph import CHOOSE, LEGAL, NEXT, PREFER, lane_graph
from reasoner.lanes.loaded import Code


@dataclass(frozen=True, eq=False)
class LaneProgram:
    """What the build hands to the machine; it can be sent from process to process."""

    circuit: Circuit
    drawn: Ints  # [roles that draw lane by lane, 2] the first move and the end
    exclusive: Ints  # [pairs, 2] bases of which no reachable state has both; the code relies on it
    operations: int  # gates a step of play evaluates, the choice of moves among them
    decisive: int  # gates that choosing preferred moves takes instead of the choice; 0: none are known
    code: Code


def schedule(circuit: Circuit, emitter: str | None = None, *, draft: bool = False) -> LaneProgram:
    """The program of a circuit; see `reasoner.lanes.emitters` for `emitter`.

    A draft is made in less time: it knows no decisive moves, and its code takes some more instructions.
    """
    graph = lane_graph(circuit, decisive=not draft)
    operations = sum(len(graph.sections[section]) for section in (LEGAL, CHOOSE, NEXT))
    decisive = len(graph.sections[PREFER])
    return LaneProgram(circuit, graph.drawn, graph.exclusive, operations, decisive, emit(graph, emitter, draft=draft))
