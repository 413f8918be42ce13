"""The remaining game in a state: facts that can no longer change become constants, irrelevant parts are removed."""

from __future__ import annotations

import numpy as np

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.restrict import Cut, read
from search.subgames.restricted_circuit import RestrictedCircuit, unpacked

SPARE_GATES = 1024
"""Gates above those of the circuit that the new graph may have; none is made twice, so this is ample."""


def residual(circuit: Circuit, state: bytes) -> RestrictedCircuit:
    """Return the game from `state`, packed as by `CircuitMachine`; `state` is its initial state."""
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
