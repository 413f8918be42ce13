"""Part of a game: a circuit of its own, and the mapping of its bases and moves to those of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from reasoner.arrays import Bools, Longs
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.restrict import Cut, read

Members = tuple[tuple[int, ...], ...]
"""For each move of a part, the moves of the whole that have the same effect on it; all numbered over all roles."""


@dataclass(frozen=True, eq=False)
class RestrictedCircuit:
    """A circuit derived from a whole circuit; its roles are the same."""

    circuit: Circuit
    bases: Longs  # [bases] their numbers in the whole
    members: Members  # [moves]
    width: int  # bases of the whole

    def state(self, whole: bytes) -> bytes:
        """Restrict a state of the whole to this part; both packed as by `CircuitMachine`."""
        return np.packbits(unpacked(whole, self.width)[self.bases]).tobytes()

    def of(self, outer: RestrictedCircuit) -> Self:
        """Turn a part of `outer` into a part of the outer one's whole."""
        members = tuple(tuple(move for own in each for move in outer.members[own]) for each in self.members)
        return replace(self, bases=outer.bases[self.bases], members=members, width=outer.width)


def unpacked(state: bytes, width: int) -> Bools:
    """Return the values of the bases in a packed state."""
    return np.unpackbits(np.frombuffer(state, np.uint8), count=width).astype(np.bool_)


def packed(values: Sequence[bool]) -> bytes:
    """Return the packed state in which the bases have these values."""
    return np.packbits(np.array(values, np.bool_)).tobytes()


def held(circuit: Circuit, state: Bools, literals: Sequence[int]) -> tuple[bool, ...]:
    """Return the values of literals in a state; none of them reads a move."""
    none = np.zeros(0, np.int64)
    node = Cut(circuit, none, none, 0).under(state)
    return tuple(read(node, np.array(literals, np.int32)).astype(bool).tolist())
