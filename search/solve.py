"""Exact value of a position: by the solver, by a table of all states, or for one role by the search of puzzles."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import isnan
from typing import NamedTuple

from reasoner.machine import Machine, State
from reasoner.platform_calls import usable_processors
from reasoner.rules.chance import is_chance
from reasoner.rules.points import worth
from search.clock import Clock, MonotonicClock
from search.errors import SimultaneousError, UnopposedError, UnsolvableError
from search.options import SearchOptions
from search.search import Search
from search.solver.random_ends import with_opposed_ends
from search.solver.solver import Solver
from search.solver.state_table import Option, StateTable
from search.solver.strategy import Step, Strategy, best_line

MAX_LINE_MOVES = 10_000
SEARCH_SHARE = 0.9
"""Share of the time for the search of a game of one role; the rest is for playing its line to the end."""
LINE_SECONDS = 1.0
"""Time for playing the line after a stop, or if the share is shorter."""
ACCURACY = 1e-4
"""Accuracy of a reported value, 0..100, which comes from single precision."""
TABLE_SHARE = 0.5
"""Share of the time for a table of all states, if the rest is for finding the goals that roles can force."""
DISTANCE_FACTOR, DISTANCE_SECONDS = 10.0, 10.0
"""Maximum time for the distance to a win, as a multiple of the time for the value; and the time always permitted."""


class Solution(NamedTuple):
    """What is known of a position."""

    solved: bool  # nothing is left to find
    goals: tuple[float, ...] | None  # of each role if all play perfectly; None: not known, or more than two roles
    bounds: tuple[tuple[float, float], ...]  # lowest and highest goal of each role; the lowest is what it can force
    line: tuple[str, ...]  # moves that reach the lowest goals; with several roles, those that are a choice
    positions: int  # positions expanded
    seconds: float
    mixed: tuple[tuple[Option, ...], ...] = ()  # an optimal strategy of each role where several choose at once
    distance: int | None = None  # joint moves in which a role of two forces its highest goal if the other delays it


def solve(
    machine: Machine,
    state: State | None = None,
    *,
    seconds: float = 600.0,
    threads: int | None = None,
    memory_mib: int = 1024,
    clock: Clock | None = None,
) -> Solution:
    """Solve a position, by default the initial state.

    Two opposed roles that take turns without chance are solved by proof search, other games by a table of all states,
    if it fits into the memory. With chance or simultaneous moves, the goals are the expected ones. If roles take turns
    and the table fails, only the goal that each role can force against all others together is found.

    If one of two roles wins, part of the time left is for the distance to the win.

    seconds:    the maximum time.
    threads:    processors to use; default: all.
    memory_mib: memory for positions.

    Raises UnsolvableError if the machine has no circuit, hides information, has no role except chance, or if roles move
    at the same time and there are too many states or players. Raises TypeError if `machine` is none, ValueError if
    `seconds` is not a number.
    """
    if isnan(seconds):
        raise ValueError("seconds is not a number")
    if not hasattr(machine, "roles"):
        raise TypeError(f"solve takes a machine, as load returns it, not {machine!r:.40}")
    clock, threads = clock or MonotonicClock(), threads or usable_processors()
    if len(machine.roles) == 1:
        return solve_puzzle(machine, state, seconds, threads, memory_mib, clock)
    began = clock.now()
    try:
        solver = Solver(machine, state, memory_mib=memory_mib, threads=threads, clock=clock)
        with_opposed_ends(solver).run(seconds)
        hurrying = hurry(solver, clock.now() - began, seconds, Solver.run)
        return solution_of(solver, clock.now() - began, hurrying)
    except SimultaneousError:
        return solve_by_table(machine, state, seconds, memory_mib, clock)
    except UnopposedError:
        with suppress(UnsolvableError):
            found = solve_by_table(machine, state, TABLE_SHARE * seconds, memory_mib, clock)
            if found.solved:
                return found
        return force(machine, state, began + seconds - clock.now(), threads, memory_mib, clock)[0]


def solve_by_table(
    machine: Machine,
    state: State | None,
    seconds: float,
    memory_mib: int,
    clock: Clock,
    watch: Callable[[StateTable], bool] = lambda _: False,
) -> Solution:
    """Solve a position of a small game of one or two players, with chance or simultaneous moves.

    watch: called many times a second; the work ends when it returns true.
    Raises UnsolvableError if there are too many states for the memory, or the goals of two players are not opposed.
    """
    began, table = clock.now(), StateTable(machine, state, memory_mib=memory_mib, clock=clock)
    solved = table.run(seconds, lambda: watch(table))
    goals = table.goals() if solved else None
    bounds = tuple((goal, goal) for goal in goals) if goals else ((0, machine.points),) * len(machine.roles)
    line, mixed = (table.line(MAX_LINE_MOVES), table.mixed()) if solved else ((), ())
    return Solution(solved, goals, bounds, line, table.states, clock.now() - began, mixed)


def force(
    machine: Machine,
    state: State | None,
    seconds: float,
    threads: int,
    memory_mib: int,
    clock: Clock,
    stop: Callable[[], bool] | None = None,
) -> tuple[Solution, list[Solver]]:
    """Find the goals that the roles can force, in equal time for each role; also return the solver of each role.

    stop: called many times a second; the search ends when it returns true.
    """
    began, solvers = clock.now(), list[Solver]()
    for role in (role for role, name in enumerate(machine.roles) if not is_chance(name)):
        solver = Solver(machine, state, role=role, memory_mib=memory_mib, threads=threads, clock=clock)
        solver.run(seconds / len(machine.roles), stop)
        solvers.append(solver)
    known = {solver.first: (solver.low, solver.highest) for solver in solvers}
    bounds = tuple(known.get(role, (0, 0)) for role in range(len(machine.roles)))
    expansions = sum(solver.expansions for solver in solvers)
    solved = all(solver.solved for solver in solvers)
    return Solution(solved, None, bounds, (), expansions, clock.now() - began), solvers


def distance_seconds(spent: float, seconds: float) -> float:
    """Return the time for finding the distance to a win, if the value took `spent` of `seconds`."""
    return min(max(DISTANCE_FACTOR * spent, DISTANCE_SECONDS), max(seconds - spent, 0.0))


def hurry(solver: Solver, spent: float, seconds: float, run: Callable[[Solver, float], object]) -> Solver | None:
    """Return a solver that has searched for the distance to the win, or None if no role is known to win.

    run: searches with the solver for a number of seconds.
    """
    if solver.winner is None:
        return None
    hurrying = solver.hurrying()
    with suppress(UnsolvableError):  # a position that the value did not need may be unsolvable
        run(hurrying, distance_seconds(spent, seconds))
    return hurrying


def solution_of(solver: Solver, seconds: float, hurrying: Solver | None = None) -> Solution:
    """Return what a solver has found so far, and the solver of the distance to the win, if any."""
    lows, highs = solver.goals(solver.low), solver.goals(solver.high)
    bounds = tuple((min(pair), max(pair)) for pair in zip(lows, highs, strict=True))
    goals, distance, expansions, source = lows if solver.solved else None, None, solver.expansions, solver
    if hurrying is not None:
        expansions += hurrying.expansions
        least, most = hurrying.distance
        if least == most:
            distance, source = least, hurrying
    here = source.solved and not source.elsewhere  # the table has the moves
    line = tuple(best_line(source, MAX_LINE_MOVES)) if here else ()
    return Solution(solver.solved, goals, bounds, line, expansions, seconds, distance=distance)


def solve_puzzle(
    machine: Machine,
    state: State | None,
    seconds: float,
    threads: int,
    memory_mib: int,
    clock: Clock,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Solve a position of a game of one role; see `solve`. Raises UnsolvableError if this role is chance.

    The line is played move by move. If its value is proven, the search goes on where it no longer knows the rest, and
    the value holds only if the line reaches it.

    stop: called many times a second; the search ends when it returns true.
    """
    if is_chance(machine.roles[0]):
        raise UnsolvableError("the only role is chance: no player has a choice, so there is nothing to solve")
    state, began = machine.initial() if state is None else state, clock.now()
    search = Search(machine, 0, state, SearchOptions(threads=threads, memory_mib=memory_mib), clock)
    search.think(began + SEARCH_SHARE * seconds, stop)
    report, line, least = search.report(), list[str](), clock.now() + LINE_SECONDS
    end = least if stop and stop() else max(began + seconds, least)
    while not machine.terminal(state) and machine.legal(state)[0] and len(line) < MAX_LINE_MOVES and clock.now() < end:
        if report.solved:
            search.think(end, stop)
        joint = (search.best(),)
        line.append(str(joint[0]))
        state = machine.next(state, joint)
        search.advance(joint, state)
    ended = machine.terminal(state) or not machine.legal(state)[0]
    goal = (machine.goal(state)[0] or 0) if ended else 0
    reached = 100 * worth(goal, machine.points) >= max(report.value, report.line) - ACCURACY
    solved = ended and (not line or (report.solved and reached))
    bounds = ((goal, goal if solved else machine.points),)
    return Solution(
        solved, (goal,) if solved else None, bounds, tuple(line) if ended else (), report.nodes, clock.now() - began
    )


def strategy_of_line(role: str, found: Solution) -> Strategy:
    """Return the strategy of the only role that plays the line of a solution."""
    steps = [Step(move, (number + 1,)) for number, move in enumerate(found.line)]
    return Strategy(role, int(found.bounds[0][0]), [*steps, Step("", ())])
