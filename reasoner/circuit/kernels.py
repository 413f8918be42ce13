"""The inner loops of the circuit machine: evaluate gates of one state, and play games at random.

Values are one byte a node, 0 or 1. Twins in plain Python stand in the tests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import kernel

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


@kernel
def evaluate(values: Bytes, left: Ints, right: Ints, first_gate: int, start: int, end: int) -> None:
    """Set the values of gates `start … end`; their fan-in must be set."""
    for gate in range(start, end):
        a, b = left[gate], right[gate]
        values[first_gate + gate] = (values[a >> 1] ^ (a & 1)) & (values[b >> 1] ^ (b & 1))


@kernel
def value(values: Bytes, literal: int) -> int:
    """The value of one literal."""
    return values[literal >> 1] ^ (literal & 1)


@kernel
def random64(state: NDArray[np.uint64]) -> int:
    """The next 64 random bits of SplitMix64 (Steele, Lea & Flood 2014); `state` is one word, advanced."""
    state[0] += _STEP
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * _MIX1
    z = (z ^ (z >> np.uint64(27))) * _MIX2
    return z ^ (z >> np.uint64(31))


@kernel
def choose(values: Bytes, legal: Ints, start: int, end: int, scratch: Ints, state: NDArray[np.uint64]) -> int:
    """A move among `start … end`, uniform among those whose literal is true; -1 when there is none."""
    count = 0
    for move in range(start, end):
        if value(values, legal[move]):
            scratch[count] = move
            count += 1
    if count == 0:
        return -1
    return scratch[((random64(state) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32)]


@kernel
def play(
    bases: Bytes,  # [B] the state to start from
    left: Ints,
    right: Ints,
    stages: Ints,  # [4] the ends of the stages
    legal: Ints,  # [M]
    of_role: Ints,  # [roles + 1] where each role's moves begin
    following: Ints,  # [B]
    searched: int,
    terminal: int,
    goals: Ints,  # [goals, 3] role, value, literal
    max_steps: int,
    random: NDArray[np.uint64],  # [1] the generator's state
    result: NDArray[np.float32],  # [playouts, roles], written
    lengths: Ints,  # [playouts], written
    finished: NDArray[np.bool_],  # [playouts], written
) -> None:
    """Play one game per row of `result`, each role choosing uniformly, until the end or `max_steps`."""
    count, moves = len(bases), len(legal)
    first_gate = 1 + count + moves
    values = np.zeros(first_gate + len(left), np.uint8)
    following_bases = np.zeros(searched, np.uint8)
    scratch = np.zeros(max(1, moves), np.int32)
    for game in range(len(lengths)):
        values[1 : 1 + count] = bases
        steps = 0
        while True:
            evaluate(values, left, right, first_gate, 0, stages[0])
            if value(values, terminal):
                finished[game] = True
                break
            if steps >= max_steps:
                break
            values[1 + count : first_gate] = 0
            stuck = False
            for role in range(len(of_role) - 1):
                move = choose(values, legal, of_role[role], of_role[role + 1], scratch, random)
                if move < 0:
                    stuck = True
                else:
                    values[1 + count + move] = 1
            if stuck:
                break
            evaluate(values, left, right, first_gate, stages[1], stages[2])
            for base in range(searched):
                following_bases[base] = value(values, following[base])
            values[1 : 1 + searched] = following_bases
            steps += 1
        evaluate(values, left, right, first_gate, stages[0], stages[1])
        lengths[game] = steps
        score(values, goals, result[game])


@kernel
def score(values: Bytes, goals: Ints, result: NDArray[np.float32]) -> None:
    """The goal of each role; 0 where the rules give none or several."""
    for role in range(len(result)):
        held = 0
        total = 0
        for goal in range(len(goals)):
            if goals[goal, 0] == role and value(values, goals[goal, 2]):
                held += 1
                total = goals[goal, 1]
        result[role] = total if held == 1 else 0
