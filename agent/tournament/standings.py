"""Standings: scores with intervals, ratings, errors, and scores by opponent and by game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from agent.gamemaster.statistics import Estimate, estimate
from agent.tournament.elo import Rating, Result, ratings
from agent.tournament.errors import PlanError
from agent.tournament.store import FAILED, Outcome

KINDS = ("TO", "IL", "CE")


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's row. `against` and `games` have mean scores, None without a match."""

    name: str
    score: Estimate
    rating: Rating | None  # None without opponents
    errors: dict[str, int]
    against: dict[str, Estimate]
    games: dict[str, Estimate]
    failed: int | None = 0  # number of failed moves; None (unknown) for remote players
    hopeless: bool = False  # whether it failed at every move


def standings(players: Sequence[str], outcomes: Sequence[Outcome], remote: Collection[str] = ()) -> list[Standing]:
    """Return the table, best mean score first. An incomplete match counts for errors only.

    The failures of `remote` players are unknown.
    """
    results = list(_results(players, outcomes))
    rated = ratings(len(players), results) if results else [None] * len(players)
    rows = [_standing(name, players, outcomes, rating) for name, rating in zip(players, rated, strict=True)]
    rows = [replace(row, failed=None, hopeless=False) if row.name in remote else row for row in rows]
    return sorted(rows, key=lambda row: -1.0 if row.score.mean is None else row.score.mean, reverse=True)


def elo_text(row: Standing) -> str:
    """Format a rating for tables; empty without one."""
    return f"{round(row.rating.elo):+d}" if row.rating else ""


def interval_text(row: Standing) -> str:
    """Format the 95% interval of a rating for tables; empty without one."""
    return f"{round(row.rating.low):+d} .. {round(row.rating.high):+d}" if row.rating else ""


def _standing(name: str, players: Sequence[str], outcomes: Sequence[Outcome], rating: Rating | None) -> Standing:
    seats = [(outcome, seat) for outcome in outcomes for seat, who in enumerate(outcome.players) if who == name]
    counted = [(outcome, seat) for outcome, seat in seats if outcome.completed]
    errors = Counter(kind for outcome, seat in seats for kind in outcome.errors[seat].split())
    asked = sum(outcome.steps for outcome, _ in seats)
    return Standing(
        name=name,
        score=estimate([outcome.goals[seat] for outcome, seat in counted]),
        rating=rating,
        errors={kind: errors[kind] for kind in KINDS},
        against={
            other: estimate([o.goals[seat] for o, seat in counted if other in o.players])
            for other in players
            if other != name
        },
        games={
            game: estimate([o.goals[seat] for o, seat in counted if o.game == game])
            for game in dict.fromkeys(o.game for o in outcomes)
        },
        failed=errors[FAILED],
        hopeless=0 < asked <= errors[FAILED] + errors["IL"] + errors["CE"],
    )


def _results(players: Sequence[str], outcomes: Sequence[Outcome]) -> Iterator[Result]:
    """Yield the pairwise results of all matches."""
    number = {name: index for index, name in enumerate(players)}
    for outcome in outcomes:
        for (one, mine), (other, theirs) in combinations(zip(outcome.players, outcome.goals, strict=False), 2):
            if one != other and one in number and other in number:
                yield number[one], number[other], 1.0 if mine > theirs else 0.0 if mine < theirs else 0.5


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement of `--require`: a comparison of a player's mean score with a number."""

    text: str
    player: str
    operator: str
    number: float

    def met(self, rows: Sequence[Standing]) -> bool:
        """Whether the requirement is met; false for a player without a completed match."""
        mean = next((row.score.mean for row in rows if row.name == self.player), None)
        if mean is None:
            return False
        return {
            ">=": mean >= self.number,
            "<=": mean <= self.number,
            ">": mean > self.number,
            "<": mean < self.number,
        }[self.operator]


def read_requirement(text: str, players: Sequence[str]) -> Requirement:
    """Parse a requirement like ``me>=60``. Raises PlanError."""
    found = re.fullmatch(r"\s*([^<>=]+?)\s*(>=|<=|>|<)\s*(\d+(?:\.\d*)?)\s*", text)
    if found is None:
        raise PlanError(f"--require {text!r:.60}: give a player, a comparison and a mean score, as in 'me>=60'")
    if found[1] not in players:
        raise PlanError(f"--require {text!r:.60}: unknown player {found[1]!r:.40}; known: {', '.join(players)}")
    return Requirement(text, found[1], found[2], float(found[3]))
