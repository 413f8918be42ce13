"""Contexts of a subgame: states that the other subgames may be in when it ends, sampled by random play."""

from __future__ import annotations

from random import Random

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from search.clock import Clock
from search.subgames.restricted_circuit import unpacked

CONTEXTS = 4
"""Number of final states of random games that are used in addition to the present state."""
MAX_STEPS = 300
"""Maximum steps of a random game; if it does not end within them, its last state is used."""


def contexts(machine: CircuitMachine, state: bytes, seed: int, clock: Clock, deadline: float) -> list[Bools]:
    """Return the present state, and the last states of as many random games as `deadline` allows.  # each [bases]."""
    random, found = Random(seed), [state]
    while len(found) <= CONTEXTS and clock.now() < deadline:
        found.append(_end(machine, state, random, clock, deadline))
    return [unpacked(each, len(machine.circuit.bases)) for each in found]


def _end(machine: CircuitMachine, state: bytes, random: Random, clock: Clock, deadline: float) -> bytes:
    for _ in range(MAX_STEPS):
        legal = machine.legal(state)
        if machine.terminal(state) or not all(legal) or clock.now() >= deadline:
            break
        following = machine.next(state, [random.choice(own) for own in legal])
        assert isinstance(following, bytes)  # no move leads out of the circuit's states
        state = following
    return state
