"""Beams that go on from no state twice: from a state met before it is no nearer to a goal than it was then."""

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
    """A number for each of `count` states, equal where they are, but for the bits that `key` leaves out."""
    for number in range(count):
        found = GOLDEN
        for i in range(len(key)):
            found = joined(found, states[number, i] & key[i])
        code[number] = found | uint64(1)  # 0 is none


class UnseenBeam(Beam):
    """Beams from a state; see `Method`. What they keep is for those that derive from it to say."""

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory)
        self._seen = np.zeros(0, np.uint64)  # the codes of states that the beam went on from

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

    def _note(self, space: Space, kept: NDArray[Any]) -> None:
        """Note what the beam goes on from."""
        self._seen = np.concatenate((self._seen, self._codes(space)[kept]))
