"""Incremental evaluation of one move instead of another: only changed gates are recomputed, in order.

Most gates that depend on a move only test whether one of many moves is made, so they do not change. The cost of a trial
thus depends on the number of gates that change between the two moves, and not on the number of gates that depend on the
moves, which grows with the game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Literals, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import GateStore, and_
from reasoner.kernels import kernel
from reasoner.kernels.bits import ONE
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.rows import lowest_bit

VISITED, CHANGED = range(2)
"""Indices in `Readers.counts` after a trial: gates recomputed, and nodes changed."""


class Readers(NamedTuple):
    """The gates that read a node, ``gates[start[node] : start[node + 1]]``, and scratch memory for a trial."""

    start: Longs  # [nodes + 1]
    gates: Literals  # [2 * gates] nodes
    waiting: Words  # [nodes / 64] bit set of gates to recompute; empty between trials
    changed: Literals  # [nodes] the changed nodes, in order
    before: Literals  # [nodes] the literals of the changed nodes before the change
    counts: Longs  # [2] by VISITED, CHANGED


def readers_of(circuit: Circuit, first: int) -> Readers:
    """Return the readers in a circuit whose gates begin with node `first`."""
    nodes = np.concatenate((circuit.left >> 1, circuit.right >> 1))
    order = np.argsort(nodes, kind="stable")
    count = first + len(circuit.left)
    start = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(nodes, minlength=count), out=start[1:])
    gates = np.tile(np.arange(len(circuit.left), dtype=np.int32) + np.int32(first), 2)
    room = np.zeros(count, np.int32)
    return Readers(start, gates[order], np.zeros((count >> 6) + 1, np.uint64), room, room.copy(), np.zeros(2, np.int64))


@kernel
def instead(
    store: GateStore, left: Literals, right: Literals, first: int, node: Literals, readers: Readers, most: int
) -> None:
    """Recompute the readers of the changed nodes: the first ``counts[CHANGED]`` of `readers.changed`.

    node: [nodes] literals, updated; it has the new values of the changed nodes. The function stops early if more than
    `most` gates would be visited.
    """
    readers.counts[VISITED] = 0
    lowest = len(readers.waiting)
    for place in range(readers.counts[CHANGED]):
        source = readers.changed[place]
        for i in range(readers.start[source], readers.start[source + 1]):
            at = readers.gates[i]
            readers.waiting[at >> 6] |= ONE << uint64(at & 63)
            lowest = min(lowest, int64(at >> 6))
    for word in range(lowest, len(readers.waiting)):
        while readers.waiting[word] and readers.counts[VISITED] <= most:
            at = word * 64 + int64(lowest_bit(readers.waiting[word]))
            readers.waiting[word] &= readers.waiting[word] - ONE
            readers.counts[VISITED] += 1
            a, b = left[at - first], right[at - first]
            now = and_(store, node[a >> 1] ^ (a & 1), node[b >> 1] ^ (b & 1))
            if now == node[at]:
                continue
            readers.changed[readers.counts[CHANGED]], readers.before[readers.counts[CHANGED]] = at, node[at]
            readers.counts[CHANGED] += 1
            node[at] = now
            for i in range(readers.start[at], readers.start[at + 1]):
                reader = readers.gates[i]
                readers.waiting[reader >> 6] |= ONE << uint64(reader & 63)
