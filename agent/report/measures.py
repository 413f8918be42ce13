"""Measures of a game from played games, named as in their sources, with sample sizes and 95% intervals.

Browne 2009, "Automatic Generation and Evaluation of Recombination Games" (thesis, Queensland University of Technology),
defines completion, drawishness, balance, duration, drama, lead change and decisiveness. The concepts of Ludii (Piette,
Stephenson, Soemers & Browne 2021, "General Board Game Concepts") refine them; `MEASURES` names those that correspond.
Game trees are estimated as in Knuth 1975, "Estimating the Efficiency of Backtrack Programs", the number of states as in
Chao 1984, "Nonparametric Estimation of the Number of Classes in a Population". Depth is the gain from more search, as
in Lantz, Isaksen, Jaffe, Nealen & Togelius 2017, "Depth in Strategic Games".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from agent.gamemaster.statistics import Z95, estimate, students_t
from agent.report.play import Played
from agent.tournament.elo import ratings
from reasoner.arrays import Floats
from reasoner.batch import NONE

SHARE, NUMBER, POWER, ELO = "share", "number", "power of ten", "Elo"
"""Forms of values: 0..1; any number; the decimal logarithm of a number; Elo points."""

MEASURES = {
    "duration": ("length in joint moves", NUMBER, "Browne: duration; Ludii: DurationMoves"),
    "branching": ("branching factor", NUMBER, "Ludii: BranchingFactorAverage"),
    "decisions": ("positions with a choice", SHARE, "Ludii: DecisionMoves"),
    "timeouts": ("unfinished games", SHARE, "Browne: timeouts; Ludii: Timeouts"),
    "completion": ("games that one role wins", SHARE, "Browne: completion; Ludii: Completion"),
    "drawishness": ("draws", SHARE, "Browne: drawishness; Ludii: Drawishness"),
    "balance": ("balance", SHARE, "Browne: balance; Ludii: Balance"),
    "score": ("score", SHARE, "Browne: advantage, of the first role"),
    "lead_changes": ("lead changes per move", SHARE, "Browne: lead change; Ludii: LeadChange"),
    "drama": ("drama", NUMBER, "Browne: drama; Ludii: DramaAverage"),
    "decisiveness": ("decided part of the game", SHARE, "Browne: decisiveness; Ludii: DecisivenessMoves"),
    "game_tree": ("games, 10 to the power of", POWER, "Ludii: GameTreeComplexity; Knuth 1975"),
    "states_seen": ("states seen, 10 to the power of", POWER, "Ludii: StateSpaceComplexity; a lower bound"),
    "states": ("states, 10 to the power of", POWER, "Ludii: StateSpaceComplexity; Chao 1984, a lower bound"),
    "depth": ("strategic depth", ELO, "Lantz et al. 2017"),
}
"""Label, form and source of each measure."""

RANDOM_PLAY = "random"
"""How games were played, in `Figure.play`, if not by search."""
RESAMPLES = 400
FEWEST = 3
"""Minimum number of values of a mean with an interval."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value, with the 95% interval if it is a mean; `count` is the number of games or positions."""

    measure: str
    name: str
    play: str  # RANDOM_PLAY, or the number of simulations per move
    value: float
    low: float | None
    high: float | None
    count: int

    @property
    def form(self) -> str:
        """The form of the value: SHARE, NUMBER, POWER or ELO."""
        return MEASURES[self.measure][1]


def _share(measure: str, play: str, values: Floats, of: str = "") -> Figure:
    """Return the mean of values 0..1 with Wilson's interval."""
    found = estimate((100 * values).tolist())
    mean, low, high = ((end or 0) / 100 for end in (found.mean, found.low, found.high))
    return Figure(measure, MEASURES[measure][0] + of, play, mean, low, high, len(values))


def _mean(measure: str, play: str, values: Floats) -> Figure:
    """Return the mean with Student's interval."""
    mean, count = float(values.mean()), len(values)
    if count < FEWEST:
        return Figure(measure, MEASURES[measure][0], play, mean, None, None, count)
    half = students_t(count - 1) * float(values.std(ddof=1)) / math.sqrt(count)
    high = min(mean + half, 1.0) if MEASURES[measure][1] == SHARE else mean + half
    return Figure(measure, MEASURES[measure][0], play, mean, max(mean - half, 0.0), high, count)


