"""Memory of positions: a tree as arrays, in which the children of a position are next to each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Longs, Singles, Words
from reasoner.kernels import kernel_norefcount
from reasoner.kernels.scalars import int64

SOLVED, PENDING = 1, 2
"""Marks of a position: its value is exact; it waits for its expansion."""
USED, EXPANDED, FAULT = 0, 1, 2
"""Places of `Positions.counts`: positions in use; expansions; the fault that prevents a search (0: none)."""
JOINT, CROWDED, UNOPPOSED = 1, 2, 3
"""Faults: both roles choose at the same time; a position has more moves than lanes; an end gives both roles together
more than all points."""

Marks = NDArray[np.int8]


class Positions(NamedTuple):
    """N positions of W words. Values are those of the first role, 0..1; the other role has the rest."""

    states: Words  # [N, W] the searched bases, lowest bit first
    logits: Singles  # [N] the evaluation, before the logistic function
    values: Singles  # [N] the minimax value of the tree below
    first: Ints  # [N] the first child
    sizes: Ints  # [N] the number of children; 0: not expanded
    parents: Ints  # [N]
    moves: Ints  # [N] the move that led here
    visits: Ints  # [N] expansions of the position and below it
    movers: Marks  # [N] the role that chooses, once expanded
    marks: Marks  # [N] SOLVED, PENDING
    distances: Ints  # [N] joint moves to the end along the proof, if SOLVED
    depths: Ints  # [N] moves from the first root of the tree
    horizons: Ints  # [N] once expanded: the depth to which lines are searched for the bounds of the value
    low: Singles  # [N]
    high: Singles  # [N]
    busy: Longs  # [N] the number of the round in which nothing more is to be expanded below
    counts: Longs  # [3] by USED, EXPANDED, FAULT


def positions(size: int, words: int) -> Positions:
    """Allocate memory for `size` positions of `words` words; the system provides it when it is first written."""
    return Positions(
        states=np.zeros((size, words), np.uint64),
        logits=np.zeros(size, np.float32),
        values=np.zeros(size, np.float32),
        first=np.zeros(size, np.int32),
        sizes=np.zeros(size, np.int32),
        parents=np.zeros(size, np.int32),
        moves=np.zeros(size, np.int32),
        visits=np.zeros(size, np.int32),
        movers=np.zeros(size, np.int8),
        marks=np.zeros(size, np.int8),
        distances=np.zeros(size, np.int32),
        depths=np.zeros(size, np.int32),
        horizons=np.zeros(size, np.int32),
        low=np.zeros(size, np.float32),
        high=np.zeros(size, np.float32),
        busy=np.zeros(size, np.int64),
        counts=np.zeros(3, np.int64),
    )


def position_bytes(words: int) -> int:
    """Return the bytes of one position."""
    return 8 * words + 12 * 4 + 8 + 2


@kernel_norefcount
def mark_kept(positions: Positions, root: int, visits: int, renumbered: Ints) -> int:
    """Number the root and the positions below it whose parents have more than `visits` visits; return how many.

    The other positions get number -1. Children have larger indices than their parents.
    """
    count = 1
    for node in range(positions.counts[USED]):
        renumbered[node] = -1
    renumbered[root] = 0
    for node in range(root + 1, positions.counts[USED]):
        parent = positions.parents[node]
        if parent >= root and renumbered[parent] >= 0 and (parent == root or positions.visits[parent] > visits):
            renumbered[node] = count
            count += 1
    return count


@kernel_norefcount
def keep_marked(positions: Positions, root: int, renumbered: Ints) -> None:
    """Move the numbered positions to their new places. A position that loses its children keeps its value."""
    used = 0
    for node in range(root, positions.counts[USED]):
        to = int64(renumbered[node])
        if to < 0:
            continue
        for w in range(positions.states.shape[1]):
            positions.states[to, w] = positions.states[node, w]
        first = int64(positions.first[node])
        kept = positions.sizes[node] > 0 and renumbered[first] >= 0
        positions.first[to] = renumbered[first] if kept else 0
        positions.sizes[to] = positions.sizes[node] if kept else 0
        positions.parents[to] = renumbered[positions.parents[node]] if node != root else 0
        positions.logits[to], positions.values[to] = positions.logits[node], positions.values[node]
        positions.moves[to], positions.visits[to] = positions.moves[node], positions.visits[node]
        positions.movers[to], positions.marks[to] = positions.movers[node], positions.marks[node]
        positions.distances[to], positions.depths[to] = positions.distances[node], positions.depths[node]
        positions.horizons[to], positions.busy[to] = positions.horizons[node], 0
        positions.low[to], positions.high[to] = positions.low[node], positions.high[node]
        used = to + 1
    positions.counts[USED] = used
