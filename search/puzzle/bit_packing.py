"""Packed states in lanes: load 512 states into the rows of their bases, and read them back.

A state is ``ceil(bases / 64)`` words; base ``b`` is bit ``b % 64`` of word ``b // 64``. Row ``1 + b`` of a lane program
holds base ``b`` of 512 states, 64 per word.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.scalars import uint64
from reasoner.lanes.lane_graph import GOAL, LEGAL
from reasoner.lanes.play import Lanes, section
from reasoner.lanes.rows import LANES, WORDS

BITS = 64
_LOW_HALF = uint64(0xFFFFFFFF)


@kernel
def transpose(square: Words) -> None:
    """Transpose 64 words of 64 bits: bit j of word i becomes bit i of word j (Warren, Hacker's Delight 7-3)."""
    step, mask = 32, _LOW_HALF
    while step:
        shift = uint64(step)
        at = 0
        while at < BITS:
            crossed = ((square[at] >> shift) ^ square[at + step]) & mask
            square[at] ^= crossed << shift
            square[at + step] ^= crossed
            at = (at + step + 1) & ~step
        step >>= 1
        mask ^= mask << uint64(step)


@device_function
def gather_states(values: Words, states: Words, numbers: Ints, count: int, bases: int) -> None:
    """Load the `count` states with the given `numbers`, at most 512, into the rows of the bases; clear other lanes."""
    square = np.zeros(BITS, np.uint64)
    for word in range(states.shape[1]):
        base = word * BITS
        for block in range(WORDS):
            for i in range(BITS):
                lane = block * BITS + i
                square[i] = states[numbers[lane], word] if lane < count else uint64(0)
            transpose(square)
            for i in range(min(BITS, bases - base)):
                values[(1 + base + i) * WORDS + block] = square[i]


@kernel
def load_states(values: Words, states: Words, first: int, count: int, bases: int) -> None:
    """Load consecutive states, from number `first` on."""
    numbers = np.empty(LANES, np.int32)
    for lane in range(LANES):
        numbers[lane] = first + lane
    gather_states(values, states, numbers, count, bases)


@device_function
def look(values: Words, program: Lanes, states: Words, first: int, count: int) -> None:
    """Load consecutive states, and evaluate legality, goals and termination."""
    load_states(values, states, first, count, program.searched)
    values[WORDS * program.hold : WORDS * (program.hold + 1)] = uint64(0)
    section(values, program, LEGAL)
    section(values, program, GOAL)


@kernel
def read_states(values: Words, states: Words, bases: int) -> None:
    """Read the states of all lanes from the rows of the bases.  # states [512, words], written."""
    square = np.zeros(BITS, np.uint64)
    for word in range(states.shape[1]):
        base = word * BITS
        for block in range(WORDS):
            for i in range(BITS):
                square[i] = values[(1 + base + i) * WORDS + block] if base + i < bases else uint64(0)
            transpose(square)
            for i in range(BITS):
                states[block * BITS + i, word] = square[i]


assert BITS * WORDS == LANES
