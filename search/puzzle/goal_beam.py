"""Beams that keep the states with most facts as the best goal requires, and no state twice.

This ignores how many moves a fact is from its goal value; `pattern_beam` measures that if dependent facts form small
sets. Counting solves many games whose sets are too large for patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from search.puzzle.beam_level import Level
from search.puzzle.patterns import goal_of
from search.puzzle.state_space import COUNT, Space
from search.puzzle.unseen_beam import UnseenBeam
from search.subgames.plan.bit_packing import packed

WIDTHS = (1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 15, 1 << 16)
LEAST_TOLD = 2
"""Facts that the best goal must fix."""


class GoalBeam(UnseenBeam):
    """Beams from a state; see `Method`. It is done at once if the best goal fixes too few facts."""

    name, alone = "goals", 1.0
    _promise = "facts of the goal"

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory // 2)
        goal = goal_of(machine.circuit)
        told = goal.told & self._counters.key
        self._tells = int(told.sum())
        self._told = packed(told.astype(np.uint8))  # [words]
        self._value = packed((told & goal.value).astype(np.uint8))  # [words]

    def _working(self) -> Iterator[None]:
        if self._tells < LEAST_TOLD:
            self.told = "the goal fixes too few facts"
            return
        yield from self._beams([width for width in WIDTHS if width <= self._most])

    def _score(
        self,
        space: Space,
        level: Level,  # noqa: ARG002 the goal's facts replace the worth
        alive: NDArray[Any],
        reached: NDArray[Any] | None,  # noqa: ARG002 no beam here scores by continuations
    ) -> NDArray[Any]:
        states = space.states[: int(space.counts[COUNT])][alive]
        wrong: NDArray[Any] = np.bitwise_count((states ^ self._value) & self._told).sum(axis=1, dtype=np.int32)
        return wrong
