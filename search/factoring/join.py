"""Whether moves come apart: the test for a lossless join.

A move, seen by a group of bases, is what it does to them and what of them allows it: moves that look alike are one
*class* of the group. Moves that are legal together (in one phase, for one role) are a set of rows, a class for each
group. Class 0 is *idle*: what most moves do to each base, under no condition. Groups are independent where in every
phase and for every role

- the moves are *joint*: the rows are all combinations of these classes, so the groups' choices can be put together
  freely (pairs of groups are not enough: three groups may have all pairs and not all triples); or
- the moves are *apart*: each is idle but for one group at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Choice:
    """The moves of one role that may be legal together."""

    phase: int
    role: int
    moves: tuple[int, ...]
    classes: NDArray[np.int32]  # [moves, groups]

    def joint(self, groups: Sequence[int]) -> bool:
        """Whether all combinations of the groups' classes are there."""
        seen = self.classes[:, list(groups)]
        combined = prod(len(np.unique(column)) for column in seen.T)
        return combined <= len(seen) and len(np.unique(seen, axis=0)) == combined

    def apart(self, groups: Sequence[int]) -> bool:
        """Whether each move acts on one of the groups at most."""
        return bool(((self.classes[:, list(groups)] != 0).sum(axis=1) <= 1).all())

    def free(self, groups: Sequence[int]) -> bool:
        """Whether the groups' choices leave each other alone."""
        return self.apart(groups) or self.joint(groups)

    def bound(self) -> list[Pair]:
        """The pairs of groups that are not free."""
        acts = (self.classes != 0).astype(np.float32)
        both = np.argwhere(np.triu(acts.T @ acts, 1) > 0)
        return [(a, b) for a, b in both.tolist() if not self.joint((a, b))]


def two_by_two(choices: Sequence[Choice]) -> list[Pair]:
    """Pairs of groups that cannot stand apart."""
    return sorted({pair for each in choices for pair in each.bound()})


def together(choices: Sequence[Choice]) -> list[Pair]:
    """Pairs of groups to be merged because not all groups can stand apart together; none when they can."""
    if bound := two_by_two(choices):
        return bound
    for each in choices:
        groups = range(each.classes.shape[1])
        if not each.free(groups):
            pairs = list(combinations(groups, 2))
            return [pair for pair in pairs if not each.joint(pair)] or pairs
    return []
