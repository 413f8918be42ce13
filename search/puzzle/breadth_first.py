"""Breadth-first search (`state_space`) from a state, in batches within a memory limit: finds shortest lines."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import aligned
from search.native.tree import pack, words_for
from search.puzzle.counters import counters_of
from search.puzzle.solver import Solution
from search.puzzle.state_space import BEST, BEST_AT, COUNT, DONE, WORTH, empty, grow, put, rehash, work_for

FIRST_STATES = 2
"""Initial capacity: small, so that every game, also in `search.warm`, calls the kernels that enlarge it."""
BATCH_STATES = 1 << 12
"""Maximum number of states to expand in a turn."""
BATCH_SUCCESSORS = 1 << 13
"""Maximum number of successors in a turn: in games with many moves, fewer states are expanded."""


class BreadthFirst:
    """Breadth-first search from `state`; states that differ only in counters count as one.

    state: [searched] the values of the bases; memory: bytes for states.
    """

    name, alone, leads, waiting = "breadth-first", 1.0, 0.0, False

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        circuit = machine.circuit
        self._counters = counters_of(circuit, state)
        self._lanes, self._values = machine.lanes_program, aligned(machine.rows)
        self._moves, self._memory, self._points = len(circuit.legal), memory, machine.points
        self._words = words_for(circuit.searched)
        self._batch = max(1, min(BATCH_STATES, BATCH_SUCCESSORS // max(1, self._moves)))
        self._space = empty(FIRST_STATES, self._words, pack(self._counters.key.astype(np.uint8)))
        self._work = work_for(circuit, self._words)
        put(self._space, pack(state.astype(np.uint8)), -1, -1)
        self.depth, self._level_end = 0, 1
        self.full = False  # memory is full

    @property
    def states(self) -> int:
        """Number of states found."""
        return int(self._space.counts[COUNT])

    @property
    def complete(self) -> bool:
        """Whether all reachable states were found."""
        return bool(self._space.counts[DONE] == self._space.counts[COUNT])

    @property
    def done(self) -> bool:
        """See `PuzzleSolver.done`."""
        return self.full or self.complete

    @property
    def bound(self) -> int:
        """See `PuzzleSolver.bound`: the best value of an end or, if time can run out, of any state."""
        counts = self._space.counts
        if not self.complete or not self._counters.steady:
            return self._points
        return max(0, int(counts[BEST if self._counters.last is None else WORTH]))

    @property
    def progress(self) -> str:
        """See `PuzzleSolver.progress`."""
        how = "all" if self.complete else "memory is full" if self.full else "so far"
        return f"{self.states:,} states to depth {self.depth}, {how}"

    def turn(self, beaten: int) -> Solution | None:
        """See `PuzzleSolver.turn`."""
        if self.done:
            return None
        space = self._space
        if not grow(self._values, self._lanes, space, self._work, self._level_end, self._batch):
            self._enlarge()
        if space.counts[DONE] == self._level_end:
            self.depth, self._level_end = self.depth + 1, int(space.counts[COUNT])
        value = int(space.counts[BEST])
        return Solution(value, self._line()) if value > beaten else None

    def advance(self, move: int, state: Bools) -> bool:  # noqa: ARG002 states are numbered from the first one
        """See `PuzzleSolver.advance`."""
        return False

    def close(self) -> None:
        """See `PuzzleSolver.close`."""
        self.full = True

    def _line(self) -> tuple[int, ...]:
        """Return a shortest sequence of moves to the best end found."""
        found, at = list[int](), int(self._space.counts[BEST_AT])
        while at > 0:
            found.append(int(self._space.move[at]))
            at = int(self._space.origin[at])
        return tuple(found[::-1])

    def _enlarge(self) -> None:
        """Enlarge the memory for the successors of at least one more batch."""
        old, count = self._space, self.states
        room = 2 * len(old.states) + self._batch * self._moves
        if 2 * room * (8 * self._words + 8 + 8) > self._memory:  # old and new exist at once
            self.full = True
            return
        self._space = empty(room, self._words, old.key)
        for name in ("states", "origin", "move"):
            getattr(self._space, name)[:count] = getattr(old, name)[:count]
        self._space.counts[:] = old.counts
        rehash(self._space)
