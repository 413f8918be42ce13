"""Order of gates within a section: list scheduling into long runs of one pattern.

The scheduler picks the pattern with most ready gates, and continues with it while any gate of the pattern is ready. The
gates that became ready last come first, so that few rows are live. A gate that has just become ready is *fresh*. It is
chosen only after DELAY more gates have become ready, or if its pattern has no other ready gate. So an operation rarely
waits for the result of the operation just before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Ints
from reasoner.kernels import device_function, kernel
from reasoner.lanes.lane_graph import LaneGraph

AND, ANDNOT, NOR, XOR, UPDATE, UPDATE_NOT, DRAW = range(7)
"""Patterns: the number of complemented operands of an AND; XOR; then operations that are not gates."""

GATE_PATTERNS = 4
DELAY = 6

OLDEST, WAITING = range(2)
"""Entries of `Ready.queue`: the place of the oldest fresh gate in the ring buffer, and the number of fresh gates."""

NOBODY = -1


@kernel
def pattern_of(left: int, right: int) -> int:
    """The pattern of a gate with these operands."""
    return XOR if left > right else (left & 1) + (right & 1)


class Gates(NamedTuple):
    """The operands of all gates, as literals; gate ``i`` is node ``first + i``."""

    first: int
    left: Ints
    right: Ints

    @classmethod
    def of(cls, graph: LaneGraph) -> Gates:
        """The gates of a lane graph."""
        return cls(graph.first_gate, graph.left, graph.right)


class Ready(NamedTuple):
    """The gates whose operands are computed: *fresh* gates are in a queue, the others on a stack for their pattern."""

    stacks: Ints  # [GATE_PATTERNS, nodes]
    heights: Ints  # [GATE_PATTERNS]
    fresh: Ints  # [DELAY + 1] a ring buffer
    queue: Ints  # [2] the index of the oldest fresh gate; the number of fresh gates


class Order:
    """The gates scheduled so far, and the runs they form."""

    def __init__(self, gates: Gates) -> None:
        self.source = gates
        self.gates = np.zeros(len(gates.left), np.int32)  # nodes in order of computation
        self.runs: list[tuple[int, int, int]] = []  # pattern, first gate, end
        self.end = 0
        self._done = np.zeros(gates.first + len(gates.left), np.bool_)

    def section(self, nodes: Ints) -> None:
        """Schedule `nodes`; all other nodes that they read must be scheduled already."""
        runs = np.zeros((len(nodes), 3), np.int32)
        found = schedule(self.source, nodes, self._done, self.gates, self.end, runs)
        self.end += len(nodes)
        self.runs += [(pattern, start, end) for pattern, start, end in runs[:found].tolist()]


@kernel
def schedule(gates: Gates, nodes: Ints, done: Bools, order: Ints, end: int, runs: Ints) -> int:
    """Append `nodes` to `order`, which ends at `end`; mark them as done; fill `runs`; return the number of runs."""
    ready = Ready(
        np.empty((GATE_PATTERNS, len(nodes)), np.int32),
        np.zeros(GATE_PATTERNS, np.int32),
        np.zeros(DELAY + 1, np.int32),
        np.zeros(2, np.int32),
    )
    waiting, reader, following = dependencies(gates, nodes, done, ready)
    found = 0
    while True:
        pattern = longest(gates, ready)
        if ready.heights[pattern] == 0:
            break
        start = end
        while available(gates, ready, pattern):
            ready.heights[pattern] -= 1
            node = ready.stacks[pattern, ready.heights[pattern]]
            order[end] = node
            end += 1
            edge = reader[node - gates.first]
            while edge != NOBODY:
                gate = edge >> 1
                waiting[gate] -= 1
                if waiting[gate] == 0:
                    add(gates, ready, gates.first + gate)
                edge = following[edge]
        runs[found, 0], runs[found, 1], runs[found, 2] = pattern, start, end
        found += 1
    for node in nodes:
        done[node] = True
    return found


@device_function
def dependencies(gates: Gates, nodes: Ints, done: Bools, ready: Ready) -> tuple[NDArray[np.int8], Ints, Ints]:
    """Count the unscheduled operands of each gate and list its readers; gates without such operands become ready.

    The readers of a gate are a list: ``reader[gate]`` is its first edge, ``following[edge]`` the next one, and edge
    ``2 * g`` or ``2 * g + 1`` leads to gate ``g``.
    """
    waiting = np.zeros(len(gates.left), np.int8)
    reader, following = np.full(len(gates.left), NOBODY, np.int32), np.empty(2 * len(gates.left), np.int32)
    for node in nodes:
        gate = node - gates.first
        a, b = gates.left[gate] >> 1, gates.right[gate] >> 1
        for side in range(1 if a == b else 2):
            operand = b if side else a
            if operand >= gates.first and not done[operand]:
                waiting[gate] += 1
                edge = 2 * gate + side
                following[edge] = reader[operand - gates.first]
                reader[operand - gates.first] = edge
    for i in range(len(nodes) - 1, -1, -1):
        if waiting[nodes[i] - gates.first] == 0:
            add(gates, ready, nodes[i])
    return waiting, reader, following


@device_function
def add(gates: Gates, ready: Ready, node: int) -> None:
    """Add a gate that has become ready."""
    ready.fresh[(ready.queue[OLDEST] + ready.queue[WAITING]) % len(ready.fresh)] = node
    ready.queue[WAITING] += 1
    if ready.queue[WAITING] > DELAY:
        settle(gates, ready)


@device_function
def settle(gates: Gates, ready: Ready) -> None:
    """Move the oldest fresh gate to the stack of its pattern."""
    node = ready.fresh[ready.queue[OLDEST]]
    ready.queue[OLDEST] = (ready.queue[OLDEST] + 1) % len(ready.fresh)
    ready.queue[WAITING] -= 1
    pattern = pattern_of(gates.left[node - gates.first], gates.right[node - gates.first])
    ready.stacks[pattern, ready.heights[pattern]] = node
    ready.heights[pattern] += 1


@device_function
def available(gates: Gates, ready: Ready, pattern: int) -> bool:
    """Whether a gate of the pattern is ready; if so, one is on the pattern's stack afterwards."""
    while ready.heights[pattern] == 0 and ready.queue[WAITING]:
        settle(gates, ready)
    return bool(ready.heights[pattern] > 0)


@device_function
def longest(gates: Gates, ready: Ready) -> int:
    """The pattern with most ready gates."""
    while ready.queue[WAITING]:
        settle(gates, ready)
    best = 0
    for pattern in range(1, GATE_PATTERNS):
        if ready.heights[pattern] > ready.heights[best]:
            best = pattern
    return best
