"""Best-first search of the whole in its subgames' tables, by the lower bound; of equals the latest state first.

A state of the whole is a setting of the step counter and a state of each subgame. States whose bound rules out a wanted
end are dropped. If the subgames are independent, the bound is exact and the search walks straight to the end. If they
interact, the bound of some states grows, and the search tries the next best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.scalars import int64
from search.subgames.plan.exploration import ILLEGAL
from search.subgames.plan.lower_bound import DEAD, NO_END, ProductTables, Target, steps_to_end, time_after
from search.subgames.plan.row_index import place

RUNNING, FOUND, EXHAUSTED, FULL = range(4)
"""Status of a search."""

COUNT, WAITING, BEST, BEST_VALUE, STATUS, CHILDREN = range(6)
"""Indices in `counts`: states; states in the heap; the best end, or -1; its value; the status; states evaluated."""

SLICE = 4_096
"""States to evaluate between looks at the clock."""

_LATEST = (1 << 31) - 1


class Nodes(NamedTuple):
    """The states of the whole that were found; L states fit."""

    keys: Ints  # [L, 1 + K] the step counter's setting, and each subgame's state
    parent: Ints  # [L]
    row: Ints  # [L] the row that led here
    steps: Ints  # [L] the bound
    table: Ints  # [a power of two] numbers + 1, at most half full
    heap: Longs  # [L] a min-heap: bound, then the latest
    counts: Longs  # [6]


@kernel
def push(nodes: Nodes, item: int) -> None:
    """Push an item onto the heap."""
    at = nodes.counts[WAITING]
    nodes.counts[WAITING] = at + 1
    while at > 0 and nodes.heap[(at - 1) >> 1] > item:
        nodes.heap[at] = nodes.heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    nodes.heap[at] = item


@subkernel
def pop(nodes: Nodes) -> int:
    """Pop the smallest item off the heap."""
    least, count = nodes.heap[0], nodes.counts[WAITING] - 1
    nodes.counts[WAITING] = count
    item, at = nodes.heap[count], 0
    while 2 * at + 1 < count:
        child = 2 * at + 1
        if child + 1 < count and nodes.heap[child + 1] < nodes.heap[child]:
            child += 1
        if nodes.heap[child] >= item:
            break
        nodes.heap[at] = nodes.heap[child]
        at = child
    nodes.heap[at] = item
    return least


@kernel
def leaf_of(board: ProductTables, key: Ints) -> int:
    """Return the diagram's leaf for a state; DEAD if the game goes on for certain."""
    node = int64(board.root_of[key[0]])
    for k in range(len(key) - 1):
        if node == DEAD:
            return node
        vector = board.vector[board.vector_base[k] + key[1 + k]]
        node = int64(board.edges[board.first[node] + vector])
    return node


@subkernel
def make_row(board: ProductTables, key: Ints, row: int, after: Ints) -> int:
    """Write the successor by a row to `after` and return 0; else return the reason: ILLEGAL or UNKNOWN."""
    later, known = time_after(board, key[0], 1), 0
    if later < 0:
        return ILLEGAL
    after[0] = later
    for k in range(len(key) - 1):
        place = board.following_base[k] + key[1 + k] * board.classes[k] + board.rows[row, k]
        reached = board.following[place] if board.rows[row, k] >= 0 else ILLEGAL
        if reached == ILLEGAL:
            return ILLEGAL
        known = min(known, reached)
        after[1 + k] = reached
    return known


@kernel
def note_end(nodes: Nodes, number: int, value: int) -> None:
    """Record an end if it is the best so far."""
    if value > nodes.counts[BEST_VALUE]:
        nodes.counts[BEST], nodes.counts[BEST_VALUE] = number, value


