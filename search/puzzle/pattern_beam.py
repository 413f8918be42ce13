"""Beams that keep the states nearest to the best goal by pattern distances (`patterns`), and no state twice.

The distances of all patterns are added up. The sum may overestimate, which is harmless because no proof is sought.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from search.puzzle.beam_level import Level
from search.puzzle.patterns import patterns
from search.puzzle.projection import Pattern, add_distances
from search.puzzle.state_space import COUNT, Space
from search.puzzle.unseen_beam import UnseenBeam

SIZES = (20_000, 250_000)
"""States of a pattern at most, first and at last."""
WIDTHS = ((1 << 8, 1 << 10, 1 << 12), (1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 17))
"""Widths of the beams with patterns of each size."""
PATTERNS = 10
"""Patterns that there is memory for."""
CHILD = 9
"""Bytes for each move of a state while a pattern is built."""
ALONE = 8.0
"""Seconds in which it has its turns before others: if patterns have many states, other methods seldom help."""
MANY = 1000


class PatternBeam(UnseenBeam):
    """Beams from a state; see `Method`. It is done at once if no patterns are found."""

    name = "patterns"
    _promise = "patterns"

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory // 2)
        self._machine, self._bits, self._memory = machine, state, memory // 2
        self._patterns = list[Pattern]()
        self.alone = ALONE  # until the patterns turn out to be small

    def advance(self, move: int, state: Bools) -> bool:
        """See `Method.advance`: the patterns stay valid."""
        self._bits = state
        return super().advance(move, state) or not self._patterns

    def _working(self) -> Iterator[None]:
        self.told, before = "no patterns", 0
        for most, widths in zip(SIZES, WIDTHS, strict=True):
            room = self._memory // (PATTERNS * (8 * self._words + 24) + CHILD * len(self._machine.circuit.legal))
            key, within = self._counters.key, min(most, room)
            self._patterns = yield from patterns(self._machine, self._bits, key, within)
            size = max((len(each.distance) for each in self._patterns), default=0)
            self.alone = ALONE if size >= MANY else 0.0
            if size <= before:  # no more is known
                continue
            before = size
            yield from self._beams([width for width in widths if width <= self._most])

    def _score(
        self,
        space: Space,
        level: Level,  # noqa: ARG002 distances replace the worth
        alive: NDArray[Any],
        reached: NDArray[Any] | None,  # noqa: ARG002 no beam here scores by continuations
    ) -> NDArray[Any]:
        total = np.zeros(int(space.counts[COUNT]), np.int32)
        for each in self._patterns:
            add_distances(space.states, len(total), each.space, each.distance, total)
        score: NDArray[Any] = total[alive]
        return score
