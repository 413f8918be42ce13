"""A circuit made ready for lanes: its meaning, and the code that runs it."""

from __future__ import annotations

from dataclasses import dataclass, field

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.lanes.emitters import emit, makes_native
from reasoner.lanes.lane_graph import CHOOSE, LEGAL, NEXT, PREFER, STEP, Taken
from reasoner.lanes.lane_graph_builder import lane_graph
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
    captures: Taken = field(default_factory=list)  # for each move the bases it takes; empty: none are preferred
    step: int = 0  # gates of a step of random play that knows no single moves; 0: there is none


def schedule(circuit: Circuit, emitter: str | None = None, *, draft: bool = False) -> LaneProgram:
    """The program of a circuit; see `reasoner.lanes.emitters` for `emitter`.

    A draft is made in less time: it knows no decisive moves, no step of its own for random play, and its code takes
    some more instructions.
    """
    graph = lane_graph(circuit, decisive=not draft, step=not draft and makes_native(emitter))
    operations = sum(len(graph.sections[section]) for section in (LEGAL, CHOOSE, NEXT))
    decisive = len(graph.sections[PREFER])
    code = emit(graph, emitter, draft=draft)
    return LaneProgram(
        circuit, graph.drawn, graph.exclusive, operations, decisive, code, graph.captures, len(graph.sections[STEP])
    )
