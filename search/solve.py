"""Exact value of a position: by the solver for two roles, by the search of puzzles for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from reasoner.machine import Machine, State
from reasoner.platform_calls import usable_processors
from search.clock import Clock, MonotonicClock
from search.options import SearchOptions
from search.search import Search
from search.solver.solver import Solver
from search.solver.strategy import Step, Strategy, best_line

MAX_LINE_MOVES = 10_000


class Solution(NamedTuple):
    """What is known of a position of a game with one or two roles."""

    goals: tuple[int, ...] | None  # of each role if all play perfectly; None: not solved in the time
    bounds: tuple[tuple[int, int], ...]  # the lowest and the highest possible goal of each role
    line: tuple[str, ...]  # moves that reach the lowest of these goals; without those of a role that has only one move
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
    """Solve a position, by default the initial state, of a game of one role or of two opposed roles that take turns.

    seconds:    the maximum time.
    threads:    processors to use; default: all.
    memory_mib: memory for positions.

    Raises UnsolvableError if the machine has no circuit or the game is of another kind.
    """
    clock, threads = clock or MonotonicClock(), threads or usable_processors()
    if len(machine.roles) == 1:
        return solve_puzzle(machine, state, seconds, threads, memory_mib, clock)
    began = clock.now()
    solver = Solver(machine, state, memory_mib=memory_mib, threads=threads, clock=clock)
    solver.run(seconds)
    return solution_of(solver, clock.now() - began)


def solution_of(solver: Solver, seconds: float) -> Solution:
    """Return what a solver has found so far."""
    lows, highs = solver.goals(solver.low), solver.goals(solver.high)
    bounds = tuple((min(pair), max(pair)) for pair in zip(lows, highs, strict=True))
    line = tuple(best_line(solver, MAX_LINE_MOVES)) if solver.solved else ()
    return Solution(lows if solver.solved else None, bounds, line, solver.expansions, seconds)


def solve_puzzle(
    machine: Machine,
    state: State | None,
    seconds: float,
    threads: int,
    memory_mib: int,
    clock: Clock,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Solve a position of a game of one role; see `solve`."""
    state, began = machine.initial() if state is None else state, clock.now()
    search = Search(machine, 0, state, SearchOptions(threads=threads, memory_mib=memory_mib), clock)
    search.think(began + seconds, stop)
    report, line = search.report(), list[str]()
    while not machine.terminal(state) and machine.legal(state)[0] and len(line) < MAX_LINE_MOVES:
        joint = (search.best(),)
        line.append(str(joint[0]))
        state = machine.next(state, joint)
        search.advance(joint, state)
    goal = machine.goal(state)[0] or 0
    goals = (goal,) if report.solved else None
    bounds = ((goal, goal if report.solved else machine.points),)
    return Solution(goals, bounds, tuple(line), report.nodes, clock.now() - began)


def strategy_of_line(role: str, found: Solution) -> Strategy:
    """Return the strategy of the only role that plays the line of a solution."""
    steps = [Step(move, (number + 1,)) for number, move in enumerate(found.line)]
    return Strategy(role, found.bounds[0][0], [*steps, Step("", ())])