def figures(played: Played, roles: Sequence[str], players: Sequence[int], points: int, play: str) -> Iterator[Figure]:
    """Compute the figures of the games `played`; `play` names the way in which all of them were played.

    players: the roles that are not chance.
    points:  the maximum goal value.
    """
    lengths, ended = played.lengths, played.terminal
    moved = np.maximum(lengths, 1)
    yield _share("timeouts", play, (~ended).astype(np.float64))
    yield _mean("duration", play, lengths.astype(np.float64))
    yield _mean("branching", play, played.width / moved)
    yield _mean("decisions", play, played.decisions / moved)
    if ended.any() and players:
        yield from _outcomes(np.maximum(played.goals[ended][:, players], 0) / points, [roles[p] for p in players], play)
    for measure in ("lead_changes", "decisiveness", "drama"):
        known = getattr(played, measure)
        known = known[~np.isnan(known)]
        if len(known):
            yield _mean(measure, play, known)
    if play == RANDOM_PLAY:
        yield _tree(played.tree)
        yield from _states(played)


def _outcomes(scores: Floats, roles: Sequence[str], play: str) -> Iterator[Figure]:
    """Compute the figures of final scores.  # scores [games, roles], 0..1."""
    best = scores == scores.max(axis=1, keepdims=True)
    if len(roles) > 1:
        alone = best.sum(axis=1) == 1
        yield _share("completion", play, alone.astype(np.float64))
        yield _share("drawishness", play, (~alone).astype(np.float64))
        yield _balance((best & alone[:, None]).astype(np.float64), play)
    for role, own in zip(roles, scores.T, strict=True):
        yield _share("score", play, own, f" of {role}")


def _balance(wins: Floats, play: str) -> Figure:
    """Return 1 minus the difference of the greatest and the least share of wins.  # wins [games, roles].

    For the interval, two wins and two losses are added (Agresti & Caffo 2000), as in `statistics.difference`.
    """
    shares = wins.mean(axis=0)
    apart = wins[:, shares.argmax()] - wins[:, shares.argmin()] if np.ptp(shares) else wins[:, 0] - wins[:, 1]
    with_four = np.concatenate([apart, [1, 1, -1, -1]])
    half = Z95 * float(with_four.std()) / math.sqrt(len(with_four))
    value = 1 - float(np.ptp(shares))
    return Figure("balance", MEASURES["balance"][0], play, value, max(value - half, 0), min(value + half, 1), len(wins))


def _tree(logs: Floats) -> Figure:
    """Estimate the number of games: the mean product of the branching along random games; interval by bootstrap."""
    top, rng = float(logs.max()), np.random.default_rng(0)
    weights = 10.0 ** (logs - top)
    means = [float(rng.choice(weights, len(weights)).mean()) for _ in range(RESAMPLES)]
    low, value, high = (
        top + math.log10(max(mean, 1e-300))
        for mean in (np.quantile(means, 0.025), weights.mean(), np.quantile(means, 0.975))
    )
    return Figure("game_tree", MEASURES["game_tree"][0], RANDOM_PLAY, value, low, high, len(logs))


def _states(played: Played) -> Iterator[Figure]:
    """Estimate the number of states from how many were seen once and twice."""
    times = np.unique(played.keys, return_counts=True)[1]
    once, twice, seen = int((times == 1).sum()), int((times == 2).sum()), len(times)
    more = once * once / (2 * twice) if twice else once * (once - 1) / 2
    for measure, number in (("states_seen", seen), ("states", seen + more)):
        value = math.log10(max(number, 1))
        yield Figure(measure, MEASURES[measure][0], RANDOM_PLAY, value, None, None, len(played.keys))


def depth(played: Played, players: Sequence[int], stronger: np.ndarray, more: int, less: int) -> Figure:
    """Return the Elo gain of `more` over `less` simulations per move.

    stronger: [N, R] whether the role has `more` simulations.
    """
    results = []
    for goals, strong in zip(played.goals[:, players], stronger[:, players], strict=True):
        apart = float(goals[strong].mean() - goals[~strong].mean())
        results.append((0, 1, 0.5 + 0.5 * float(np.sign(apart))))
    one, _ = ratings(2, results)
    name = f"Elo of {more} simulations over {less}"
    return Figure("depth", name, f"{less} and {more}", 2 * one.elo, 2 * one.low, 2 * one.high, len(results))


def constant_sum(played: Played, players: Sequence[int]) -> bool:
    """Whether the goals of the players have the same sum in all finished games."""
    goals = played.goals[played.terminal][:, players]
    return len(players) > 1 and len(goals) > 0 and bool((goals != NONE).all() and np.ptp(goals.sum(axis=1)) == 0)


def differs(one: Figure, other: Figure) -> bool:
    """Whether two figures of the same measure differ by more than their intervals; false if an interval is missing."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    ends = (
        (one.value - one.low, other.high - other.value)
        if one.value > other.value
        else (one.high - one.value, other.value - other.low)
    )
    return abs(one.value - other.value) > math.hypot(*ends)
