"""The moves of a game of one role as rows: which class of each subgame a move makes.

Where each move acts on one subgame, all others are idle in it. *Still* is, for each subgame, the class that costs
nothing: the idle one where there is one. A step makes at most `acts` classes that are not still, over all subgames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search.factoring.value import Subgame

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Rows:
    """R rows over K subgames."""

    classes: Ints  # [R, K] numbers of classes, in the order that the subgame has them
    members: tuple[tuple[int, ...], ...]  # [R] numbers of the moves
    still: tuple[int, ...]  # [K]
    acts: int

    @property
    def apart(self) -> bool:
        """Whether each move acts on one subgame at most."""
        return bool(self.acts <= 1 < self.classes.shape[1])


def rows_of(subgames: Sequence[Subgame], moves: int) -> Rows:
    """The rows of all moves."""
    table = np.zeros((moves, len(subgames)), np.int32)
    for k, subgame in enumerate(subgames):
        for number, members in enumerate(subgame.classes[0]):
            table[list(members), k] = number
    classes, row_of = np.unique(table, axis=0, return_inverse=True)
    row_of = row_of.reshape(-1)
    alike: list[list[int]] = [[] for _ in classes]
    for move, row in enumerate(row_of.tolist()):
        alike[row].append(move)
    still = _still(classes)
    return Rows(classes, tuple(map(tuple, alike)), tuple(still), _acts(classes, still)[0])


def _acts(classes: Ints, still: Sequence[int]) -> tuple[int, int]:
    """How many classes that are not still a row has at most, and all rows together."""
    acts = (classes != np.array(still)).sum(axis=1)
    return int(acts.max(initial=0)), int(acts.sum())


def _still(classes: Ints) -> list[int]:
    """The classes in most rows; in doubt those with which rows act least."""
    counts = [np.bincount(column) for column in classes.T]
    still = [int(count.argmax()) for count in counts]
    for k, count in enumerate(counts):
        for other in np.flatnonzero(count == count.max()).tolist():
            tried = [*still[:k], other, *still[k + 1 :]]
            if _acts(classes, tried) < _acts(classes, still):
                still = tried
    return still
