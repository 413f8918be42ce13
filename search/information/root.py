"""How the moves at our root have done, and what their percepts would tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Floats, Longs

GIVEN = 0.01
"""Of a value, 0..1, at most given for what a move may tell."""


@dataclass(frozen=True, eq=False)
class Root:
    """Figures of the moves tried, by number; T moves.

    moves:   int64 [T]
    visits:  float64 [T] times chosen
    totals:  float64 [T] sums of values, 0..1
    squares: float64 [T] sums of their squares
    """

    moves: Longs
    visits: Floats
    totals: Floats
    squares: Floats

    @classmethod
    def of(cls, figures: Floats) -> Root:
        """From visits, totals and squares of all moves.  # [3, M]."""
        tried = np.flatnonzero(figures[0])
        return cls(tried, *figures[:, tried])

    def means(self) -> Floats:
        """The mean value of each move.  # [T]."""
        return self.totals / self.visits

    def errors(self) -> Floats:
        """The standard error of each mean; 1/2 for moves tried once.  # [T]."""
        variance = np.maximum(self.squares / self.visits - self.means() ** 2, 1 / self.visits**2)
        return np.where(self.visits < 2, 0.5, np.sqrt(variance / self.visits))

    def asked(self, legal: Bools, weights: Floats) -> Root:
        """As moves do that are only asked for: where one is not legal, any that is may be made in its place.

        legal: [states, T] which moves are legal in states of so much weight: [states]
        """
        means, counts = self.means(), legal.sum(axis=1)
        instead = legal @ means / np.maximum(counts, 1)
        values = weights @ np.where(legal, means, instead[:, None]) / weights.sum()
        spread = self.squares - self.visits * means**2
        return Root(self.moves, self.visits, self.visits * values, spread + self.visits * values**2)

    def ranked(self) -> list[int]:
        """Places of the moves, the one tried most first."""
        places: list[int] = np.argsort(-self.visits, kind="stable").tolist()
        return places

    def close(self) -> list[int]:
        """Places of the moves that are as good as the best one, each by its value less its error; most tried first."""
        least = self.means() - self.errors()
        near = least >= least.max() - GIVEN
        return [place for place in self.ranked() if near[place]]


def entropy(counts: Sequence[float]) -> float:
    """Of a distribution given by counts, in bits; rounded, so that moves that tell alike are alike."""
    total = sum(counts)
    return round(-sum(count / total * math.log2(count / total) for count in counts if count), 6)
