"""Statistics of scores: means, differences and 95% intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

Z95 = 1.959963984540054  # the standard normal's 97.5% quantile


def students_t(freedom: int) -> float:
    """Return the 97.5% quantile of Student's distribution (Abramowitz & Stegun 26.7.5); 1% too small for 2 degrees."""
    z, n = Z95, freedom
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / n**power for power, term in enumerate(terms))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean score and its 95% interval, all 0..100; None without a score."""

    count: int
    mean: float | None
    low: float | None
    high: float | None

    def shown(self) -> tuple[str, str]:
        """Format the mean and the interval for tables; empty without a score."""
        if self.mean is None:
            return "", ""
        return f"{self.mean:.1f}", f"{self.low:.1f} .. {self.high:.1f}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean difference of two players' scores in the same matches with its 95% interval, all -100..100."""

    mean: float
    low: float
    high: float

    @property
    def told_apart(self) -> bool:
        """Whether the interval excludes 0."""
        return not self.low <= 0 <= self.high


def difference(ones: Sequence[float], others: Sequence[float]) -> Difference | None:
    """Estimate the difference of two players' scores, paired by match; None without a match.

    Pairing cancels the common influence of a match, and accounts for the low variance of draws. Two wins and two
    losses are added (Agresti & Caffo 2000), so that the interval does not collapse if all matches end alike.
    """
    if not ones:
        return None
    values = [one - other for one, other in zip(ones, others, strict=True)]
    with_four = [*values, 100.0, 100.0, -100.0, -100.0]
    centre = fmean(with_four)
    half = Z95 * pstdev(with_four, centre) / math.sqrt(len(with_four))
    return Difference(fmean(values), max(-100.0, centre - half), min(100.0, centre + half))


def estimate(scores: Sequence[float]) -> Estimate:
    """Estimate the mean of scores in 0..100 with Wilson's interval (Wilson 1927).

    A score counts as a fraction of a win. For a given mean, wins and losses have the largest variance, so the interval
    is conservative for draws. The interval does not collapse if all matches are won.
    """
    n = len(scores)
    if n == 0:
        return Estimate(0, None, None, None)
    mean = fmean(scores)  # rounded once, so that a whole number is exact
    p = mean / 100
    spread = Z95 * Z95 / n
    centre = (p + spread / 2) / (1 + spread)
    half = math.sqrt(max(0.0, spread * (p * (1 - p) + spread / 4))) / (1 + spread)
    return Estimate(n, mean, max(0.0, 100 * (centre - half)), min(100.0, 100 * (centre + half)))
