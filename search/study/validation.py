"""Validation of a network on held-out positions: losses, and comparison of values with results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from search.network import Activations, Network
from search.study.games import Games, Shares

BINS = 10
MAX_POSITIONS = 4096
"""Maximum number of positions that are evaluated for a calibration."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Means over positions, in nats: cross-entropies of values, and of the moves of all roles."""

    value: float
    policy: float

    @property
    def total(self) -> float:
        """Sum of both losses, which training minimizes."""
        return self.value + self.policy


def losses(network: Network, games: Games) -> Losses:
    """Compute losses of positions whose `results` are the target values, as in `search.study.training.Trainer.step`."""
    found = network.activations(np.unpackbits(games.observations, axis=1, count=len(network.facts)))
    logits = network.value_logits(found)
    value = float((np.logaddexp(0, logits) - games.results * logits).mean())
    parts = [_policy(network, role, found, own) for role, own in enumerate(games.policies)]
    return Losses(value, sum(parts) / len(games))


def _policy(network: Network, role: int, found: Activations, shares: Shares) -> float:
    """Return the cross-entropy over a role's legal moves, summed over positions."""
    if not len(shares.moves):
        return 0.0
    rows, wanted = shares.rows(), shares.shares.astype(np.float32)
    logits = network.logits(role, found, rows, shares.moves)
    highest = np.full(len(shares), -np.inf, np.float32)
    np.maximum.at(highest, rows, logits)
    logits = logits - highest[rows]
    totals = np.bincount(rows, np.exp(logits), len(shares))
    return -float((wanted * (logits - np.log(totals[rows]))).sum())


@dataclass(frozen=True, slots=True)
class Calibration:
    """Agreement of values with results.

    r2: share of the variance of results that the values explain. The values are divided into bins of equal width.
    expected: mean value per bin; brought: mean result per bin; counts: number of values per bin.
    """

    r2: float
    expected: tuple[float, ...]
    brought: tuple[float, ...]
    counts: tuple[int, ...]


def calibrate(network: Network, games: Games, rng: np.random.Generator) -> Calibration:
    """Compute the calibration over the values of all roles in a sample of the positions."""
    rows = rng.permutation(len(games))[:MAX_POSITIONS]
    some = games.take(rows)
    bits = np.unpackbits(some.observations, axis=1, count=len(network.facts))
    values, results = network.values(network.activations(bits)).ravel(), some.results.ravel()
    spread = float(((results - results.mean()) ** 2).mean())
    r2 = 1 - float(((results - values) ** 2).mean()) / spread if spread > 0 else 0.0
    bins = np.minimum((values * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    full = np.maximum(counts, 1)
    expected = np.bincount(bins, values, BINS) / full
    brought = np.bincount(bins, results, BINS) / full
    return Calibration(r2, tuple(expected.tolist()), tuple(brought.tolist()), tuple(counts.tolist()))
