"""Logistic regression of results on the patterns of positions, with a ridge penalty.

The weights minimize the cross-entropy by Newton's method; each step is solved by conjugate gradients (Lin, Weng and
Keerthi 2008, "Trust region Newton method for logistic regression").
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bytes, Floats, Longs, Singles
from search.minimax.patterns import Patterns

NEWTON_STEPS = 5
GRADIENT_STEPS = 30
TOLERANCE = 1e-3
"""The gradient that is small enough, as a share of the first."""
NONE: Floats = np.zeros(0)
"""The weights of no further features."""


class Samples(NamedTuple):
    """N positions; the lists of their true facts are stored one after the other."""

    facts: Longs  # [total] the true facts, position by position
    rows: Longs  # [total] the number of the position of each fact
    targets: Floats  # [N] results of the first role, 0..1
    importance: Floats  # [N] the weight of a position in the loss
    counts: Floats  # [N, F] values of further features; F may be 0

    def logits(self, weights: Floats, bias: float, further: Floats = NONE) -> Floats:
        """Return the logits of the positions."""
        sums: Floats = np.bincount(self.rows, weights[self.facts], len(self.targets)).astype(np.float64)
        return sums + bias + (self.counts @ further if len(further) else 0.0)

    def losses(self, weights: Floats, bias: float, further: Floats = NONE) -> Floats:
        """Return the cross-entropy of each position, in nats."""
        logits = self.logits(weights, bias, further)
        losses: Floats = np.logaddexp(0, logits) - self.targets * logits
        return losses


def samples(bits: Bytes, targets: Singles, importance: Floats, counts: Floats | None = None) -> Samples:
    """Return positions as samples; `bits` marks the true facts of each.  # bits [N, B], 0 or 1."""
    rows, facts = np.nonzero(bits)
    further = np.zeros((len(bits), 0)) if counts is None else counts
    return Samples(facts, rows, targets.astype(np.float64), importance, further)


class Evaluation(NamedTuple):
    """A linear evaluation: the logit of the first role's share of the points."""

    weights: Floats  # [B] the weights of the facts
    bias: float
    own: Floats  # [P] the weights of the patterns
    spread: float = 0.0  # the standard deviation of the values of the samples
    further: Floats = NONE  # [F] the weights of further features


def fit(given: Samples, patterns: Patterns, facts: int, ridge: float, further_penalty: float = 1.0) -> Evaluation:
    """Fit the weights of the patterns of `facts` facts and of further features.

    `ridge` is the penalty of the most general patterns, and `further_penalty` the factor on it for further features.
    """
    steps = fitting(given, patterns, facts, ridge, further_penalty)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Evaluation = end.value
            return found


def fitting(
    given: Samples, patterns: Patterns, facts: int, ridge: float, further_penalty: float = 1.0
) -> Generator[None, None, Evaluation]:
    """Fit like `fit`, in short steps, so that the caller can pause."""
    size, further = len(patterns.names), given.counts.shape[1]
    penalties = ridge * np.append(patterns.penalties, np.full(further, further_penalty))
    own, bias = np.zeros(size + further), 0.0
    first = 0.0

    def logits(own: Floats, bias: float) -> Floats:
        return given.logits(_padded(patterns.weights(own[:size]), facts), bias, own[size:])

    for _ in range(NEWTON_STEPS):
        share = 1 / (1 + np.exp(-logits(own, bias)))
        error = given.importance * (share - given.targets)
        slope = np.append(_sums(given, patterns, error, facts) + penalties * own, error.sum())
        first = first or float(np.linalg.norm(slope))
        if np.linalg.norm(slope) <= TOLERANCE * first:
            break
        curvature = given.importance * share * (1 - share)

        def product(step: Floats, curvature: Floats = curvature) -> Floats:
            moved = logits(step[:-1], step[-1]) * curvature
            return np.append(_sums(given, patterns, moved, facts) + penalties * step[:-1], moved.sum())

        step = yield from _solving(product, -slope)
        own, bias = own + step[:-1], bias + float(step[-1])
    spread = float(np.std(1 / (1 + np.exp(-logits(own, bias)))))
    return Evaluation(_padded(patterns.weights(own[:size]), facts), bias, own[:size], spread, own[size:])


def _padded(weights: Floats, facts: int) -> Floats:
    return np.pad(weights, (0, facts - len(weights)))


def _sums(given: Samples, patterns: Patterns, of_positions: Floats, facts: int) -> Floats:
    of_facts: Floats = np.bincount(given.facts, of_positions[given.rows], facts).astype(np.float64)
    return np.append(patterns.sums(of_facts), of_positions @ given.counts)


def _solving(product: Callable[[Floats], Floats], wanted: Floats) -> Generator[None, None, Floats]:
    """Solve a symmetric positive system by conjugate gradients."""
    found, rest = np.zeros_like(wanted), wanted.copy()
    way, size = rest.copy(), float(rest @ rest)
    least = 1e-4 * size
    for _ in range(GRADIENT_STEPS):
        yield
        image = product(way)
        length = size / max(float(way @ image), 1e-30)
        found += length * way
        rest -= length * image
        new = float(rest @ rest)
        if new <= least:
            break
        way, size = rest + new / size * way, new
    return found
