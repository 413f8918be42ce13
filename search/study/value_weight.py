"""The weight that a network's values deserve beside those of playouts, estimated from held-out games."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Floats, Longs, Singles
from reasoner.batch import Batch
from reasoner.lanes.machine import CircuitMachine
from search.network import Network
from search.study.games import Games

MAX_POSITIONS, MIN_POSITIONS = 2048, 200
PLAYOUTS = 4
"""Playouts of each position in each of two independent halves."""
MIN_SPREAD = 1e-4
"""Least mean square of the differences between both kinds of values; below it, their weights do not matter."""


def value_weight(machine: CircuitMachine, network: Network, held: Games, max_steps: int, seed: int) -> float | None:
    """Return the weight, 0..1, with which the network's values and those of playouts predict held-out results best.

    None if too few positions have playouts that end within `max_steps`, or if the weight does not matter.
    """
    some = held.take(np.random.default_rng(seed).permutation(len(held))[:MAX_POSITIONS])
    if len(some) < MIN_POSITIONS:
        return None
    rows, first, second = _playout_values(machine, network, some, max_steps, seed)
    if len(rows) < MIN_POSITIONS:
        return None
    bits = np.unpackbits(some.observations[rows], axis=1, count=len(network.facts))
    return best_weight(some.results[rows], network.forward(bits).values, first, second)


def best_weight(results: Singles, values: Singles, first: Floats, second: Floats) -> float | None:
    """Return the weight of `values` with the least squared error; None if the kinds of values hardly differ.  # [P, R].

    The rest is the weight of the mean of many playouts, of which `first` and `second` are independent samples. The
    product of the errors with either sample has no bias from the variance of playouts; a squared error would have one.
    """
    from_first, from_second = values - first, values - second
    spread = float((from_first * from_second).mean())
    if spread < MIN_SPREAD:
        return None
    along = float(((results - first) * from_second + (results - second) * from_first).mean()) / 2
    return min(max(along / spread, 0.0), 1.0)


def _playout_values(
    machine: CircuitMachine, network: Network, games: Games, max_steps: int, seed: int
) -> tuple[Longs, Floats, Floats]:
    """Return the positions whose playouts all ended, and the mean goals, 0..1, of both halves of their playouts.

    # positions [P]; both halves [P, R]
    """
    places = {base: place for place, base in enumerate(machine.circuit.bases)}
    bits = np.zeros((len(games), len(places)), np.uint8)
    bits[:, [places[fact] for fact in network.facts]] = np.unpackbits(
        games.observations, axis=1, count=len(network.facts)
    )
    batch = Batch(machine, 2 * PLAYOUTS * len(games), seed, again=False)
    batch.put(np.repeat(np.packbits(bits, axis=1), 2 * PLAYOUTS, axis=0))
    batch.finish(max_steps)
    rows: Longs = np.flatnonzero(batch.ended.reshape(len(games), -1).all(axis=1))
    goals = np.maximum(batch.goals, 0).reshape(len(games), 2, PLAYOUTS, -1)[rows] / machine.points
    halves = goals.mean(axis=2)
    return rows, halves[:, 0], halves[:, 1]
