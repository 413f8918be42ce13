"""Calibration of a network: its values compared with the results of games it has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from search.network import Network
from search.study.games import Games

BINS = 10
MOST = 4096
"""Positions that are evaluated."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """r2: share of the results' variance that values explain; for each bin its mean value, mean result and size."""

    r2: float
    expected: tuple[float, ...]
    brought: tuple[float, ...]
    counts: tuple[int, ...]


def calibrate(network: Network, games: Games, rng: np.random.Generator) -> Calibration:
    """Compute the calibration over the values of all roles in a sample of the positions."""
    rows = rng.permutation(len(games))[:MOST]
    some = games.take(rows)
    bits = np.unpackbits(some.observations, axis=1, count=len(network.facts))
    values, results = network.forward(bits).values.ravel(), some.results.ravel()
    spread = float(((results - results.mean()) ** 2).mean())
    r2 = 1 - float(((results - values) ** 2).mean()) / spread if spread > 0 else 0.0
    bins = np.minimum((values * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    full = np.maximum(counts, 1)
    expected = np.bincount(bins, values, BINS) / full
    brought = np.bincount(bins, results, BINS) / full
    return Calibration(r2, tuple(expected.tolist()), tuple(brought.tolist()), tuple(counts.tolist()))
