"""Elo ratings from matches against earlier versions: steps that are added up, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 400 / math.log(10)
Z95 = 1.96
MAX_POINTS = 800.0
"""Points of one step at most, when everything was won or lost."""


@dataclass(frozen=True, slots=True)
class Step:
    """Elo difference of two players, with the standard error."""

    points: float = 0.0
    error: float = 0.0

    def __add__(self, other: Step) -> Step:
        """Add two successive steps; errors are independent."""
        return Step(self.points + other.points, math.hypot(self.error, other.error))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval."""
        return self.points - Z95 * self.error, self.points + Z95 * self.error


def step_of(results: Sequence[float]) -> Step:
    """Return the Elo points of results in 0..100 (logistic curve); half a win and half a loss keep them finite."""
    count = len(results) + 1
    mean = (sum(results) / 100 + 0.5) / count
    points = SCALE * math.log(mean / (1 - mean))
    spread = (sum((result / 100 - mean) ** 2 for result in results) + 0.25) / count
    error = SCALE * math.sqrt(spread / count) / (mean * (1 - mean))
    return Step(max(-MAX_POINTS, min(MAX_POINTS, points)), error)
