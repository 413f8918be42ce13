"""Breadth-first search (`breadth`) from a state, slice by slice, within a memory limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import aligned
from search.puzzle.breadth import BEST, BEST_AT, COUNT, DONE, WORTH, empty, grow, put, rehash, work_for
from search.puzzle.counters import counters_of
from search.subgames.plan.packing import packed, words_for

FIRST_ROOM = 1 << 12
BATCH = 1 << 12
"""States to go on from before the clock is looked at."""
MOST_POINTS = 100


class Exhaust:
    """The states of a machine's game of one role from `state` on; `memory` in bytes."""

    def __init__(self, machine: CircuitMachine, state: NDArray[np.bool_], memory: int) -> None:
        circuit = machine.circuit
        searched = state[: circuit.searched]
        self._counters = counters_of(circuit, searched)
        self._program = machine.lanes_program
        self._values = aligned(machine.rows)
        self._memory, self._words = memory, words_for(circuit.searched)
        key = packed(self._counters.key.astype(np.uint8))
        self._space = empty(max(FIRST_ROOM, 2 * len(circuit.legal)), self._words, key)
        self._work = work_for(circuit, self._words)
        put(self._space, packed(searched.astype(np.uint8)), -1, -1)
        self._depth, self._level_end = 0, 1
        self.full = False  # there is no room for more states

    @property
    def states(self) -> int:
        """States found."""
        return int(self._space.counts[COUNT])

    @property
    def depth(self) -> int:
        """Steps from the first state of those that are gone on from now."""
        return self._depth

    @property
    def complete(self) -> bool:
        """Whether all states that can be reached were found."""
        return bool(self._space.counts[DONE] == self._space.counts[COUNT])

    @property
    def value(self) -> int:
        """The points of the best end found, -1 where there is none."""
        return int(self._space.counts[BEST])

    @property
    def bound(self) -> int:
        """Points that no end surpasses."""
        if not self.complete or not self._counters.steady:
            return MOST_POINTS
        return self.value if self._counters.last is None else int(self._space.counts[WORTH])

    def grow(self) -> bool:
        """Go on for a batch; False when all states were seen, or there is no room."""
        if self.complete or self.full:
            return False
        space = self._space
        if not grow(self._values, self._program, space, self._work, self._level_end, BATCH):
            self._enlarge()
        if space.counts[DONE] == self._level_end:
            self._depth, self._level_end = self._depth + 1, int(space.counts[COUNT])
        return True

    def line(self) -> list[int]:
        """The moves to the best end found, as few as may be."""
        found, at = list[int](), int(self._space.counts[BEST_AT])
        while at > 0:
            found.append(int(self._space.move[at]))
            at = int(self._space.origin[at])
        return found[::-1]

    def _enlarge(self) -> None:
        old, count = self._space, self.states
        room = 2 * len(old.states) + BATCH
        if room * (8 * self._words + 8 + 16) > self._memory:
            self.full = True
            return
        self._space = empty(room, self._words, old.key)
        for new, rows in zip(self._space[:3], old[:3], strict=True):
            new[:count] = rows[:count]
        self._space.counts[:] = old.counts
        rehash(self._space)
