"""Elo ratings from matches against earlier versions: the differences of successive versions are added up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SCALE = 400 / math.log(10)
Z95 = 1.96
MAX_POINTS = 800.0
"""Maximum Elo difference of one step."""


@dataclass(frozen=True, slots=True)
class Step:
    """Elo difference between two players, with its standard error."""

    points: float = 0.0
    error: float = 0.0

    def __add__(self, other: Step) -> Step:
        """Return the sum of two successive steps, whose errors are independent."""
        return Step(self.points + other.points, math.hypot(self.error, other.error))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval."""
        return self.points - Z95 * self.error, self.points + Z95 * self.error


def step_of(results: Sequence[float]) -> Step:
    """Return the Elo difference of results in 0..100 (logistic curve); half a win and half a loss are added first."""
    count = len(results) + 1
    mean = (sum(results) / 100 + 0.5) / count
    points = SCALE * math.log(mean / (1 - mean))
    spread = (sum((result / 100 - mean) ** 2 for result in results) + 0.25) / count
    error = SCALE * math.sqrt(spread / count) / (mean * (1 - mean))
    return Step(max(-MAX_POINTS, min(MAX_POINTS, points)), error)


def forecast(matches: Sequence[Mapping[str, Any]], seconds: float) -> float | None:
    """Return the Elo points expected from `seconds` more, by the last two entries of matches; None with fewer.

    Ratings are taken to grow with the logarithm of the time, and not to fall (research/studying.md).
    """
    if len(matches) < 2:
        return None
    first, last = matches[-2:]
    if not 0 < first["seconds"] < last["seconds"]:
        return None
    slope: float = (last["elo"] - first["elo"]) / math.log(last["seconds"] / first["seconds"])
    return max(slope, 0.0) * math.log1p(seconds / last["seconds"])
