"""Test whether moves separate into groups of bases: the lossless join, as of relational databases.

Moves with the same effects on the bases of a group, and the same legality conditions on them, form one *class* of the
group. The moves of one role that may be legal in one phase form a table, with a row for each move and its class of each
group in a column. Class 0 is *idle*: each base changes as after most moves, without a condition. Groups are
independent if in every phase and for every role

- the moves are *joint*: the rows are all combinations of the classes, so that the choices of the groups can be combined
  freely (it is not enough to test pairs: three groups may have all pairs of classes but not all triples); or
- the moves are *apart*: each move is idle for all groups but at most one.

If moves are neither joint nor apart, groups are merged until they are joint, or until they are apart. A merge never
includes groups that could stay separate: if two groups are joint, all pairs of their parts are joint; if two groups are
apart, no move acts on parts of both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import prod

import numpy as np

from reasoner.arrays import Bools, Ints, Longs
from search.factoring.supports import joined, members

Pair = tuple[int, int]

MAX_SINGLE_PAIRS = 1_000
"""If there are more pairs of groups than this, all pairs are tested at once."""

MAX_GROUP_CLASSES, MAX_CLASSES = 4, 4_096
"""Maximum number of classes of one group, and of all groups together, that are tested at once."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The moves of one role that may be legal in one phase, with their classes."""

    phase: int
    role: int
    moves: tuple[int, ...]
    classes: Ints  # [moves, groups]
    sure: Bools  # [moves] legal in all states of the dropped bases

    @cached_property
    def _codes(self) -> tuple[Longs, Longs]:
        """Return per group the moves' classes, numbered from 0, and their number.  # [groups, moves], [groups]."""
        codes = np.empty(self.classes.T.shape, np.int64)
        for group, column in enumerate(self.classes.T):
            codes[group] = np.unique(column, return_inverse=True)[1]
        return codes, codes.max(axis=1, initial=0) + 1

    @property
    def acts_on_all(self) -> bool:
        """Whether the moves have several classes in every group."""
        return bool((self._codes[1] > 1).all())

    def joint(self, groups: Sequence[int]) -> bool:
        """Return whether all combinations of classes of the groups occur."""
        codes, counts = self._codes
        combined = prod(counts[list(groups)].tolist())
        if combined > len(self.moves):
            return False
        row = np.zeros(len(self.moves), np.int64)
        for group in groups:
            row = row * counts[group] + codes[group]
        return bool(np.bincount(row[self.sure], minlength=combined).all())

    def apart(self, groups: Sequence[int]) -> bool:
        """Return whether each move acts on at most one of the groups."""
        return bool(((self.classes[:, list(groups)] != 0).sum(axis=1) <= 1).all())

    def free(self, groups: Sequence[int]) -> bool:
        """Return whether the groups' choices are independent."""
        return self.apart(groups) or self.joint(groups)

    def acted_on(self) -> list[Pair]:
        """Return pairs of groups, the edges of a graph that connects all groups on which one move acts."""
        acts = (self.classes != 0).astype(np.float32)
        groups = joined(map(_mask, (acts.T @ acts > 0) | np.eye(acts.shape[1], dtype=np.bool_)))
        return [pair for mask in groups for pair in pairwise(members(mask))]

    def bound(self) -> list[Pair]:
        """Return pairs of groups, the edges of a graph that connects any two groups that are not `free`."""
        acts = (self.classes != 0).astype(np.float32)
        both = np.triu(acts.T @ acts, 1) > 0
        counts = self._codes[1]
        bound = both & (np.multiply.outer(counts, counts) > len(self.moves))  # too few moves for all combinations
        unsure = both & ~bound
        if np.count_nonzero(unsure) > MAX_SINGLE_PAIRS:
            few, joint = self._all_joint()
            bound[few] |= both[few] & ~joint
            unsure[few] = False
        groups = joined(map(_mask, bound | np.eye(len(bound), dtype=np.bool_)))
        place = {group: number for number, mask in enumerate(groups) for group in members(mask)}
        loose = [(a, b) for a, b in np.argwhere(unsure).tolist() if place[a] != place[b] and not self.joint((a, b))]
        return [pair for mask in groups for pair in pairwise(members(mask))] + loose

    def _all_joint(self) -> tuple[tuple[Longs, ...], Bools]:
        """Return the groups with few classes, as an index of all their pairs, and whether each pair is joint."""
        codes, counts = self._codes
        few = np.flatnonzero(counts <= MAX_GROUP_CLASSES)[: MAX_CLASSES // MAX_GROUP_CLASSES]
        starts = np.cumsum([0, *counts[few]])
        holds = np.zeros((len(self.moves), starts[-1]), np.float32)  # which class a move has in each group
        for group, start in zip(few.tolist(), starts.tolist(), strict=False):
            holds[np.arange(len(self.moves)), start + codes[group]] = 1
        holds = holds[self.sure]
        together = holds.T @ holds > 0
        if len(few):
            together = np.logical_and.reduceat(together, starts[:-1], axis=0)
            together = np.logical_and.reduceat(together, starts[:-1], axis=1)
        return np.ix_(few, few), together


def _mask(row: Bools) -> int:
    """Return the set of the indices where a row is true, as a bit mask."""
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")


def two_by_two(choices: Sequence[Choice]) -> list[Pair]:
    """Return the pairs of groups that cannot be separated."""
    return sorted({pair for each in choices for pair in each.bound()})


def together(choices: Sequence[Choice]) -> list[Pair]:
    """Return pairs of groups to merge because the groups are not independent; none if they are independent.

    If all pairs are independent, but some larger set is not, the merges aim at joint groups: the pairs that are not
    joint are merged, or all pairs if each is joint.
    """

    def missing(each: Choice) -> list[Pair]:
        pairs = list(combinations(range(each.classes.shape[1]), 2))
        return [pair for pair in pairs if not each.joint(pair)] or pairs

    return _bound_together(choices, missing)


def one_by_one(choices: Sequence[Choice]) -> list[Pair]:
    """Return pairs of groups to merge so that all groups become apart: no move acts on two of them.

    An example is a board on which a move takes one or two adjacent cells of a row. All pairs of cells are joint or
    apart, but triples are not. Cells that one move takes together are merged, so the groups become the rows.
    """
    return _bound_together(choices, lambda each: each.acted_on())


def _bound_together(choices: Sequence[Choice], binding: Callable[[Choice], list[Pair]]) -> list[Pair]:
    if bound := two_by_two(choices):
        return bound
    failing = (each for each in choices if not each.free(range(each.classes.shape[1])))
    return next((binding(each) for each in failing), [])
