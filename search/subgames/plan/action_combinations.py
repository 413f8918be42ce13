"""Moves of a game of one role as rows: for each move, the class of each subgame that it makes.

If each move acts on one subgame, all others are idle in it. *Still* classes are, for each subgame, those that cost
nothing: the idle one, if any. A step makes at most `acts` classes that are not still, over all subgames.

If the end of one subgame opens the next, a row belongs to a stage. In a stage, earlier subgames are finished and later
ones wait. These are two extra classes of a subgame, numbered after its own; neither changes the subgame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Ints
from search.subgames.restricted_circuit import Members

NEVER_LEGAL = -1
"""In place of a class: its moves are never legal."""

WAITING, FINISHED = range(2)
"""Extra classes of a subgame in stages: of subgames after the stage's, and of those before."""


@dataclass(frozen=True, eq=False)
class Rows:
    """R rows over K subgames."""

    classes: Ints  # [R, K] numbers of classes, or NEVER_LEGAL
    members: Members  # [R] numbers of the moves
    still: tuple[tuple[int, ...], ...]  # [K]
    acts: int
    staged: bool = False

    @property
    def apart(self) -> bool:
        """Whether each move acts on at most one subgame."""
        return bool(self.acts <= 1 < self.classes.shape[1])


def rows_of(classes_of: Sequence[Members], moves: int) -> Rows:
    """Return the rows of all moves, from the moves of each class of each subgame."""
    table = np.full((moves, len(classes_of)), NEVER_LEGAL, np.int32)
    for k, own in enumerate(classes_of):
        for number, members in enumerate(own):
            table[list(members), k] = number
    classes, row_of = np.unique(table, axis=0, return_inverse=True)
    alike: list[list[int]] = [[] for _ in classes]
    for move, row in enumerate(row_of.reshape(-1).tolist()):
        alike[row].append(move)
    still = _still(classes)
    return Rows(classes, tuple(map(tuple, alike)), tuple((each,) for each in still), _acts(classes, still)[0])


def rows_in_stages(classes_of: Sequence[Members]) -> Rows:
    """Return the rows of a game in stages; stage k is that of subgame k."""
    counts = [len(classes) for classes in classes_of]
    rows: list[list[int]] = []
    alike: list[tuple[int, ...]] = []
    for k, classes in enumerate(classes_of):
        before, after = [count + FINISHED for count in counts[:k]], [count + WAITING for count in counts[k + 1 :]]
        rows += [[*before, number, *after] for number in range(len(classes))]
        alike += classes
    still = tuple((count + WAITING, count + FINISHED) for count in counts)
    return Rows(np.array(rows, np.int32).reshape(-1, len(counts)), tuple(alike), still, 1, staged=True)


def _acts(classes: Ints, still: Sequence[int]) -> tuple[int, int]:
    """Return the most classes of a row that are not still, and their sum over all rows."""
    acts = (classes != np.array(still)).sum(axis=1)
    return int(acts.max(initial=0)), int(acts.sum())


def _still(classes: Ints) -> list[int]:
    """Return the most frequent class of each subgame; of equals, the one that leaves the fewest acting classes."""
    counts = [np.bincount(column[column != NEVER_LEGAL], minlength=1) for column in classes.T]
    still = [int(count.argmax()) for count in counts]
    for k, count in enumerate(counts):
        for other in np.flatnonzero(count == count.max()).tolist():
            tried = [*still[:k], other, *still[k + 1 :]]
            if _acts(classes, tried) < _acts(classes, still):
                still = tried
    return still
