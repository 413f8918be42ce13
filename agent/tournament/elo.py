"""Elo ratings from pairwise results (Bradley and Terry 1952; a draw is half a win for both).

The ratings maximize the posterior under a wide normal prior, which keeps them finite for players that win or lose
everything. The intervals follow from the curvature of the log posterior.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.gamemaster.statistics import Z95

SCALE = 400 / math.log(10)
"""Elo points per unit of the logistic scale."""
PRIOR = 800 / SCALE
"""Standard deviation of the prior."""
STEPS = 50


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo points with the 95% interval; the mean over all players is 0."""

    elo: float
    low: float
    high: float


Result = tuple[int, int, float]
"""The indices of two players, and the result of the first player: 1, 0.5 or 0."""


def ratings(players: int, results: Sequence[Result]) -> list[Rating]:
    """Compute the ratings by Newton's method; the log posterior is concave, so the maximum is unique."""
    strength = np.zeros(players)
    curvature = np.eye(players) / PRIOR**2
    for _ in range(STEPS):
        slope, curvature = _derivatives(strength, results)
        step = np.linalg.solve(curvature, slope)
        strength += np.clip(step, -2.0, 2.0)
        if float(np.abs(step).max(initial=0.0)) < 1e-9:
            break
    centre = np.eye(players) - 1 / players
    variance = np.diag(centre @ np.linalg.inv(curvature) @ centre.T)
    points = SCALE * (strength - strength.mean())
    reach = Z95 * SCALE * np.sqrt(variance)
    return [
        Rating(round(float(p), 1), round(float(p - r), 1), round(float(p + r), 1))
        for p, r in zip(points, reach, strict=True)
    ]


def _derivatives(strength: np.ndarray, results: Sequence[Result]) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient and the negative Hessian of the log posterior."""
    slope = -strength / PRIOR**2
    curvature = np.eye(len(strength)) / PRIOR**2
    for first, second, made in results:
        expected = 1 / (1 + math.exp(float(strength[second] - strength[first])))
        slope[first] += made - expected
        slope[second] -= made - expected
        weight = expected * (1 - expected)
        curvature[[first, second], [first, second]] += weight
        curvature[[first, second], [second, first]] -= weight
    return slope, curvature
