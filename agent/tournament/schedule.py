"""Schedule: every line-up in every seating of every game, in an order that is balanced after each round."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from agent.tournament.plan import GAUNTLET, TournamentPlan
from reasoner.rules.chance import is_chance


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to play. `players` are in role order, without chance."""

    key: str  # identifies the match; the same in each run
    game: str
    players: tuple[str, ...]
    seed: str


def schedule(plan: TournamentPlan, roles: Mapping[str, Sequence[str]]) -> tuple[Pairing, ...]:
    """Return all matches of `plan`; `roles` are the roles of each game, by its name in the plan.

    The order is round by round, so that after each round all players have met in all seats equally often. All seatings
    of a line-up use the same seed, and therefore the same chance moves.
    """
    return tuple(
        Pairing(
            key=json.dumps([game, line_up, number, seated]),
            game=game,
            players=seated,
            seed=f"{plan.seed}/{game}/{'+'.join(line_up)}/{number}",
        )
        for number in range(1, plan.rounds + 1)
        for game in plan.games
        for line_up in line_ups(plan, sum(not is_chance(role) for role in roles[game]))
        for seated in seatings(line_up)
    )


def line_up_of(key: str) -> tuple[str, ...]:
    """Return the line-up of a match by the key of its pairing; empty if it is no such key."""
    try:
        _, line_up, *_ = json.loads(key)
        return tuple(map(str, line_up))
    except (ValueError, TypeError, RecursionError):  # the database was edited
        return ()


def line_ups(plan: TournamentPlan, seats: int) -> list[tuple[str, ...]]:
    """Return the sets of players for a game with `seats` seats. If players are too few, some take several seats."""
    names = tuple(plan.players)
    met = [
        chosen
        for chosen in combinations(names, min(seats, len(names)))
        if plan.style != GAUNTLET or plan.challenger in chosen or seats == 1
    ]
    return [tuple(chosen[seat % len(chosen)] for seat in range(seats)) for chosen in met]


def seatings(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all rotations of the line-up."""
    turned = [(*line_up[shift:], *line_up[:shift]) for shift in range(len(line_up))]
    return list(dict.fromkeys(turned))
