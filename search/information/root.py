"""Statistics of the moves at our root, and entropy of their percepts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Floats, Longs

MAX_SACRIFICE = 0.01
"""Maximum loss of value, 0..1, that is accepted for more information."""


@dataclass(frozen=True, eq=False)
class Root:
    """Statistics of the visited moves, by number; T moves.

    moves:   int64 [T]
    visits:  float64 [T]
    totals:  float64 [T] sums of values, 0..1
    squares: float64 [T] sums of their squares
    """

    moves: Longs
    visits: Floats
    totals: Floats
    squares: Floats

    @classmethod
    def of(cls, figures: Floats) -> Root:
        """Create from the visits, totals and squares of all moves.  # [3, M]."""
        tried = np.flatnonzero(figures[0])
        return cls(tried, *figures[:, tried])

    def means(self) -> Floats:
        """Return the mean value of each move.  # [T]."""
        return self.totals / self.visits

    def errors(self) -> Floats:
        """Return the standard error of each mean; 1/2 for moves visited once.  # [T]."""
        variance = np.maximum(self.squares / self.visits - self.means() ** 2, 1 / self.visits**2)
        return np.where(self.visits < 2, 0.5, np.sqrt(variance / self.visits))

    def requested(self, legal: Bools, weights: Floats) -> Root:
        """Return the statistics of requesting each move; in states where it is illegal, a legal move is made instead.

        legal: [states, T] legal moves per state; weights: [states] weight of each state
        """
        means, counts = self.means(), legal.sum(axis=1)
        instead = legal @ means / np.maximum(counts, 1)
        values = weights @ np.where(legal, means, instead[:, None]) / weights.sum()
        spread = self.squares - self.visits * means**2
        return Root(self.moves, self.visits, self.visits * values, spread + self.visits * values**2)

    def ranked(self) -> list[int]:
        """Return the indices of the moves, most visited first."""
        places: list[int] = np.argsort(-self.visits, kind="stable").tolist()
        return places

    def close(self) -> list[int]:
        """Return the indices of moves not clearly worse than the best one, given their errors; most visited first."""
        least = self.means() - self.errors()
        near = least >= least.max() - MAX_SACRIFICE
        return [place for place in self.ranked() if near[place]]


def entropy(counts: Sequence[float]) -> float:
    """Return the entropy in bits of a distribution given by counts, rounded so that equal entropies compare equal."""
    total = sum(counts)
    return round(-sum(count / total * math.log2(count / total) for count in counts if count), 6)
