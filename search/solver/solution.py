"""The result of a solver, for programs."""

from __future__ import annotations

from typing import NamedTuple

from reasoner.machine import Machine, State
from reasoner.platform_calls import usable_processors
from search.clock import Clock, MonotonicClock
from search.solver.solver import Solver
from search.solver.strategy import best_line

MAX_LINE_MOVES = 1_000


class Solution(NamedTuple):
    """What is known of a position of a game with two roles."""

    goals: tuple[int, int] | None  # of both roles if both play perfectly; None: not solved in the time
    bounds: tuple[tuple[int, int], tuple[int, int]]  # the lowest and the highest possible goal of each role
    line: tuple[str, ...]  # moves that keep these goals, to the end; without those of a role that has only one
    positions: int  # positions expanded
    seconds: float


def solve(
    machine: Machine,
    state: State | None = None,
    *,
    seconds: float = 600.0,
    threads: int | None = None,
    memory_mib: int = 1024,
    clock: Clock | None = None,
) -> Solution:
    """Solve a position, by default the initial state, of a game of two opposed roles that take turns.

    seconds:    the maximum time.
    threads:    processors to use; default: all.
    memory_mib: memory for positions.

    Raises UnsolvableError if the machine has no circuit or the game is of another kind.
    """
    clock = clock or MonotonicClock()
    began = clock.now()
    solver = Solver(machine, state, memory_mib=memory_mib, threads=threads or usable_processors(), clock=clock)
    solver.run(seconds)
    return solution_of(solver, clock.now() - began)


def solution_of(solver: Solver, seconds: float) -> Solution:
    """Return what a solver has found so far."""
    lows, highs = solver.goals(solver.low), solver.goals(solver.high)
    first, second = ((min(pair), max(pair)) for pair in zip(lows, highs, strict=True))
    line = tuple(best_line(solver, MAX_LINE_MOVES)) if solver.solved else ()
    return Solution(lows if solver.solved else None, (first, second), line, solver.expansions, seconds)
