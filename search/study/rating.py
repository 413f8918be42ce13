"""Elo points from matches with one's own past: steps that are added up, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 400 / math.log(10)
Z95 = 1.96
MOST = 800.0
"""Points of one step, where everything was won or lost."""


@dataclass(frozen=True, slots=True)
class Step:
    """How much stronger one is than the other, with the standard error."""

    points: float = 0.0
    error: float = 0.0

    def __add__(self, other: Step) -> Step:
        """One after the other; errors are independent."""
        return Step(self.points + other.points, math.hypot(self.error, other.error))

    @property
    def interval(self) -> tuple[float, float]:
        """Where it lies with 95%."""
        return self.points - Z95 * self.error, self.points + Z95 * self.error


def step_of(results: Sequence[float]) -> Step:
    """Elo points of results in 0..100 (the logistic curve), half a win and half a loss added against infinity."""
    count = len(results) + 1
    mean = (sum(results) / 100 + 0.5) / count
    points = SCALE * math.log(mean / (1 - mean))
    spread = (sum((result / 100 - mean) ** 2 for result in results) + 0.25) / count
    error = SCALE * math.sqrt(spread / count) / (mean * (1 - mean))
    return Step(max(-MOST, min(MOST, points)), error)
