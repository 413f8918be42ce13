"""Beams that keep the states in which most facts are as the best goal has them, and none twice.

That overlooks how far a fact is from there, which `pattern_beam` tells where facts hang together in small sets. Of what
it does not solve, as its sets are too large, much is solved by counting.
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
"""Facts that the best goal must tell of."""


class GoalBeam(UnseenBeam):
    """Beams from a state; see `Method`. It is done at once where the best goal tells of no facts."""

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
            self.told = "the goal tells of no facts"
            return
        yield from self._beams([width for width in WIDTHS if width <= self._most])

    def _score(
        self,
        space: Space,
        level: Level,  # noqa: ARG002 it says more than what states are worth
        alive: NDArray[Any],
        reached: NDArray[Any] | None,  # noqa: ARG002 no beam here counts ways on
    ) -> NDArray[Any]:
        states = space.states[: int(space.counts[COUNT])][alive]
        wrong: NDArray[Any] = np.bitwise_count((states ^ self._value) & self._told).sum(axis=1, dtype=np.int32)
        return wrong
