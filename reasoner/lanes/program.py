"""Lane program: the code that runs a circuit, and the meaning of its results."""

from __future__ import annotations

from dataclasses import dataclass, field

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.lanes.emitters import emit
from reasoner.lanes.lane_graph import PREFER, Taken
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.loaded import Code
from reasoner.lanes.tactics.piece_ownership import owners_inferable
from reasoner.lanes.tactics.trials import wins_pay


@dataclass(frozen=True, eq=False)
class LaneProgram:
    """The result of a build, from which the machine is made; can be pickled."""

    circuit: Circuit
    drawn: Ints  # [roles that draw lane by lane, 2] the first move and the end of each role's moves
    exclusive: Ints  # [pairs, 2] mutually exclusive bases on which the code relies
    decisive: int  # gates of PREFER, which replaces the uniform choice; 0: there is no PREFER
    code: Code
    captures: Taken = field(default_factory=list)  # for each move the captured bases; empty: captures are not preferred
    captures_unknown: bool = False  # whether the circuit is too large to look for captures
    prefers: bool = False  # whether play should prefer moves: captures pay, or random play misses enough wins


def schedule(circuit: Circuit, emitter: str | None = None, *, baseline: bool = False) -> LaneProgram:
    """Compile a circuit; see `reasoner.lanes.emitters` for `emitter`.

    Baseline code is compiled faster: it has no decisive moves, and takes slightly more instructions.
    """
    graph = lane_graph(circuit, decisive=not baseline)
    return LaneProgram(
        circuit=circuit,
        drawn=graph.drawn,
        exclusive=graph.exclusive,
        decisive=len(graph.sections[PREFER]),
        code=emit(graph, emitter, baseline=baseline),
        captures=graph.captures,
        captures_unknown=not baseline and not owners_inferable(graph),
        prefers=bool(graph.captures) or wins_pay(graph),
    )
