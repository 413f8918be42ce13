"""States in which the other subgames may be when one of them ends: ends of random play."""

from __future__ import annotations

from random import Random

from reasoner.circuit.restrict import Bools
from reasoner.lanes.machine import CircuitMachine
from search.subgames.part import unpacked

CONTEXTS = 4
"""Ends of random play besides the present state."""
LONGEST = 300
"""Steps of a random play; where it has not ended by then, its last state will do."""


def contexts(machine: CircuitMachine, state: bytes, seed: int, count: int = CONTEXTS) -> list[Bools]:
    """The present state, and ends of random play from it.  # each [bases]."""
    random, width = Random(seed), len(machine.circuit.bases)
    return [unpacked(each, width) for each in (state, *(_end(machine, state, random) for _ in range(count)))]


def _end(machine: CircuitMachine, state: bytes, random: Random) -> bytes:
    for _ in range(LONGEST):
        legal = machine.legal(state)
        if machine.terminal(state) or not all(legal):
            break
        following = machine.next(state, [random.choice(own) for own in legal])
        assert isinstance(following, bytes)  # no move leads out of the circuit's states
        state = following
    return state
