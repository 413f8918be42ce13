"""Data for drawing a game, sent with its first position. Data that takes too long to compute is left out."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

from agent.worker.probe import sample
from agent.worker.row_names import rows_first
from agent.worker.term_text import MAX_CHARACTERS, fitting
from reasoner.errors import ReasonerError
from reasoner.language.terms import Constant, Variable
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.chance import is_chance
from reasoner.rules.program import Program

QUICK = 0.5
"""Time limit of one query in seconds."""
MAX_POSSIBLE = 5_000
"""Maximum base facts that are sent."""
STEPS = 30
"""Joint moves of a random game that are checked for simultaneous choices."""
GAMES = 4
"""Random games whose goals decide whether two roles are opposed."""


def first_view(program: Program, seed: int, clock: Callable[[], float] = time.thread_time) -> dict[str, Any]:
    """Return the fields of `Position` that are sent once per game; `seed` is for the random games."""
    quick = RelationalMachine(program, EvaluationLimits(max_seconds=QUICK))
    seen = sample(quick, seed, clock)
    told = {"possible": _possible(quick), "sample": seen.positions, "links": seen.links, "orders": seen.orders}
    told |= {"nets": seen.nets, "upright": rows_first(program)}
    opposed = _opposed(quick, seed, clock)
    looked = {"opposed": opposed, "kinds": _kinds(quick, seed, clock)}
    return {**told, **looked, "points": quick.points, "even": opposed and _has_half(program, quick.points)}


def _has_half(program: Program, points: int) -> bool:
    """Whether a rule for a goal names half of the points."""
    half = Constant(str(points // 2))
    return not points % 2 and any(half == rule.head.arguments[1] for rule in program.by_head().get(("goal", 2), ()))


def _possible(machine: RelationalMachine) -> list[str]:
    """Return the facts declared with `base`; empty if there are none or the query takes too long."""
    fact = Variable("fact")
    try:
        answers = machine.query(machine.initial(), "(base ?fact)")
    except ReasonerError:
        return []
    return fitting((str(answer[fact]) for answer in answers[:MAX_POSSIBLE]), MAX_CHARACTERS)


def _kinds(machine: RelationalMachine, seed: int, clock: Callable[[], float]) -> list[str]:
    """Find simultaneous moves (in a random game) and hidden information."""
    chance, players = Random(seed), [not is_chance(role) for role in machine.roles]
    found = ["hidden information"] if machine.hides else []
    try:
        state, end = machine.initial(), clock() + QUICK
        for _ in range(STEPS):
            if clock() > end:
                break
            legal = machine.legal(state)
            if sum(len(own) > 1 and plays for own, plays in zip(legal, players, strict=True)) > 1:
                return ["simultaneous moves", *found]
            if machine.terminal(state) or not all(legal):
                break
            state = machine.next(state, [chance.choice(own) for own in legal])
    except ReasonerError:
        pass
    return found


def _opposed(machine: RelationalMachine, seed: int, clock: Callable[[], float]) -> bool:
    """Whether the goals of two roles always sum to the maximum goal in random games; False if no game ends in time."""
    if len(machine.roles) != 2:
        return False
    chance, end, ends = Random(seed), clock() + QUICK, 0
    try:
        while ends < GAMES and clock() < end:
            state = machine.initial()
            while not machine.terminal(state) and clock() < end:
                state = machine.next(state, [chance.choice(own) for own in machine.legal(state)])
            if not machine.terminal(state):
                break
            goals = machine.goal(state)
            if None in goals or sum(goal or 0 for goal in goals) != machine.points:
                return False
            ends += 1
    except (ReasonerError, IndexError):  # rules that leave a role without a move
        return False
    return ends > 0
