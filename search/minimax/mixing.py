"""A learned evaluation beside playouts: its weight in the values of leaves, and the network that gives its values."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bytes, Singles
from reasoner.lanes.machine import CircuitMachine
from search.minimax.learning import Evaluation
from search.native.leaf_weight import PLAYOUTS, best_weight, playout_values
from search.network.network import Network
from search.network.storage import Model

MAX_POSITIONS, MIN_POSITIONS = 1024, 200
SECONDS = 0.25
"""Maximum time for playouts of the positions in a start clock."""
MAX_STEPS = 500
"""Maximum length of these playouts."""
MAX_WEIGHT = 0.3
"""Maximum weight, because the evaluation was fitted to the same games; chosen by matches (research/evaluation.md)."""


def mixing_weight(
    machine: CircuitMachine,
    evaluation: Evaluation,
    bits: Bytes,
    results: Singles,
    rate: float,
    seed: int,
    seconds: float = SECONDS,
) -> float:
    """Return the weight of an evaluation beside playouts, 0..1; 0 if the positions or playouts are too few.

    bits: [N, B] the facts of positions of self-play. results: [N] those of their games for the first role; below 0:
    the game did not end. rate: playouts per second. seconds: maximum time for them.
    """
    ended = np.flatnonzero(results >= 0)
    most = min(MAX_POSITIONS, int(seconds * rate / (2 * PLAYOUTS)))
    some = np.random.default_rng(seed).permutation(ended)[:most]
    if len(some) < MIN_POSITIONS:
        return 0.0
    whole = np.zeros((len(some), len(machine.circuit.bases)), np.uint8)
    whole[:, : bits.shape[1]] = bits[some]
    rows, first, second = playout_values(machine, whole, MAX_STEPS, seed)
    if len(rows) < MIN_POSITIONS:
        return 0.0
    logits = bits[some[rows]] @ evaluation.weights + evaluation.bias
    found = best_weight(results[some[rows], None], 1 / (1 + np.exp(-logits))[:, None], first[:, :1], second[:, :1])
    return min(found or 0.0, MAX_WEIGHT)


def leaf_model(machine: CircuitMachine, evaluation: Evaluation, weight: float) -> Model:
    """Return an evaluation as a network, whose values have `weight` beside playouts.

    Two rectified units are enough for a linear evaluation: one is its logit if that is positive, the other one is the
    negated logit if that is negative.
    """
    circuit = machine.circuit
    rows = np.stack([evaluation.weights, -evaluation.weights], axis=1).astype(np.float32)
    signs = np.array([[1, -1], [-1, 1]], np.float32)
    network = Network(
        roles=tuple(circuit.roles),
        facts=tuple(circuit.bases)[: circuit.searched],
        moves=tuple(map(tuple, circuit.moves)),
        fact_rows=rows,
        fact_bias=np.array([evaluation.bias, -evaluation.bias], np.float32),
        hidden=(),
        value=(signs, np.zeros(2, np.float32)),
        policy=tuple((np.zeros((len(own), 2), np.float32), np.zeros(len(own), np.float32)) for own in circuit.moves),
    )
    return Model(network, weight, 0.0)
