"""Memory of positions: a graph as arrays, in which the children of a position are next to each other.

The arrays of single numbers are views of two arrays of records: one with all that a walk through the tree reads of each
child, so that it waits for memory only once, and one with the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Longs, Singles, Words
from reasoner.kernels import kernel_norefcount
from reasoner.kernels.scalars import int64

SOLVED, PENDING = 1, 2
"""Marks of a position: its value is exact; it waits for its expansion."""
USED, EXPANDED, FAULT, UNEVEN = 0, 1, 2, 3
"""Places of `Positions.counts`: positions in use; expansions; the fault that prevents a search (0: none); 1: an end was
seen that gives both roles together less than all points, so that values are not the points of either."""
JOINT, CROWDED, UNOPPOSED = 1, 2, 3
FAULTS = {
    JOINT: "both roles choose at the same time",
    CROWDED: "a position has more moves than lanes",
    UNOPPOSED: "an end gives both roles together more than all points",
}
"""The faults, for people."""

Marks = NDArray[np.int8]
Sizes = NDArray[np.int16]


class Positions(NamedTuple):
    """N positions of W words. Values are those of the first role, 0..1; the other role has the rest."""

    states: Words  # [N, W] the searched bases, lowest bit first
    logits: Singles  # [N] the evaluation, before the logistic function
    values: Singles  # [N] the minimax value of the tree below
    low: Singles  # [N] bounds of the value if lines are searched to the horizon
    high: Singles  # [N]
    horizons: Ints  # [N] once expanded: the depth to which lines are searched for the bounds
    depths: Ints  # [N] moves from the first root of the tree
    busy: Ints  # [N] the number of the round in which nothing more is to be expanded below
    sizes: Sizes  # [N] the number of children; 0: not expanded
    marks: Marks  # [N] SOLVED, PENDING
    movers: Marks  # [N] the role that chooses, once expanded
    first: Ints  # [N] the first child
    parents: Ints  # [N] the position that was expanded, or an equal one; they share the children
    moves: Ints  # [N] the move that led here
    visits: Ints  # [N] expansions of the position and below it
    distances: Ints  # [N] joint moves to the end along the proof, if SOLVED
    leads: Singles  # [N] legal moves of the first role minus those of the second, as a share of both
    counts: Longs  # [4] by USED, EXPANDED, FAULT, UNEVEN
    table: Ints  # [T] expanded positions, by hashes of their states (`transpositions`)


WALKED = np.dtype(
    [(name, np.float32) for name in ("logits", "values", "low", "high")]
    + [(name, np.int32) for name in ("horizons", "depths", "busy")]
    + [("sizes", np.int16), ("marks", np.int8), ("movers", np.int8)]
)
"""The record of what a walk reads: half a cache line."""
OTHER = np.dtype(
    [(name, np.int32) for name in ("first", "parents", "moves", "visits", "distances")] + [("leads", np.float32)]
)


def positions(size: int, words: int) -> Positions:
    """Allocate memory for `size` positions of `words` words; the system provides it when it is first written."""
    records = np.zeros(size, WALKED), np.zeros(size, OTHER)
    views = {name: own[name] for own in records for name in own.dtype.names or ()}
    table = np.zeros(1 << (size.bit_length() - 1), np.int32)
    return Positions(states=np.zeros((size, words), np.uint64), counts=np.zeros(4, np.int64), table=table, **views)


def position_bytes(words: int) -> int:
    """Return the bytes of one position, with its place in the table."""
    return 8 * words + WALKED.itemsize + OTHER.itemsize + np.dtype(np.int32).itemsize


@kernel_norefcount
def mark_kept(positions: Positions, root: int, visits: int, renumbered: Ints) -> int:
    """Number the root and the positions below it whose parents have more than `visits` visits; return how many.

    The other positions get number -1. The numbers have the order of the places. Of equal positions that share their
    children, one that is kept becomes their parent. `busy` is overwritten.
    """
    reached, count, queue = int64(1), 0, positions.busy
    for node in range(positions.counts[USED]):
        renumbered[node] = -1
    renumbered[root], queue[0] = 0, root
    for place in range(positions.counts[USED]):
        if place >= reached:
            break
        node = int64(queue[place])
        first, size = int64(positions.first[node]), int64(positions.sizes[node])
        if size and renumbered[first] < 0 and (node == root or positions.visits[node] > visits):
            for child in range(first, first + size):
                renumbered[child], positions.parents[child], queue[reached] = 0, node, child
                reached += 1
    for node in range(positions.counts[USED]):
        if renumbered[node] == 0:
            renumbered[node] = count
            count += 1
    return count


@kernel_norefcount
def keep_marked(positions: Positions, root: int, renumbered: Ints) -> None:
    """Move the numbered positions to their new places. A position that loses its children keeps its value.

    `transpositions.remember_all` has to enter the expanded positions again.
    """
    used = 0
    for node in range(positions.counts[USED]):
        to = int64(renumbered[node])
        if to < 0:
            continue
        for w in range(positions.states.shape[1]):
            positions.states[to, w] = positions.states[node, w]
        first = int64(positions.first[node])
        kept = positions.sizes[node] > 0 and renumbered[first] >= 0
        positions.first[to] = renumbered[first] if kept else 0
        positions.sizes[to] = positions.sizes[node] if kept else 0
        positions.parents[to] = renumbered[positions.parents[node]] if node != root else to
        positions.logits[to], positions.values[to] = positions.logits[node], positions.values[node]
        positions.moves[to], positions.visits[to] = positions.moves[node], positions.visits[node]
        positions.movers[to], positions.marks[to] = positions.movers[node], positions.marks[node]
        positions.distances[to], positions.depths[to] = positions.distances[node], positions.depths[node]
        positions.horizons[to], positions.busy[to] = positions.horizons[node], 0
        positions.leads[to] = positions.leads[node]
        positions.low[to], positions.high[to] = positions.low[node], positions.high[node]
        used = to + 1
    positions.counts[USED] = used
