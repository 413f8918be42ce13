"""Sequential probability ratio test (Wald 1945) on results in 0..100.

H0: the expected result is `low` or less; H1: it is `high` or more. A result counts as a share of a win: 50 is half a
win and half a loss. The likelihood ratio is convex in each result. So for a given mean, it is largest if all results
are wins or losses. With other results, the risks therefore stay below their bounds, and the test only takes longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Floats, Ints

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
        """Return the logarithm of the likelihood ratio of H1 to H0; 0 before the first result."""
        return float(self._ratios(results)[-1]) if len(results) else 0.0

    def _ratios(self, results: Sequence[float]) -> Floats:
        """Return the logarithm of the likelihood ratio after each result.  # [results]."""
        wins = np.cumsum(results) / 100
        gain = math.log(self.high / self.low)
        loss = math.log((100 - self.high) / (100 - self.low))
        ratios: Floats = wins * gain + (np.arange(1, len(wins) + 1) - wins) * loss
        return ratios

    def verdict(self, results: Sequence[float]) -> str:
        """Return the decision after the results in order: `WEAKER` (H0), `STRONGER` (H1) or `UNDECIDED`."""
        low, high = self.bounds
        ratios = self._ratios(results)
        decisive = np.flatnonzero((ratios <= low) | (ratios >= high))
        if not len(decisive):
            return UNDECIDED
        return STRONGER if ratios[decisive[0]] >= high else WEAKER


PRIOR = 10
"""Number of prior results that are included in a variance."""
PRIOR_SPREAD = 25.0**2
"""Variance of the prior results."""


class PairedTest(SequentialTest):
    """Sequential test for results near 50, such as those of game pairs; it uses their own variance.

    The likelihoods are those of normal distributions (the generalized test of chess engines; Van den Bergh 2019), to
    which means of many results converge.
    """

    def _ratios(self, results: Sequence[float]) -> Floats:
        counts, means, variances = _moments(results)
        ratios: Floats = counts * (self.high - self.low) * (2 * means - self.low - self.high) / (2 * variances)
        return ratios


SURE = 2.33
"""Number of standard errors for a one-sided risk of 1%."""


def surely_above(results: Sequence[float], level: float) -> bool:
    """Return whether results of game pairs show that the expected result is above `level`; the risk of error is 1%.

    Call this once, if a sequential test has not decided and no results will follow. If a few results are far above
    `level`, this test may decide although the sequential test has not decided yet.
    """
    counts, means, variances = _moments(results)
    return bool(means[-1] - SURE * math.sqrt(variances[-1] / counts[-1]) > level)


def _moments(results: Sequence[float]) -> tuple[Ints, Floats, Floats]:
    """Return the number, mean and variance of the results up to each one; the variances include the prior results."""
    found = np.asarray(results, np.float64)
    counts = np.arange(1, len(found) + 1, dtype=np.int32)
    means = np.cumsum(found) / counts
    spreads = np.maximum(np.cumsum(found**2) - counts * means**2, 0.0) + PRIOR * PRIOR_SPREAD
    return counts, means, spreads / (counts + PRIOR)
