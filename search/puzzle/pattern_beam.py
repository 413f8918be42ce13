"""Beams that keep the states which patterns (`patterns`) say are nearest to the best goal, and none twice.

The distances of all patterns are added up, which overstates the way; that is no harm where no proof is sought.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Words
from reasoner.kernels import kernel
from reasoner.kernels.bits import ZERO
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import uint64
from reasoner.lanes.machine import CircuitMachine
from search.puzzle.beam import Beam
from search.puzzle.beam_level import Level
from search.puzzle.patterns import patterns
from search.puzzle.projection import Pattern, add_distances
from search.puzzle.state_space import COUNT, Space

SIZES = (20_000, 250_000)
"""States of a pattern at most, first and in the end."""
WIDTHS = ((1 << 8, 1 << 10, 1 << 12), (1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17))
"""Of the beams with patterns of each size."""
PATTERNS = 10
"""Patterns that there is memory for, beside ..."""
CHILD = 9
"""... the bytes that a move of a state takes while a pattern is made."""

_MIX, _SHIFT = uint64(0xD6E8FEB86659FD93), uint64(32)


@kernel
def codes(states: Words, count: int, key: Words, code: Words) -> None:
    """A number for each of `count` states, equal where they are, but for the bits that `key` leaves out."""
    for number in range(count):
        found = GOLDEN
        for i in range(len(key)):
            found = (found ^ (states[number, i] & key[i])) * _MIX
            found ^= found >> _SHIFT
        code[number] = found | uint64(1)  # 0 is none


class PatternBeam(Beam):
    """Beams from a state; see `Method`. It is done at once where no patterns are found."""

    name = "patterns"
    _promise = "patterns"

    def __init__(self, machine: CircuitMachine, state: NDArray[np.bool_], memory: int) -> None:
        super().__init__(machine, state, memory // 2)
        self._machine, self._bits, self._memory = machine, state, memory // 2
        self._patterns = list[Pattern]()
        self._seen = np.zeros(0, np.uint64)  # the codes of states that beams went on from, in order

    def advance(self, move: int, state: NDArray[np.bool_]) -> bool:
        """See `Method.advance`: the patterns are as good from there."""
        self._bits = state
        return super().advance(move, state) or not self._patterns

    def _working(self) -> Iterator[None]:
        self.told, before = "no patterns", 0
        for most, widths in zip(SIZES, WIDTHS, strict=True):
            room = self._memory // (PATTERNS * (8 * self._words + 24) + CHILD * len(self._machine.circuit.legal))
            key, within = self._counters.key, min(most, room)
            self._patterns = yield from patterns(self._machine, self._bits, key, within)
            size = max((len(each.distance) for each in self._patterns), default=0)
            if size <= before:  # no more is known
                continue
            before = size
            yield from self._beams([width for width in widths if width <= self._most])

    def _beams(self, widths: list[int]) -> Iterator[None]:
        """A beam of each width, the narrower one again where a move left nothing of a beam."""
        place = 0
        while place < len(widths):
            self._seen = np.zeros(0, np.uint64)
            whole = yield from self._beam(widths[place], narrow=False)
            place = place + 1 if whole else max(0, place - 1)

    def _fresh(self, space: Space, alive: NDArray[Any]) -> NDArray[Any]:
        code = self._codes(space)[alive]
        fresh: NDArray[Any] = alive[~np.isin(code, self._seen)]
        return fresh

    def _codes(self, space: Space) -> Words:
        count = int(space.counts[COUNT])
        code = np.full(count, ZERO)
        codes(space.states, count, space.key, code)
        return code

    def _score(
        self,
        space: Space,
        level: Level,  # noqa: ARG002 patterns say more than what states are worth
        alive: NDArray[Any],
        reached: NDArray[Any] | None,  # noqa: ARG002 no beam here counts ways on
    ) -> NDArray[Any]:
        total = np.zeros(int(space.counts[COUNT]), np.int32)
        for each in self._patterns:
            add_distances(space.states, len(total), each.space, each.distance, total)
        score: NDArray[Any] = total[alive]
        return score

    def _note(self, space: Space, kept: NDArray[Any]) -> None:
        """Note what the beam goes on from."""
        self._seen = np.concatenate((self._seen, self._codes(space)[kept]))
