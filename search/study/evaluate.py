"""A network as the evaluation of a batch search: what it says of the positions that a batch shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.batch import Batch
from reasoner.kernels import kernel
from search.network import Network

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]


class NetworkEvaluate:
    """Scores batches of one machine; facts and moves that the network does not know count as nothing.

    An instance keeps arrays between calls, which its answers are: use them before the next call.
    """

    def __init__(self, batch: Batch, network: Network) -> None:
        width = len(network.fact_bias)
        known = dict(zip(network.facts, network.fact_rows, strict=True))
        none = np.zeros(width, np.float32)
        self._network = network
        self._rows = np.ascontiguousarray([known.get(fact, none) for fact in batch.facts], np.float32)
        self._policy = [
            _policy_of(batch.moves[role], network.moves[role], *network.policy[role])
            for role in range(len(batch.roles))
        ]

    def __call__(self, batch: Batch) -> tuple[Sequence[Floats], Floats]:
        """Priors of every role's legal moves, R times [N, M], and values as 0..1, [N, R]."""
        network = self._network
        units = np.empty((batch.games, self._rows.shape[1]), np.float32)
        sum_rows(batch.observation, self._rows, network.fact_bias, units)
        for weights, bias in network.hidden:
            units = units @ weights
            units += bias
            np.maximum(units, 0, out=units)
        weights, bias = network.value
        values: Floats = 1 / (1 + np.exp(-(units @ weights + bias)))
        return [self._priors(batch, role, units) for role in range(len(batch.roles))], values

    def _priors(self, batch: Batch, role: int, units: Floats) -> Floats:
        rows, bias = self._policy[role]
        logits: Floats = units @ rows
        soften(logits, bias, batch.legal_of(role).view(np.uint8))
        return logits


def _policy_of(moves: Sequence[object], known: Sequence[object], rows: Floats, bias: Floats) -> tuple[Floats, Floats]:
    """Weights and biases in the order of `moves`; zeros for those not known.  # [K, M], [M]."""
    places = {move: place for place, move in enumerate(known)}
    own = np.zeros((len(moves), rows.shape[1]), np.float32)
    own_bias = np.zeros(len(moves), np.float32)
    for move, term in enumerate(moves):
        if (place := places.get(term)) is not None:
            own[move], own_bias[move] = rows[place], bias[place]
    return np.ascontiguousarray(own.T), own_bias


@kernel
def sum_rows(observation: Bytes, rows: Floats, bias: Floats, out: Floats) -> None:
    """The first layer: the bias and the rows of true facts, rectified.  # observation [N, F], 0 or 1; out [N, H]."""
    for game in range(len(observation)):
        units = out[game]
        units[:] = bias
        for fact in range(observation.shape[1]):
            if observation[game, fact]:
                row = rows[fact]
                for unit in range(len(units)):
                    units[unit] += row[unit]
        for unit in range(len(units)):
            units[unit] = max(units[unit], np.float32(0))


@kernel
def soften(logits: Floats, bias: Floats, legal: Bytes) -> None:
    """Logits become the softmax over the legal moves, in place; others are left as they are.  # [N, M]."""
    for game in range(len(logits)):
        most = np.float32(-np.inf)
        for move in range(len(bias)):
            if legal[game, move]:
                logits[game, move] += bias[move]
                most = max(most, logits[game, move])
        total = np.float32(1e-30)
        for move in range(len(bias)):
            if legal[game, move]:
                logits[game, move] = np.exp(logits[game, move] - most)
                total += logits[game, move]
        for move in range(len(bias)):
            if legal[game, move]:
                logits[game, move] /= total