@subkernel
def enter(board: ProductTables, target: Target, nodes: Nodes, after: Ints, parent: int, row: int) -> None:
    """Add a state, unless it is known or cannot lead to a wanted end."""
    at = place(nodes.table, nodes.keys, after)
    if nodes.table[at]:
        return
    leaf = leaf_of(board, after)
    ends = leaf != DEAD and board.over[leaf]
    steps = 0
    if not ends:
        steps = steps_to_end(board, target, after[0], after[1:], max(nodes.steps[parent] - 1, 0))
        if steps == NO_END:
            return
    elif board.value[leaf] <= nodes.counts[BEST_VALUE]:
        return
    number = nodes.counts[COUNT]
    nodes.counts[COUNT] = number + 1
    nodes.table[at] = number + 1
    nodes.keys[number] = after
    nodes.parent[number], nodes.row[number], nodes.steps[number] = parent, row, steps
    if ends:
        note_end(nodes, number, board.value[leaf])
    else:
        push(nodes, (steps << 32) + _LATEST - number)


@kernel
def hunt(board: ProductTables, target: Target, nodes: Nodes, after: Ints, most: int) -> None:
    """Search about `most` more states; the result is in `nodes.counts`.  # after [1 + K]."""
    rows, counts = len(board.rows), nodes.counts
    end = counts[CHILDREN] + most
    while counts[CHILDREN] < end:
        if counts[BEST_VALUE] >= target.value:
            counts[STATUS] = FOUND
            return
        if counts[WAITING] == 0:
            counts[STATUS] = EXHAUSTED
            return
        if counts[COUNT] + rows >= len(nodes.keys):
            counts[STATUS] = FULL
            return
        parent = _LATEST - (pop(nodes) & _LATEST)
        key = nodes.keys[parent]
        open_rows = board.open_rows[board.phase_of[key[0]]]
        some = False
        for row in range(rows):
            if open_rows[row]:
                made = make_row(board, key, row, after)
                some |= made != ILLEGAL
                if made == 0:
                    enter(board, target, nodes, after, parent, row)
        counts[CHILDREN] += rows
        if not some and board.stuck:
            note_end(nodes, parent, board.value[leaf_of(board, key)])


class BestFirst:
    """Search for an end that a target wants, from a state of the whole, within a memory limit in bytes."""

    def __init__(self, board: ProductTables, target: Target, here: Ints, memory: int) -> None:
        width = len(here)
        room = max(len(board.rows) + 2, memory // (4 * width + 12 + 8 + 16))
        self.board, self.target = board, target
        self.nodes = Nodes(
            keys=np.empty((room, width), np.int32),
            parent=np.empty(room, np.int32),
            row=np.empty(room, np.int32),
            steps=np.empty(room, np.int32),
            table=np.zeros(1 << (2 * room).bit_length(), np.int32),
            heap=np.empty(room, np.int64),
            counts=np.array([1, 0, -1, -1, RUNNING, 0], np.int64),
        )
        self.counts = self.nodes.counts
        self.children = 0  # states evaluated in the last slice
        self._after = np.empty(width, np.int32)
        self._begin(here)

    def _begin(self, here: Ints) -> None:
        nodes, leaf = self.nodes, leaf_of(self.board, here)
        nodes.keys[0], nodes.parent[0], nodes.row[0] = here, -1, -1
        nodes.table[place(nodes.table, nodes.keys, here)] = 1
        if leaf != DEAD and self.board.over[leaf]:
            note_end(nodes, 0, int(self.board.value[leaf]))
            return
        nodes.steps[0] = steps_to_end(self.board, self.target, int(here[0]), here[1:], 0)
        if nodes.steps[0] != NO_END:
            push(nodes, (int(nodes.steps[0]) << 32) + _LATEST)

    @property
    def running(self) -> bool:
        """Whether the search is unfinished."""
        return bool(self.counts[STATUS] == RUNNING)

    @property
    def best_value(self) -> int:
        """The value of the best end found, 0..100; -1 for none."""
        return int(self.counts[BEST_VALUE])

    def go_on(self) -> None:
        """Search one slice."""
        before = int(self.counts[CHILDREN])
        hunt(self.board, self.target, self.nodes, self._after, SLICE)
        self.children = int(self.counts[CHILDREN]) - before

    def line(self) -> list[int]:
        """Return the rows that lead to the best end."""
        rows, node = [], int(self.counts[BEST])
        while self.nodes.parent[node] >= 0:
            rows.append(int(self.nodes.row[node]))
            node = int(self.nodes.parent[node])
        return rows[::-1]
