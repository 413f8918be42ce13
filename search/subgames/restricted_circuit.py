"""Circuit of a part of a game, and the mapping of its bases and moves to those of the whole game.

One such part is the `residual` game in a state: facts that can no longer change become constants, and irrelevant facts
and moves are removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from reasoner.arrays import Bools, Longs
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.restrict import Cut, read

SPARE_GATES = 1024
"""Gates that a residual graph may have in addition to the gates of the circuit."""

Members = tuple[tuple[int, ...], ...]
"""For each move of a part, the moves of the whole game with its effect. Moves are numbered over all roles together."""


@dataclass(frozen=True, eq=False)
class RestrictedCircuit:
    """A circuit derived from the circuit of a whole game, with the same roles."""

    circuit: Circuit
    bases: Longs  # [bases] the numbers of the bases in the whole circuit
    members: Members  # [moves]
    width: int  # number of bases of the whole circuit

    def state(self, whole: bytes) -> bytes:
        """Restrict a state of the whole game to this part; both states are packed as by `CircuitMachine`."""
        return np.packbits(unpacked(whole, self.width)[self.bases]).tobytes()

    def of(self, outer: RestrictedCircuit) -> Self:
        """Return this part of `outer` as a part of the whole game; `outer` is itself a part of the whole game."""
        members = tuple(tuple(move for own in each for move in outer.members[own]) for each in self.members)
        return replace(self, bases=outer.bases[self.bases], members=members, width=outer.width)


def unpacked(state: bytes, width: int) -> Bools:
    """Return the values of the bases in a packed state."""
    return np.unpackbits(np.frombuffer(state, np.uint8), count=width).astype(np.bool_)


def packed(values: Sequence[bool]) -> bytes:
    """Return the packed state in which the bases have these values."""
    return np.packbits(np.array(values, np.bool_)).tobytes()


def held(circuit: Circuit, state: Bools, literals: Sequence[int]) -> tuple[bool, ...]:
    """Return the values of literals in a state. The literals must not depend on moves."""
    none = np.zeros(0, np.int64)
    node = Cut(circuit, none, none, 0).under(state)
    return tuple(read(node, np.array(literals, np.int32)).astype(bool).tolist())


def residual(circuit: Circuit, state: bytes) -> RestrictedCircuit:
    """Return the game that remains in `state`, packed as by `CircuitMachine`, with `state` as its initial state."""
    width = len(circuit.bases)
    held = unpacked(state, width)
    searched, moves = np.arange(circuit.searched), np.arange(len(circuit.legal))
    cut = Cut(circuit, searched, moves, len(circuit.left) + SPARE_GATES)
    node = cut.under(held)
    goals = circuit.goals.copy()
    goals[:, 2] = read(node, goals[:, 2])
    terminal = int(read(node, np.array([circuit.terminal], np.int32))[0])
    left = cut.circuit(held[searched], read(node, circuit.next[searched]), read(node, circuit.legal), terminal, goals)
    bases, kept = cut.kept(left)
    return RestrictedCircuit(left, bases, tuple((move,) for move in kept.tolist()), width)
