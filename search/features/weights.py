"""Weights of generated features beside patterns, and whether both together predict results better than patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Floats
from reasoner.lanes.machine import CircuitMachine
from search.features.transformations import Candidate
from search.minimax.learner import RIDGES, Drawn, learning_samples
from search.minimax.learning import fit
from search.minimax.patterns import patterns

PENALTY = 5.0
"""Factor of the ridge penalty of a generated feature, whose values have the standard deviation 1: that of a pattern
with one more given argument than the most general ones."""


class Weighed(NamedTuple):
    """Weights of F features for the first role, and gains on held-out games in nats a position."""

    weights: Floats  # [F] what a value higher by its standard deviation adds to the logit of the first role's share
    games: int  # held out
    alone: float  # by which patterns predict results better than their mean
    together: float  # likewise patterns and generated features
    error: float  # the standard error of the difference


def weigh(machine: CircuitMachine, drawn: Drawn, features: Sequence[Candidate]) -> Weighed:
    """Fit features to positions of self-play, together with all patterns.

    Facts that no legal move, end or goal depends on count as false.
    """
    facts = machine.circuit.searched
    own = patterns(tuple(machine.circuit.bases)[:facts])
    whole = np.zeros((len(drawn.bits), len(machine.circuit.bases)), np.uint8)
    whole[:, :facts] = drawn.bits
    values = machine.counts([row.tobytes() for row in np.packbits(whole, axis=1)], features).astype(np.float64)
    counts = (values - values.mean(axis=0)) / np.maximum(values.std(axis=0), 1e-9)

    def gains(ridge: float, further: Floats | None) -> Floats:
        found = [np.zeros(0)]
        for fold in range(2):
            held = drawn.games % 2 == fold
            tested = held & (drawn.results >= 0)
            if tested.any():
                found.append(_gains(held, tested, ridge, further))
        return np.concatenate(found)

    def _gains(held: Bools, tested: Bools, ridge: float, further: Floats | None) -> Floats:
        learned = fit(learning_samples(drawn, ~held, counts=further), own, facts, ridge, PENALTY)
        given = learning_samples(drawn, tested, results=True, counts=further)
        mean = min(max(float(given.targets.mean()), 0.01), 0.99)
        plain = given.losses(np.zeros(facts), float(np.log(mean / (1 - mean))), np.zeros(learned.further.size))
        _, game = np.unique(drawn.games[tested], return_inverse=True)
        loss = given.losses(learned.weights, learned.bias, learned.further)
        return np.bincount(game, plain - loss).astype(np.float64)

    alone = max((gains(ridge, None) for ridge in RIDGES), key=np.sum)
    best = max(RIDGES, key=lambda ridge: float(gains(ridge, counts).sum()))
    together = gains(best, counts)
    every = np.ones(len(drawn.games), np.bool_)
    learned = fit(learning_samples(drawn, every, counts=counts), own, facts, best, PENALTY)
    size = max(int((drawn.results >= 0).sum()), 1)
    error = float((together - alone).std()) * len(alone) ** 0.5 / size
    return Weighed(
        learned.further,
        len(alone),
        float(alone.sum()) / size,
        float(together.sum()) / size,
        error,
    )


def show(features: Sequence[Candidate], weighed: Weighed | None) -> tuple[dict[str, object], str]:
    """Return features with their weights as JSON values and as text; those with the largest weights come first."""
    order, weights = list(range(len(features))), list[float | None]([None] * len(features))
    head = [f"; {len(features)} features generated from the rules: what is counted, and the conditions"]
    data: dict[str, object] = {}
    if weighed:
        order = np.argsort(-np.abs(weighed.weights), kind="stable").tolist()
        weights = [round(float(weight), 3) for weight in weighed.weights]
        data = {name: round(getattr(weighed, name), 4) for name in ("alone", "together", "error")}
        head += [
            "; weights: what a value higher by its standard deviation adds to the logit of the first role's share",
            f"; on held-out games: gain of patterns alone {data['alone']} nats a position, with these features"
            f" {data['together']}; standard error of the difference {data['error']}",
        ]
    data["features"] = [[features[i].conjunction, features[i].counted, weights[i]] for i in order]
    lines = [str(features[i]) if weights[i] is None else f"{weights[i]:+.2f}  {features[i]}" for i in order]
    return data, "\n".join([*head, *lines])
