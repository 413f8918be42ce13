"""What many matches say about a player: the mean score, and how far it can be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054  # the standard normal's 97.5% quantile


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean score and its 95% interval, all 0..100; None without a score."""

    count: int
    mean: float | None
    low: float | None
    high: float | None

    def shown(self) -> tuple[str, str]:
        """The mean and the interval as tables have them, empty without a score."""
        if self.mean is None:
            return "", ""
        return f"{self.mean:.1f}", f"{self.low:.1f} .. {self.high:.1f}"


def estimate(scores: Sequence[float]) -> Estimate:
    """The mean of scores in 0..100 with Wilson's interval (Wilson 1927).

    A score is read as the share of a win. Among scores in 0..100 with a given mean, wins and losses spread most, so
    that the interval is on the safe side for draws; and it does not shrink to nothing when all matches are won.
    """
    n = len(scores)
    if n == 0:
        return Estimate(0, None, None, None)
    p = sum(scores) / (100 * n)
    spread = Z95 * Z95 / n
    centre = (p + spread / 2) / (1 + spread)
    half = math.sqrt(max(0.0, spread * (p * (1 - p) + spread / 4))) / (1 + spread)
    return Estimate(n, 100 * p, max(0.0, 100 * (centre - half)), min(100.0, 100 * (centre + half)))
