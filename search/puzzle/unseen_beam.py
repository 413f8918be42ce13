"""Beams that expand no state twice: a state met again is no nearer to a goal than before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Words
from reasoner.kernels import kernel
from reasoner.kernels.bits import ZERO
from reasoner.kernels.hashing import joined
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import uint64
from reasoner.lanes.machine import CircuitMachine
from search.puzzle.beam import Beam
from search.puzzle.state_space import COUNT, Space


@kernel
def codes(states: Words, count: int, key: Words, code: Words) -> None:
    """Compute a code of each of `count` states from the bits in `key`; equal states have equal codes."""
    for number in range(count):
        found = GOLDEN
        for i in range(len(key)):
            found = joined(found, states[number, i] & key[i])
        code[number] = found | uint64(1)  # 0 is none


class UnseenBeam(Beam):
    """Beams from a state; see `Method`. Subclasses define the score."""

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory)
        self._seen = np.zeros(0, np.uint64)  # the codes of expanded states

    def _beams(self, widths: list[int]) -> Iterator[None]:
        """Run a beam of each width; after a move that no line of a beam begins with, run the narrower one again."""
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

    def _note(self, space: Space, kept: NDArray[Any]) -> None:
        """Record the codes of the states that the beam keeps."""
        self._seen = np.concatenate((self._seen, self._codes(space)[kept]))
