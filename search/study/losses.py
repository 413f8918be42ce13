"""Losses of a network on positions that it has not learned from; the losses of training, without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from search.network import Network
from search.study.games import Games, Shares


@dataclass(frozen=True, slots=True)
class Losses:
    """Means over positions, in nats: cross-entropies of values, and of the moves of all roles."""

    value: float
    policy: float

    @property
    def total(self) -> float:
        """The sum that training minimizes."""
        return self.value + self.policy


def losses(network: Network, games: Games) -> Losses:
    """Compute losses of positions whose `results` are the target values, as in `search.study.training.Trainer.step`."""
    units = network.units(np.unpackbits(games.observations, axis=1, count=len(network.facts)))
    weights, bias = network.value
    logits = units @ weights + bias
    value = float((np.logaddexp(0, logits) - games.results * logits).mean())
    parts = [_policy(units, own, *network.policy[role]) for role, own in enumerate(games.policies)]
    return Losses(value, sum(parts) / len(games))


def _policy(units: np.ndarray, shares: Shares, weights: np.ndarray, bias: np.ndarray) -> float:
    """Return the cross-entropy over a role's legal moves, summed over positions.  # units [P, K], weights [M, K]."""
    if not len(shares.moves):
        return 0.0
    rows, wanted = shares.rows(), shares.shares.astype(np.float32)
    logits = np.einsum("ek,ek->e", units[rows], weights[shares.moves]) + bias[shares.moves]
    highest = np.full(len(units), -np.inf, np.float32)
    np.maximum.at(highest, rows, logits)
    logits -= highest[rows]
    totals = np.bincount(rows, np.exp(logits), len(units))
    return -float((wanted * (logits - np.log(totals[rows]))).sum())
