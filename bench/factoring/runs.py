"""One game searched with its subgames and without, on a clock of processor seconds; and proven plans of copies."""

from __future__ import annotations

import time
from dataclasses import dataclass

from reasoner.circuit.circuit import Circuit
from reasoner.lanes.machine import CircuitMachine
from search.factoring import Factoring, Subgame, factor
from search.factoring.value import NONE, ONE
from search.handle import Search
from search.native.search import NativeSearch
from search.options import SearchOptions
from search.subgames.plan import Planner
from search.subgames.planned import PlannedSearch

SLICE = 0.05
"""Seconds between looks at what was found."""


class ProcessorClock:
    """Processor seconds of this process: others on the machine do not count."""

    def now(self) -> float:
        """Seconds."""
        return time.process_time()


@dataclass(frozen=True)
class Run:
    """What a search found, and what it took until then."""

    score: float  # 0..100, the best end known
    proven: bool  # nothing better is left
    seconds: float  # processor seconds to the score
    states: int  # of subgames where they were searched apart, else of the tree
    simulations: int  # of the tree, and states of the whole looked at by the planner
    factors: str


def searched(machine: CircuitMachine, seconds: float, *, factoring: bool) -> Run:
    """Search from the initial state until nothing is left, or so many processor seconds have gone."""
    clock = ProcessorClock()
    began = clock.now()
    options = SearchOptions(seed=1, threads=1, factoring=factoring)
    search = Search(machine, 0, machine.initial(), options, clock)
    best = Run(-1, False, 0, 0, 0, "")
    while not search.solved and clock.now() - began < seconds:
        end = clock.now() + SLICE
        search.think(began + seconds, lambda end=end: clock.now() >= end)
        found = _found(search, clock.now() - began)
        if found.score > best.score or (found.score == best.score and found.proven and not best.proven):
            best = found if found.score > best.score else _proved(best)
    return best if best.score >= 0 else _found(search, clock.now() - began)


def _proved(run: Run) -> Run:
    return Run(run.score, True, run.seconds, run.states, run.simulations, run.factors)


def _found(search: Search, seconds: float) -> Run:
    thinker, report = search._thinker, search.report()
    tree = thinker._whole if isinstance(thinker, PlannedSearch) else thinker
    seen = max((each.value for each in report.moves if each.visits or each.proven), default=-1.0)
    seen = max(seen, 100 * tree._line_value if isinstance(tree, NativeSearch) else -1.0)
    planner = thinker._planner if isinstance(thinker, PlannedSearch) else None
    if planner is None:
        return Run(seen, report.solved, seconds, report.nodes, report.simulations, "")
    score = max(seen, 100 * planner.value)
    return Run(score, search.solved, seconds, planner.states, report.simulations + planner.simulations, report.factors)


def planned(machine: CircuitMachine, seconds: float, *, factored: bool) -> tuple[float, int] | None:
    """Processor seconds to a proven plan, finding the subgames included, and states; None past `seconds`."""
    clock = ProcessorClock()
    began = clock.now()
    factoring = factor(machine.circuit) if factored else whole(machine.circuit)
    planner = Planner(machine, factoring, machine.initial(), SearchOptions(), clock)
    planner.think(began + seconds)
    return (clock.now() - began, planner.states) if planner.proven else None


def solved(machine: CircuitMachine, seconds: float) -> float | None:
    """Processor seconds until the search of the whole has an end of 100 points; None past `seconds`."""
    clock = ProcessorClock()
    began = clock.now()
    options = SearchOptions(seed=1, threads=1, factoring=False)
    search = NativeSearch(machine, 0, machine.initial(), options, clock)
    search.think(began + seconds)
    return clock.now() - began if search.solved else None


def whole(circuit: Circuit) -> Factoring:
    """A game as one subgame, but for its clock."""
    clock = factor(circuit).clock
    classes = tuple((move,) for move in range(len(circuit.legal)))
    goals = tuple(sorted({*circuit.goals[:, 2].tolist()}))
    bases = tuple(sorted({*range(circuit.searched)} - {*clock}))
    return Factoring(NONE, (Subgame(bases, (classes,), (circuit.terminal,), (goals,)),), clock, (), None, ONE)
