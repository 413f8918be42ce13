"""Ridge regression of weights, and their fit on held-out games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Floats, Longs

HELD_OUT = 5
"""One game of so many is held out for testing."""
PENALTY = 0.003
"""Penalty on a weight's square, for features of deviation 1: uninformative features get small weights."""


class Fit(NamedTuple):
    """A linear function of features."""

    weights: Floats  # [features, targets]
    bias: Floats  # [targets]
    r2: Floats  # [targets] on the held-out games, at most 1; 0 if they all end alike


def fit(features: Floats, targets: Floats, games: Longs, penalty: float = PENALTY) -> Fit:
    """Fit `targets` [positions, targets] by `features` [positions, features]; `games` [positions] numbers the games.

    Positions of one game are held out together, because they have the same end. At least one position is needed.
    """
    tested = games % HELD_OUT == HELD_OUT - 1
    learned = ~tested if (~tested).any() else tested
    weights, bias = _ridge(features[learned], targets[learned], penalty)
    return Fit(weights, bias, _r2(features[tested] @ weights + bias, targets[tested]))


def _ridge(features: Floats, targets: Floats, penalty: float) -> tuple[Floats, Floats]:
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1.0)
    centred, level = (features - mean) / scale, targets.mean(axis=0)
    gram = centred.T @ centred / len(features) + penalty * np.eye(features.shape[1])
    weights = np.linalg.solve(gram, centred.T @ (targets - level) / len(features)) / scale[:, None]
    return weights, level - mean @ weights


def _r2(predicted: Floats, seen: Floats) -> Floats:
    if not len(seen):
        return np.zeros(seen.shape[1])
    spread = ((seen - seen.mean(axis=0)) ** 2).sum(axis=0)
    missed = ((seen - predicted) ** 2).sum(axis=0)
    return np.where(spread > 0, 1 - missed / np.where(spread > 0, spread, 1.0), 0.0)
