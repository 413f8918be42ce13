"""What the results say: scores with intervals, ratings, errors, who did how against whom and at which game."""

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
    """One player's row. `against` and `games` hold mean scores, None where they did not meet."""

    name: str
    score: Estimate
    rating: Rating | None  # None where nobody was met
    errors: dict[str, int]
    against: dict[str, Estimate]
    games: dict[str, Estimate]
    failed: int | None = 0  # moves that the player failed at; None where it runs elsewhere, and that is not known
    hopeless: bool = False  # whether it chose no move of its own in any match


def standings(players: Sequence[str], outcomes: Sequence[Outcome], elsewhere: Collection[str] = ()) -> list[Standing]:
    """The table, best mean score first. A match that was not completed counts for errors only.

    Players that run `elsewhere` do not tell of their failures.
    """
    results = list(_results(players, outcomes))
    rated = ratings(len(players), results) if results else [None] * len(players)
    rows = [_standing(name, players, outcomes, rating) for name, rating in zip(players, rated, strict=True)]
    rows = [replace(row, failed=None, hopeless=False) if row.name in elsewhere else row for row in rows]
    return sorted(rows, key=lambda row: -1.0 if row.score.mean is None else row.score.mean, reverse=True)


def elo_text(row: Standing) -> str:
    """A rating as tables have it, empty without one."""
    return f"{round(row.rating.elo):+d}" if row.rating else ""


def interval_text(row: Standing) -> str:
    """The 95% interval of a rating as tables have it, empty without one."""
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
    """Who did better than whom, once for each two players of a match."""
    number = {name: index for index, name in enumerate(players)}
    for outcome in outcomes:
        for (one, mine), (other, theirs) in combinations(zip(outcome.players, outcome.goals, strict=False), 2):
            if one != other and one in number and other in number:
                yield number[one], number[other], 1.0 if mine > theirs else 0.0 if mine < theirs else 0.5


@dataclass(frozen=True, slots=True)
class Requirement:
    """What `--require` asks: a player's mean score compared with a number."""

    text: str
    player: str
    operator: str
    number: float

    def met(self, rows: Sequence[Standing]) -> bool:
        """Whether it is so; a player without a completed match meets nothing."""
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
    """`text`, as in ``me>=60``. Raises PlanError."""
    found = re.fullmatch(r"\s*([^<>=]+?)\s*(>=|<=|>|<)\s*(\d+(?:\.\d*)?)\s*", text)
    if found is None:
        raise PlanError(f"--require {text!r:.60}: write a player, a comparison and a mean score, as in 'me>=60'")
    if found[1] not in players:
        raise PlanError(f"--require {text!r:.60}: {found[1]!r:.40} is no player; they are {', '.join(players)}")
    return Requirement(text, found[1], found[2], float(found[3]))
