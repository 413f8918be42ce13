"""A circuit made ready for lanes: its meaning, and the code that runs it."""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.circuit.circuit import Circuit
from reasoner.lanes.emitted import Code
from reasoner.lanes.lane_graph import Ints, lane_graph
from reasoner.lanes.portable.emit import emit


@dataclass(frozen=True, eq=False)
class LaneProgram:
    """What the build hands to the machine; it can be sent from process to process."""

    circuit: Circuit
    drawn: Ints  # [roles that draw lane by lane, 2] the first move and the end
    exclusive: Ints  # [pairs, 2] bases of which no reachable state has both; the code relies on it
    code: Code


def schedule(circuit: Circuit) -> LaneProgram:
    """The program of a circuit."""
    graph = lane_graph(circuit)
    return LaneProgram(circuit, graph.drawn, graph.exclusive, emit(graph))
