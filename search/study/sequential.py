"""Sequential probability ratio test (Wald 1945) on results in 0..100.

H0: the expected result is `low` or less; H1: it is `high` or more. A result counts as a share of a win: 50 is half a
win and half a loss. The likelihood ratio is convex in each result. So for a given mean, it is largest if all results
are wins or losses. With other results, the risks therefore stay below their bounds, and the test only takes longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

UNDECIDED, WEAKER, STRONGER = "", "H0", "H1"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Test of H0 against H1. Raises ValueError on invalid numbers.

    alpha: risk of accepting H1 if H0 is true; beta: risk of accepting H0 if H1 is true.
    """

    low: float = 50.0
    high: float = 60.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 100:
            raise ValueError(f"the test bounds {self.low:g} and {self.high:g} are invalid: give 0 < low < high < 100")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"the risks {self.alpha:g} and {self.beta:g} are invalid: give numbers between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Logarithms of the likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, results: Sequence[float]) -> float:
        """Return the logarithm of the likelihood ratio of H1 to H0."""
        wins = sum(results) / 100
        gain = math.log(self.high / self.low)
        loss = math.log((100 - self.high) / (100 - self.low))
        return wins * gain + (len(results) - wins) * loss

    def verdict(self, results: Sequence[float]) -> str:
        """Return the decision after the results in order: `WEAKER` (H0), `STRONGER` (H1) or `UNDECIDED`."""
        low, high = self.bounds
        for count in range(1, len(results) + 1):
            ratio = self.ratio(results[:count])
            if ratio <= low or ratio >= high:
                return STRONGER if ratio >= high else WEAKER
        return UNDECIDED


PRIOR = 10
"""Number of prior results that are included in a variance."""
PRIOR_SPREAD = 25.0**2
"""Variance of the prior results."""


class PairedTest(SequentialTest):
    """Sequential test for results near 50, such as those of game pairs; it uses their own variance.

    The likelihoods are those of normal distributions (the generalized test of chess engines; Van den Bergh 2019), to
    which means of many results converge.
    """

    def ratio(self, results: Sequence[float]) -> float:
        """Return the logarithm of the likelihood ratio of H1 to H0."""
        count, mean, variance = _moments(results)
        return count * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance)


SURE = 2.33
"""Number of standard errors for a one-sided risk of 1%."""


def surely_above(results: Sequence[float], level: float) -> bool:
    """Return whether results of game pairs show that the expected result is above `level`; the risk of error is 1%.

    Call this once, if a sequential test has not decided and no results will follow. If a few results are far above
    `level`, this test may decide although the sequential test has not decided yet.
    """
    count, mean, variance = _moments(results)
    return mean - SURE * math.sqrt(variance / count) > level


def _moments(results: Sequence[float]) -> tuple[int, float, float]:
    """Return the number, mean and variance; the variance includes the prior results."""
    count = len(results)
    mean = sum(results) / count
    spread = sum((result - mean) ** 2 for result in results) + PRIOR * PRIOR_SPREAD
    return count, mean, spread / (count + PRIOR)
