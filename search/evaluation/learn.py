"""Learning of an evaluation from random play, within a share of the time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Floats, Longs
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.play import lanes, scratch, seed_generators
from reasoner.lanes.rows import LANES, aligned
from reasoner.machine import State
from search.clock import Clock
from search.evaluation.evaluation import Evaluation, LinearTerms, flatten
from search.evaluation.features import CountedFeature
from search.evaluation.fit import fit
from search.evaluation.lane_terms import BLOCK, term_rows
from search.evaluation.sample import Places, record

ENOUGH = 40_000
"""Positions at most."""
MOST_BYTES = 64 << 20
"""Memory of the positions with their features, at most."""
SNAPSHOTS = 8
"""Positions of a game of mean length; twice as many of longer ones."""
TRIAL_STEPS = 4
"""Moves of the games that measure the time of a move."""
MOST_STEPS = 2_000
"""Joint moves of a game at most."""
SHARE = 1 / 2
"""Share of the time that one batch may take, approximately."""


class Batch(NamedTuple):
    """Positions of 512 games."""

    counts: Floats  # [positions, features]
    goals: Floats  # [positions, roles] at the end of the position's game, points
    games: Longs  # [positions] lanes


class Sampler:
    """Random play of one machine that records some features."""

    def __init__(self, machine: CircuitMachine, features: tuple[CountedFeature, ...], seed: int) -> None:
        self.machine = machine
        self.terms, self.belongs = flatten(features)
        self._emitted = machine.program.code.load()
        self._program = lanes(machine.program, self._emitted)
        self._values = aligned(self._emitted.rows + BLOCK)
        self._turned, self._picks = scratch(self._program.drawn)
        self._placed: LinearTerms = self.terms.over(term_rows(self._program))  # kept: used by address
        self._random = np.random.default_rng(seed)
        seed_generators(self._values, self._program.random, seed)

    @property
    def places(self) -> Places:
        """Addresses and rows of the terms."""
        placed = self._placed
        ors, ands, literals = (int(each.ctypes.data) for each in (placed.ors, placed.ands, placed.literals))
        return Places(self._emitted.rows, ors, ands, literals, len(self.terms))

    def batch(self, state: bytes, every: int, max_steps: int) -> Batch:
        """Play 512 games from `state`, recorded every `every` moves; only finished games count."""
        bits = np.unpackbits(np.frombuffer(state, np.uint8), count=self._program.searched)
        words, roles = -(-len(self.terms) // BLOCK), self._program.roles
        seen = np.zeros((2 * SNAPSHOTS, LANES, words), np.uint64)
        running, over = np.zeros((2 * SNAPSHOTS, LANES), np.uint8), np.zeros(LANES, np.bool_)
        goals, first = np.zeros((LANES, roles), np.float32), int(self._random.integers(every))
        memory = self._values, self._program, self._turned, self._picks
        record(*memory, bits, self.places, first, every, max_steps, seen, running, goals, over)
        snapshots, games = np.nonzero(running & over)
        true = np.unpackbits(seen[snapshots, games].view(np.uint8), axis=1, bitorder="little")[:, : len(self.terms)]
        counts = true.astype(np.float32) @ self.belongs.astype(np.float32)
        return Batch(counts.astype(float), goals[games].astype(float), games)


def learn(
    machine: CircuitMachine,
    features: tuple[CountedFeature, ...],
    state: State,
    seed: int,
    clock: Clock,
    deadline: float,
) -> Evaluation | None:
    """Fit an evaluation of `features` on random games from `state`; None if no game ended in time.

    The first batch is always played, shortened to the time.
    """
    if not isinstance(state, bytes) or not features:
        return None
    sampler, batches = Sampler(machine, features, seed), list[Batch]()
    machine.tally(state, 1, seed, 1)  # compilation and loading must not count as the price of a move
    sampler.batch(state, 1, 1)
    began = clock.now()
    machine.tally(state, LANES, seed, TRIAL_STEPS)
    step = max((clock.now() - began) / (TRIAL_STEPS + 1), 1e-9)
    most = int(min(max(SHARE * (deadline - clock.now()) / step, 1), MOST_STEPS))
    every = max(_mean_length(machine, state, seed, most) // SNAPSHOTS, 1)
    enough = min(ENOUGH, MOST_BYTES // (8 * len(features)))
    while sum(len(batch.games) for batch in batches) < enough:
        batches.append(sampler.batch(state, every, most))
        taken = (clock.now() - began) / len(batches)
        if not len(batches[-1].games) or clock.now() + taken >= deadline:
            break
    return _fitted(sampler, features, batches)


def _mean_length(machine: CircuitMachine, state: State, seed: int, most: int) -> int:
    tally = machine.tally(state, LANES // 8, seed, most)
    return tally.steps // tally.games


def _fitted(sampler: Sampler, features: tuple[CountedFeature, ...], batches: list[Batch]) -> Evaluation | None:
    counts = np.concatenate([batch.counts for batch in batches])
    if not len(counts):
        return None
    goals = np.concatenate([batch.goals for batch in batches])
    games = np.concatenate([batch.games + LANES * i for i, batch in enumerate(batches)])
    given = np.array([feature.weights is not None for feature in features])
    weights = np.array([feature.weights or np.zeros(goals.shape[1]) for feature in features], float)
    fitted = fit(counts[:, ~given], goals - counts @ weights, games)
    weights[~given] = fitted.weights
    return Evaluation(
        terms=sampler.terms,
        weights=sampler.belongs @ weights,
        bias=fitted.bias,
        features=features,
        feature_weights=weights,
        r2=fitted.r2,
        positions=len(counts),
    )
