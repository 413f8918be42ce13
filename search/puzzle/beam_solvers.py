"""Solvers by beam search (`beam`), which differ in their ranking of states.

- `Beam` alternates between two rankings. The first is the points that the rules would give if time ran out now; this
  helps where the goal counts finished parts. The second prefers paths with few continuations that do not end the game
  at once, so that dead ends are found early (Warnsdorff's rule for the knight's tour).
- `GoalBeam`: the number of facts that differ from the values that the best goal requires. This ranking ignores how many
  moves are needed to change a fact. It solves many games whose facts depend on too many others for patterns.
- `PatternBeam`: the sum of the pattern distances (`patterns`) to the best goal. The sum may overestimate the true
  distance, which is harmless because nothing is proved from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from search.native.tree import pack
from search.puzzle.beam import BeamSearch
from search.puzzle.beam_level import Level
from search.puzzle.patterns import goal_of, patterns
from search.puzzle.projection import Pattern, add_distances
from search.puzzle.state_space import COUNT, Space

FIRST_WIDTH, FACTOR = 1 << 8, 2
"""Width of the first beams of `Beam`, and the factor by which the next beams are wider."""
GOAL_WIDTHS = (1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 15, 1 << 16)
MIN_GOAL_FACTS = 2
"""Minimum number of facts that the best goal must fix for `GoalBeam`."""
PATTERN_STATES = (20_000, 250_000)
"""Maximum number of states of a pattern: in the first round, and in the second."""
PATTERN_WIDTHS = ((1 << 8, 1 << 10, 1 << 12), (1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17))
"""Widths of the beams in each round of `PATTERN_STATES`."""
PATTERNS = 10
"""Number of patterns that memory is planned for."""
CHILD_BYTES = 9
"""Bytes per state and move while a pattern is built."""
ALONE_SECONDS, ALONE_STATES = 8.0, 1000
"""`PatternBeam` has turns alone for ALONE_SECONDS if a pattern has at least ALONE_STATES states, because other methods
seldom help in such games."""


class Beam(BeamSearch):
    """Beams ranked by points and by continuations in alternation; see `PuzzleSolver`."""

    name = "beam"

    def _working(self) -> Iterator[None]:
        width = FIRST_WIDTH
        while width <= self._max_width:
            whole = yield from self._beam(width, _by_points, "worth")
            whole &= yield from self._beam(width, _by_continuations, "few continuations")
            width = width * FACTOR if whole else max(FIRST_WIDTH, width // FACTOR)


def _by_points(_space: Space, level: Level, alive: NDArray[Any], _reached: NDArray[Any]) -> NDArray[Any]:
    score: NDArray[Any] = -level.worth[alive]
    return score


def _by_continuations(space: Space, _level: Level, alive: NDArray[Any], reached: NDArray[Any]) -> NDArray[Any]:
    score: NDArray[Any] = reached[space.origin[alive]]
    return score


class GoalBeam(BeamSearch):
    """Beams ranked by facts of the best goal; see `PuzzleSolver`. Done at once if the best goal fixes too few facts."""

    name, alone = "goals", 1.0

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory // 2)
        goal = goal_of(machine.circuit)
        required = goal.required & self._counters.key
        self._count = int(required.sum())
        self._required = pack(required.astype(np.uint8))  # [words]
        self._value = pack((required & goal.value).astype(np.uint8))  # [words]

    def _working(self) -> Iterator[None]:
        if self._count < MIN_GOAL_FACTS:
            self.progress = "the goal fixes too few facts"
            return
        yield from self._beams(GOAL_WIDTHS, self._wrong_facts, "facts of the goal")

    def _wrong_facts(self, space: Space, _level: Level, alive: NDArray[Any], _reached: NDArray[Any]) -> NDArray[Any]:
        wrong = (space.states[alive] ^ self._value) & self._required
        count: NDArray[Any] = np.bitwise_count(wrong).sum(axis=1, dtype=np.int32)
        return count


class PatternBeam(BeamSearch):
    """Beams ranked by pattern distances; see `PuzzleSolver`. Done at once if no patterns are found."""

    name = "patterns"

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory // 2)
        self._machine, self._bits, self._memory = machine, state, memory // 2
        self._patterns = list[Pattern]()
        self.alone = ALONE_SECONDS  # until the patterns turn out to be small

    def advance(self, move: int, state: Bools) -> bool:
        """See `PuzzleSolver.advance`: the patterns stay valid."""
        self._bits = state
        return super().advance(move, state) or not self._patterns

    def _working(self) -> Iterator[None]:
        self.progress, before = "no patterns", 0
        moves, key = len(self._machine.circuit.legal), self._counters.key
        room = self._memory // (PATTERNS * (8 * self._words + 24) + CHILD_BYTES * moves)
        for most, widths in zip(PATTERN_STATES, PATTERN_WIDTHS, strict=True):
            self._patterns = yield from patterns(self._machine, self._bits, key, min(most, room))
            size = max((len(each.distance) for each in self._patterns), default=0)
            self.alone = ALONE_SECONDS if size >= ALONE_STATES else 0.0
            if size > before:  # otherwise the patterns are no larger than before
                before = size
                yield from self._beams(widths, self._distances, "patterns")

    def _distances(self, space: Space, _level: Level, alive: NDArray[Any], _reached: NDArray[Any]) -> NDArray[Any]:
        total = np.zeros(int(space.counts[COUNT]), np.int32)
        for each in self._patterns:
            add_distances(space.states, len(total), each.space, each.distance, total)
        score: NDArray[Any] = total[alive]
        return score
