"""A place in a role's tree: what it has done and seen since the root, and how its moves have done there."""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class Node:
    """Statistics of the moves that were legal here in some state.

    moves:     int64 [m] by number
    visits:    float64 [m] times chosen
    totals:    float64 [m] sums of values, 0..1
    squares:   float64 [m] sums of their squares
    available: float64 [m] times that the move was legal when one was chosen
    """

    __slots__ = ("available", "children", "moves", "squares", "totals", "visits")

    def __init__(self) -> None:
        self.children: dict[tuple[int, Hashable], Node] = {}
        self.moves: Numbers = np.zeros(0, np.int64)
        self.visits, self.totals, self.squares, self.available = (np.zeros(0) for _ in range(4))

    def select(self, legal: NDArray[np.bool_], count: int, exploration: float, rng: np.random.Generator) -> int:
        """The place of the move to try among `count` legal ones; it counts as visited from now on.

        UCB1 with the times that a move was there in place of all visits (Cowling, Powley and Whitehouse 2012).
        """
        here = self._here(legal, count)
        self.available[here] += 1
        visits = self.visits[here]
        untried = np.flatnonzero(visits == 0)
        if len(untried):
            best = int(untried[int(rng.integers(len(untried)))])
        else:
            bonus = np.sqrt(np.log(self.available[here]) / visits)
            best = int(np.argmax(self.totals[here] / visits + exploration * bonus))
        place = int(here[best])
        self.visits[place] += 1
        return place

    def add(self, place: int, value: float) -> None:
        """A game that chose this move is over."""
        self.totals[place] += value
        self.squares[place] += value * value

    def _here(self, legal: NDArray[np.bool_], count: int) -> Numbers:
        """The places of the legal moves; the same ones each time where this is an information set of GDL-II."""
        if count == len(self.moves) and legal[self.moves].all():
            return np.arange(count)
        numbers = np.flatnonzero(legal)
        known = {number: place for place, number in enumerate(self.moves.tolist())}
        new = [number for number in numbers.tolist() if number not in known]
        if new:
            known.update({number: len(self.moves) + i for i, number in enumerate(new)})
            self.moves = np.concatenate((self.moves, np.array(new, np.int64)))
            for name in ("visits", "totals", "squares", "available"):
                setattr(self, name, np.concatenate((getattr(self, name), np.zeros(len(new)))))
        return np.array([known[number] for number in numbers.tolist()], np.int64)

    def means(self) -> NDArray[np.float64]:
        """The mean value of each move; 0 for one never tried."""
        return self.totals / np.maximum(self.visits, 1)

    def errors(self) -> NDArray[np.float64]:
        """The standard error of each mean; 1/2 for moves tried less than twice."""
        visits = np.maximum(self.visits, 1)
        variance = np.maximum(self.squares / visits - self.means() ** 2, 1 / visits**2)
        return np.where(self.visits < 2, 0.5, np.sqrt(variance / visits))


def entropy(counts: list[float]) -> float:
    """Of a distribution given by counts, in bits."""
    total = sum(counts)
    return -sum(count / total * math.log2(count / total) for count in counts if count)
