"""What is told of a game with its first position to draw it; whatever takes too long is left out."""

from __future__ import annotations

from random import Random
from typing import Any

from agent.worker.probe import sample
from reasoner.errors import ReasonerError
from reasoner.language.terms import Variable
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program

QUICK = 0.5
"""Seconds that each question may take."""
MAX_POSSIBLE = 5_000
"""Facts that may ever be true, as told."""
CHANCE = "random"
"""The role that chance plays, by the language's own rule."""
STEPS = 30
"""Joint moves of a random game that are looked at for roles that choose at the same time."""
GAMES = 4
"""Random games by whose ends it is told whether two roles are opposed, ..."""
LONGEST = 300
"""... and joint moves after which one is given up."""


def first_view(program: Program, seed: int) -> dict[str, Any]:
    """The fields of a first position that are told once a game; random games begin with `seed`."""
    quick = RelationalMachine(program, EvaluationLimits(max_seconds=QUICK))
    seen = sample(quick, seed)
    told = {"possible": _possible(quick), "sample": seen.positions, "links": seen.links, "orders": seen.orders}
    told["nets"] = seen.nets
    return {**told, "opposed": _opposed(quick, seed), "kinds": _kinds(quick, seed)}


def _possible(machine: RelationalMachine) -> list[str]:
    """What the rulesheet declares with `base`; nothing where it does not or where that takes too long."""
    fact = Variable("fact")
    try:
        answers = machine.query(machine.initial(), "(base ?fact)")
    except ReasonerError:
        return []
    return [str(answer[fact]) for answer in answers[:MAX_POSSIBLE]]


def _kinds(machine: RelationalMachine, seed: int) -> list[str]:
    """Whether several roles have a choice at once in a random game, and whether the rules hide anything."""
    chance, state, players = Random(seed), machine.initial(), [role != CHANCE for role in machine.roles]
    found = ["hidden information"] if machine.hides else []
    try:
        for _ in range(STEPS):
            legal = machine.legal(state)
            if sum(len(own) > 1 and plays for own, plays in zip(legal, players, strict=True)) > 1:
                return ["simultaneous moves", *found]
            if machine.terminal(state) or not all(legal):
                break
            state = machine.next(state, [chance.choice(own) for own in legal])
    except ReasonerError:
        pass
    return found


def _opposed(machine: RelationalMachine, seed: int) -> bool:
    """Whether two roles share 100 points at every end of some random games; False where that takes too long."""
    if len(machine.roles) != 2:
        return False
    try:
        played = machine.playouts(machine.initial(), GAMES, seed, LONGEST)
    except ReasonerError:
        return False
    return bool(played.finished.any() and (played.goals[played.finished].sum(axis=1) == 100).all())
