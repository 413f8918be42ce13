"""When enough was played: Wald's sequential probability ratio test (Wald 1945) on results in 0..100.

H0: the expected result is `low` or less; H1: it is `high` or more. A result is read as the share of a win, so that one
of 50 counts as half a win and half a loss. The likelihood ratio is convex in a result, so that among results of a given
mean wins and losses alone make it largest: the risks stay below their bounds with draws and points, which only take
longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

UNDECIDED, WEAKER, STRONGER = "", "H0", "H1"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """`alpha`: the risk of H1 where H0 holds; `beta`: of H0 where H1 holds. Raises ValueError on what is no test."""

    low: float = 50.0
    high: float = 60.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 100:
            raise ValueError(f"a test between {self.low:g} and {self.high:g}: give 0 < low < high < 100")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"risks of {self.alpha:g} and {self.beta:g}: give numbers between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratio at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, results: Sequence[float]) -> float:
        """The logarithm of the likelihood ratio of H1 to H0."""
        wins = sum(results) / 100
        gain = math.log(self.high / self.low)
        loss = math.log((100 - self.high) / (100 - self.low))
        return wins * gain + (len(results) - wins) * loss

    def verdict(self, results: Sequence[float]) -> str:
        """`UNDECIDED`, `WEAKER` (H0) or `STRONGER` (H1): what was reached first, going through the results in order."""
        low, high = self.bounds
        for count in range(1, len(results) + 1):
            ratio = self.ratio(results[:count])
            if ratio <= low or ratio >= high:
                return STRONGER if ratio >= high else WEAKER
        return UNDECIDED


PRIOR = 10
"""Results that a variance is begun with, ..."""
PRIOR_SPREAD = 25.0**2
"""... and their variance."""


class PairedTest(SequentialTest):
    """The same where most results lie near 50, as of pairs of games: by the variance that they show.

    The likelihoods are those of normal distributions (the generalised test that chess engines are tested by; Van den
    Bergh 2019), which hold for means of many results.
    """

    def ratio(self, results: Sequence[float]) -> float:
        """The logarithm of the likelihood ratio of H1 to H0."""
        count, mean, variance = _moments(results)
        return count * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance)


SURE = 2.33
"""Standard errors; a risk of 1% on one side."""


def surely_above(results: Sequence[float], level: float) -> bool:
    """Whether results as of `PairedTest` show a mean above a level by their number and spread.

    For one look at results that came to an end before a sequential test was decided. Such a test is slow where the mean
    is far above what it asks for and results are few.
    """
    count, mean, variance = _moments(results)
    return mean - SURE * math.sqrt(variance / count) > level


def _moments(results: Sequence[float]) -> tuple[int, float, float]:
    """Number, mean and variance, which begins with `PRIOR_SPREAD`."""
    count = len(results)
    mean = sum(results) / count
    spread = sum((result - mean) ** 2 for result in results) + PRIOR * PRIOR_SPREAD
    return count, mean, spread / (count + PRIOR)
