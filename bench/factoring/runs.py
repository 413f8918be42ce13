"""Measurement of one game with and without subgames, on a processor clock; and of proven plans of copies."""

from __future__ import annotations

import time
from dataclasses import dataclass

from reasoner.circuit.circuit import Circuit
from reasoner.lanes.machine import CircuitMachine
from search.factoring import Factoring, Subgame, factor
from search.factoring.factors import NONE, ONE
from search.native.search import NativeSearch
from search.options import SearchOptions
from search.report import Report
from search.search import Search
from search.subgames.plan import Planner

SLICE = 0.05
"""Seconds between looks at the result."""

MEMORY = 8192
"""MiB for plans of copies; the planner takes a quarter, so that time is the limit and not memory."""


class ProcessorClock:
    """Processor seconds of this process: other processes do not count."""

    def now(self) -> float:
        """Return the time in seconds."""
        return time.process_time()


@dataclass(frozen=True)
class Run:
    """Result and cost of a search."""

    score: float  # 0..100, the best known end; -1 for none
    seconds: float  # processor seconds until it was known
    proof: float | None  # seconds until it was proven optimal, or None
    states: int  # at the end, of subgames if they were searched apart, else of the tree
    simulations: int  # at the end, of the tree, and states of the whole that the planner evaluated
    factors: str


def searched(machine: CircuitMachine, seconds: float, *, factoring: bool) -> Run:
    """Search from the initial state until the game is solved, or so many processor seconds have passed."""
    clock = ProcessorClock()
    began = clock.now()
    options = SearchOptions(seed=1, threads=1, factoring=factoring)
    search = Search(machine, 0, machine.initial(), options, clock)
    best, known = -1.0, 0.0
    while not search.solved and clock.now() - began < seconds:
        end = clock.now() + SLICE
        search.think(began + seconds, lambda end=end: clock.now() >= end)
        if (score := _score(search.report())) > best:
            best, known = score, clock.now() - began
    proof = clock.now() - began if search.solved else None
    report = search.report()
    return Run(best, known, proof, report.planned or report.nodes, report.simulations, report.factors)


def _score(report: Report) -> float:
    """Return the value of the best end to which a search knows a line."""
    return max([report.line, *(each.value for each in report.moves if each.visits or each.proven)])


def planned(machine: CircuitMachine, seconds: float, *, factored: bool) -> tuple[float, int] | None:
    """Return processor seconds to a proven plan, including the factoring, and states; None past `seconds`."""
    clock = ProcessorClock()
    began = clock.now()
    factoring = factor(machine.circuit) if factored else whole(machine.circuit)
    planner = Planner(machine, factoring, machine.initial(), SearchOptions(memory_mib=MEMORY), clock)
    planner.think(began + seconds)
    return (clock.now() - began, planner.states) if planner.proven else None


def solved(machine: CircuitMachine, seconds: float) -> float | None:
    """Return processor seconds until the search of the whole has an end of 100 points; None past `seconds`."""
    clock = ProcessorClock()
    began = clock.now()
    options = SearchOptions(seed=1, threads=1, factoring=False)
    search = NativeSearch(machine, 0, machine.initial(), options, clock)
    search.think(began + seconds)
    return clock.now() - began if search.solved else None


def whole(circuit: Circuit) -> Factoring:
    """Return a game as one subgame, apart from its step counter."""
    counter = factor(circuit).counter
    classes = tuple((move,) for move in range(len(circuit.legal)))
    goals = tuple(sorted({*circuit.goals[:, 2].tolist()}))
    bases = tuple(sorted({*range(circuit.searched)} - {*counter}))
    return Factoring(NONE, (Subgame(bases, (classes,), (circuit.terminal,), (goals,)),), counter, (), None, ONE)
