"""A match of two sides that think in turn, for equal processor seconds or equal simulations."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.gamemaster.records import spaced, state_text
from bench.strength.scores import seats_of
from bench.strength.seats import Side
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance

MAX_STEPS = 1000


@dataclass
class Played:
    """A match as played; `thoughts` has for each step the report of each role with a choice."""

    roles: tuple[str, ...]
    states: list[str] = field(default_factory=list)
    moves: list[tuple[str, ...]] = field(default_factory=list)
    thoughts: list[Mapping[int, Mapping[str, Any]]] = field(default_factory=list)
    goals: tuple[int, ...] = ()
    errors: Sequence[Sequence[str]] = ()  # per START and step: the error code of each role, or an empty text
    match_id: str = ""  # empty if the players received none

    def wrong(self, roles: Sequence[int]) -> int:
        """Count the answers of these roles that were late, illegal or missing."""
        return sum(bool(row[role]) for row in self.errors for role in roles)

    def simulations(self, roles: Sequence[int]) -> float:
        """Return the mean number of simulations of these roles per move with a choice; 0 if unknown."""
        counts = [each[role].get("simulations", 0) for each in self.thoughts for role in roles if role in each]
        return sum(counts) / len(counts) if counts else 0.0

    def as_json(self) -> Mapping[str, object]:
        """Return the match in the format of match records."""
        thoughts = [{self.roles[role]: thought for role, thought in each.items()} for each in self.thoughts]
        return {
            "matchId": self.match_id,
            "roles": self.roles,
            "states": self.states,
            "moves": self.moves,
            "thoughts": thoughts,
            "errors": self.errors,
            "goalValues": self.goals,
            "isCompleted": bool(self.goals),
        }


@dataclass(frozen=True)
class Terms:
    """Seconds before the first move and for each move; None: the settings of a side limit its simulations."""

    start: float | None
    move: float | None
    seed: int


def play(machine: Machine, sides: Callable[[int], Side], terms: Terms) -> Played:
    """Play to the end; `sides` returns the side of a role. Raises SeatError, ValueError."""
    seats = seats_of(machine.roles)
    teams: dict[int, tuple[Side, list[int]]] = {}
    for role in seats:
        teams.setdefault(id(sides(role)), (sides(role), []))[1].append(role)
    for number, (side, roles) in enumerate(teams.values()):
        side.begin(roles, 2 * terms.seed + number)
        if terms.start:
            for role in roles:
                side.think([role], terms.start)
    return _steps(machine, [*teams.values()], terms)


def _steps(machine: Machine, teams: Sequence[tuple[Side, Sequence[int]]], terms: Terms) -> Played:
    rng, state = random.Random(terms.seed), machine.initial()
    played = Played(machine.roles, [state_text(machine.facts(state))])
    while not machine.terminal(state) and len(played.moves) < MAX_STEPS:
        legal = machine.legal(state)
        texts = [{str(move): move for move in own} for own in legal]
        chosen = [next(iter(own)) for own in texts]
        for role, name in enumerate(machine.roles):
            if is_chance(name):
                chosen[role] = rng.choice(list(texts[role]))
        thoughts: dict[int, Mapping[str, Any]] = {}
        for side, roles in teams:
            thoughts |= side.think([role for role in roles if len(legal[role]) > 1], terms.move)
        for role, thought in thoughts.items():
            chosen[role] = thought["move"]
            if chosen[role] not in texts[role]:
                raise ValueError(f"{machine.roles[role]} played {chosen[role]}, which is not legal")
        joint = [own[move] for own, move in zip(texts, chosen, strict=True)]
        state = machine.next(state, joint)
        played.moves.append(tuple(map(spaced, joint)))
        played.states.append(state_text(machine.facts(state)))
        played.thoughts.append(thoughts)
        for side, _ in teams:
            side.joint(chosen)
    if machine.terminal(state):
        played.goals = tuple(goal or 0 for goal in machine.goal(state))
    return played
