"""Who plays whom at what: every line-up in every seating of every game, in an order that is fair early on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from agent.tournament.plan import GAUNTLET, TournamentPlan
from reasoner.rules.chance import is_chance


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played. `players` sit in role order, chance left out."""

    key: str  # the same whenever the plan is read
    game: str
    players: tuple[str, ...]
    seed: str


def schedule(plan: TournamentPlan, roles: Mapping[str, Sequence[str]]) -> tuple[Pairing, ...]:
    """All matches of `plan`; `roles` are those of each game, by the game's name in the plan.

    Round by round, so that after any of them everybody has met everybody in every seat equally often. The seatings of
    one line-up share a seed: chance falls the same way for each.
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


def line_ups(plan: TournamentPlan, seats: int) -> list[tuple[str, ...]]:
    """The sets of players that meet in a game with so many seats; where there are too few, they sit down again."""
    names = tuple(plan.players)
    met = [
        chosen
        for chosen in combinations(names, min(seats, len(names)))
        if plan.style != GAUNTLET or plan.challenger in chosen or seats == 1
    ]
    return [tuple(chosen[seat % len(chosen)] for seat in range(seats)) for chosen in met]


def seatings(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """The line-up moved on seat by seat, until it comes round."""
    turned = [(*line_up[shift:], *line_up[:shift]) for shift in range(len(line_up))]
    return list(dict.fromkeys(turned))
