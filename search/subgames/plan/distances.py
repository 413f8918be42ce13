"""Distances in a subgame to each of its vectors: pattern databases (Culberson & Schaeffer 1998, Korf 1997).

For a state, a vector and a number of steps: the fewest acting steps among these, so that the subgame shows the vector
exactly then, and no state before ends the whole by itself. A fuse that burns while it is left alone thus requires
acting steps in time. Levels 0 … E are exact. Level E + 1 is for any larger number of steps: the fewest acting steps to
the vector in any time.

All subgames' tables are in one array: that of subgame k begins at `base`, level after level, state after state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Ints, Longs
from reasoner.kernels import kernel
from reasoner.kernels.scalars import int64

Costs = NDArray[np.uint16]

NEVER = 65_535
MOST = 65_534
"""NEVER: no way; MOST: at least so many steps."""

SLICE = 1 << 19
"""Entries computed at once: a millisecond or two."""

MAX_WORK = 1_500_000_000
"""Entries computed for the exact levels, all subgames together."""

USUAL_LEVELS = 32
"""Exact levels if the game may go on without end."""


@dataclass(frozen=True, eq=False)
class Field:
    """The state space of one subgame: S states, C classes."""

    following: Ints  # [S, C] numbers of states, or negative
    vector: Ints  # [S] the vector that a state shows
    vectors: int
    ended: Bools  # [S] whether it ends the whole by itself
    free: Bools  # [C] the classes that cost nothing

    @property
    def size(self) -> int:
        """Entries of a level."""
        return len(self.vector) * self.vectors


@dataclass(frozen=True, eq=False)
class Distances:
    """The tables of K subgames."""

    exact: int  # E
    base: Longs  # [K] the start of a subgame's levels
    states: Longs  # [K]
    vectors: Longs  # [K]
    costs: Costs

    def level(self, k: int, level: int) -> Costs:
        """Return one level of a subgame.  # [S, vectors]."""
        size = int(self.states[k] * self.vectors[k])
        start = int(self.base[k]) + level * size
        return self.costs[start : start + size].reshape(int(self.states[k]), int(self.vectors[k]))


def levels_for(fields: Sequence[Field], last: int | None, memory: int) -> int:
    """Return the number of exact levels that fit into `memory` bytes; the game is over after `last` steps."""
    wanted = USUAL_LEVELS if last is None else last
    size = sum(field.size for field in fields)
    work = sum(field.size * field.following.shape[1] for field in fields)
    return int(max(0, min(wanted, memory // (2 * size) - 2, MAX_WORK // max(work, 1))))


def measured(fields: Sequence[Field], exact: int) -> tuple[Distances, Iterator[None]]:
    """Return the tables, and the iterator that fills them."""
    sizes = [field.size * (exact + 2) for field in fields]
    distances = Distances(
        exact,
        np.cumsum([0, *sizes])[:-1].astype(np.int64),
        np.array([len(field.vector) for field in fields], np.int64),
        np.array([field.vectors for field in fields], np.int64),
        np.empty(sum(sizes), np.uint16),
    )
    return distances, _filling(fields, distances)


def _filling(fields: Sequence[Field], distances: Distances) -> Iterator[None]:
    for k, field in enumerate(fields):
        for level in range(distances.exact + 2):
            distances.level(k, level)[:] = NEVER
            yield
        for level in (0, distances.exact + 1):
            distances.level(k, level)[np.arange(len(field.vector)), field.vector] = 0
        for level in range(1, distances.exact + 1):
            yield from _exact_level(field, distances.level(k, level - 1), distances.level(k, level))
        yield from _any_time(field, distances.level(k, distances.exact + 1))


def _exact_level(field: Field, before: Costs, after: Costs) -> Iterator[None]:
    for first, end in _slices(field):
        lower(field.following, field.ended, field.free, after, before, first, end)
        yield


def _any_time(field: Field, costs: Costs) -> Iterator[None]:
    """Sweep from the states found last to the first, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for first, end in reversed(list(_slices(field))):
            changed |= lower(field.following, field.ended, field.free, costs, costs, first, end)
            yield


def _slices(field: Field) -> Iterator[tuple[int, int]]:
    count = len(field.vector)
    each = max(1, SLICE // max(1, field.following.shape[1] * field.vectors))
    return ((first, min(first + each, count)) for first in range(0, count, each))


@kernel
def lower(following: Ints, ended: Bools, free: Bools, costs: Costs, before: Costs, first: int, end: int) -> bool:
    """Lower the costs of some states by their successors' with one step less; return whether any changed.

    following: [S, classes]; ended: [S] over, nothing to lower; free: [classes] those that cost no step; costs, before:
    [S, vectors], the same array if the number of steps is open; first, end: the range of states.
    """
    changed = False
    for state in range(end - 1, first - 1, -1):
        if ended[state]:
            continue
        for number in range(following.shape[1]):
            reached = following[state, number]
            if reached >= 0:
                for vector in range(costs.shape[1]):
                    cost = int64(before[reached, vector])
                    if cost != NEVER:
                        cost = min(cost + (not free[number]), MOST)
                        if cost < costs[state, vector]:
                            costs[state, vector] = cost
                            changed = True
    return changed
