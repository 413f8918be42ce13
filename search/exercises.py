"""Exercises from any game of two opposed roles: positions in which exactly one move keeps the proven value."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from random import Random
from typing import NamedTuple

from reasoner.machine import Machine, State
from search.clock import Clock, MonotonicClock
from search.options import SearchOptions
from search.search import Search
from search.solver.random_ends import with_opposed_ends
from search.solver.solver import Solver
from search.solver.strategy import keeping_moves

OPENING_MOVES = 4
"""Maximum random joint moves at the start of a game, so that the games differ."""
PLAYING_SIMULATIONS = 60
"""Simulations per move of the games from which positions are taken."""
LEVELS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)
"""Numbers of simulations that the search is tried with."""
TRIALS = 3
"""Searches with different seeds for each number of simulations; all must find the move."""
MAX_STEPS = 500
"""Maximum joint moves of a game; some games never end."""
MEMORY_MIB = 256
"""Memory of the solver."""
MIN_MOVES = 3
"""Minimum number of legal moves of a position."""


class Exercise(NamedTuple):
    """A position with one best move, proven by the solver."""

    facts: tuple[str, ...]
    history: tuple[tuple[str, ...], ...]  # the joint moves that lead to the position
    role: str  # the role to move
    move: str  # the only move that keeps the value
    goal: int  # the role's goal with that move; with every other move it gets less if the other role plays perfectly
    legal: int  # number of legal moves
    level: int  # simulations that the search needs to find the move; 0: more than the last of LEVELS


def exercises(
    machine: Machine, seed: int = 0, seconds: float = 1.0, clock: Clock | None = None, until: float = inf
) -> Iterator[Exercise | None]:
    """Yield exercises without repetition; yield None for a position that is no exercise, and after each game.

    seconds: maximum time for solving a position; until: the time of the clock when this ends. Raises UnsolvableError if
    the solver cannot solve such games.
    """
    clock, known, rng = clock or MonotonicClock(), set[State](), Random(seed)
    solver = Solver(machine, memory_mib=MEMORY_MIB, clock=clock)
    with_opposed_ends(solver).run(seconds)  # raises for unsuitable games before one is played
    while clock.now() < until:
        states, history = _game(machine, rng, clock, until)
        for number in range(len(history) - 1, -1, -1):  # later positions first: what they prove helps the earlier ones
            if clock.now() >= until:
                return
            if states[number] not in known:
                known.add(states[number])
                yield _exercise(solver, states[number], tuple(history[:number]), seconds, clock, until)
                if not solver.solved:
                    break
        yield None


def _game(machine: Machine, rng: Random, clock: Clock, until: float) -> tuple[list[State], list[tuple[str, ...]]]:
    """Play a game of at most MAX_STEPS steps; return its positions, the last one included, and its joint moves.

    In a large game it takes minutes, so it also ends at the time `until`.
    """
    states, history = [machine.initial()], list[tuple[str, ...]]()
    opening = rng.randint(0, OPENING_MOVES)
    while (
        len(history) < MAX_STEPS
        and clock.now() < until
        and not machine.terminal(states[-1])
        and all(legal := machine.legal(states[-1]))
    ):
        if len(history) < opening:
            joint = [rng.choice(own) for own in legal]
        else:
            options = SearchOptions(simulations=PLAYING_SIMULATIONS, memory_mib=8, seed=rng.getrandbits(32))
            joint = [own[0] for own in legal]
            for role, own in enumerate(legal):
                if len(own) > 1:
                    search = Search(machine, role, states[-1], options, clock)
                    search.think(inf)
                    joint[role] = search.best()
        history.append(tuple(map(str, joint)))
        states.append(machine.next(states[-1], joint))
    return states, history


def _exercise(
    solver: Solver, state: State, history: tuple[tuple[str, ...], ...], seconds: float, clock: Clock, until: float
) -> Exercise | None:
    """Return the exercise that a position gives, if any; None if its level is unknown at the time `until`."""
    machine = solver.machine
    solver.enter(state)
    legal = machine.legal(state)
    role = max(range(len(legal)), key=lambda each: len(legal[each]))
    if not solver.run(seconds) or len(legal[role]) < MIN_MOVES:
        return None
    goal, least = (
        solver.goals(solver.low)[role],
        min(solver.goals(solver.lowest)[role], solver.goals(solver.highest)[role]),
    )
    kept = keeping_moves(solver, seconds) if goal > least else None
    if kept is None or len(kept) != 1:
        return None
    facts = tuple(sorted(map(str, machine.facts(state))))
    level = _level(machine, state, role, kept[0], clock, until)
    return (
        None
        if clock.now() >= until
        else Exercise(facts, history, machine.roles[role], kept[0], goal, len(legal[role]), level)
    )


def _level(machine: Machine, state: State, role: int, move: str, clock: Clock, until: float) -> int:
    """Return the least of `LEVELS` such that the search finds the move with it and all larger ones; 0: none.

    At the time `until` it ends with any of them.
    """
    found = 0
    for level in reversed(LEVELS):
        for seed in range(TRIALS):
            search = Search(machine, role, state, SearchOptions(simulations=level, memory_mib=64, seed=seed), clock)
            search.think(until)
            if str(search.best()) != move:
                return found
        found = level
    return found
