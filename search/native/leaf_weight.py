"""The weight that other values of a leaf deserve beside those of playouts, estimated from the results of games."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bytes, Floats, Longs, Singles
from reasoner.batch import Batch
from reasoner.lanes.machine import CircuitMachine

PLAYOUTS = 4
"""Playouts of each position in each of two independent halves."""
MIN_SPREAD = 1e-4
"""Least mean square of the differences between both kinds of values; below it, their weights do not matter."""


def best_weight(results: Floats | Singles, values: Floats | Singles, first: Floats, second: Floats) -> float | None:
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


def playout_values(machine: CircuitMachine, bits: Bytes, max_steps: int, seed: int) -> tuple[Longs, Floats, Floats]:
    """Return the positions whose playouts all ended, and the mean goals, 0..1, of both halves of their playouts.

    bits: [N, B] the true facts of the positions, in the order of `machine.circuit.bases`.
    # positions [P]; both halves [P, R]
    """
    batch = Batch(machine, 2 * PLAYOUTS * len(bits), seed, again=False)
    batch.put(np.repeat(np.packbits(bits, axis=1), 2 * PLAYOUTS, axis=0))
    batch.finish(max_steps)
    rows: Longs = np.flatnonzero(batch.ended.reshape(len(bits), -1).all(axis=1))
    goals = np.maximum(batch.goals, 0).reshape(len(bits), 2, PLAYOUTS, -1)[rows] / machine.points
    halves = goals.mean(axis=2)
    return rows, halves[:, 0], halves[:, 1]
