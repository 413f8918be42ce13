"""State space of a game of one role, nearest states first, 512 successors at once in lanes.

States are packed and stored once. Of states that differ only in counters (`counters`), only the first is stored. Each
state is stored with its parent and the move from it, which gives a shortest line to the best end. Once all states are
expanded, the best end is optimal; if time can run out, the highest worth of any state is an upper bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ONE, ZERO
from reasoner.kernels.hashing import joined, place_of
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import LEGAL, NEXT
from reasoner.lanes.play import Lanes, section, word
from reasoner.lanes.rows import LANES, WORDS, lowest_bit
from search.puzzle.bit_packing import gather_states, look, read_states

DONE, COUNT, BEST, BEST_AT, WORTH = range(5)
"""Indices in `counts`: states expanded, states found, value and state of the best end (-1: none), highest worth."""


class Space(NamedTuple):
    """The states found so far, with capacity for R states."""

    states: Words  # [R, words]
    origin: Ints  # [R] the parent of the state
    move: Ints  # [R] the move from the parent
    table: Ints  # [a power of two] hash table of state numbers + 1; 0: free; at most half full
    key: Words  # [words] the bits that distinguish states
    counts: Longs  # [5] by DONE, COUNT, BEST, BEST_AT, WORTH


class Work(NamedTuple):
    """Scratch memory."""

    legal: Words  # [moves, WORDS] the lanes in which a move is legal
    fresh: Words  # [LANES, words] the successors
    origin: Ints  # [LANES] parents of the successors being computed
    move: Ints  # [LANES] the moves to the successors
    child: Ints  # [LANES] the numbers of the successors
    worth: Ints  # [LANES] the values of the states in the lanes


@device_function
def place(space: Space, state: Words) -> int:
    """Return the place of a state in the hash table, or the free place for it."""
    code = GOLDEN
    for i in range(len(state)):
        code = joined(code, state[i] & space.key[i])
    mask = len(space.table) - 1
    at = place_of(code, mask)
    while space.table[at]:
        number, same = space.table[at] - 1, True
        for i in range(len(state)):
            same &= (space.states[number, i] ^ state[i]) & space.key[i] == ZERO
        if same:
            break
        at = (at + 1) & mask
    return at


@kernel
def put(space: Space, state: Words, origin: int, move: int) -> int:
    """Return the number of a state; add it if it is new."""
    at = place(space, state)
    if space.table[at] == 0:
        number = space.counts[COUNT]
        space.counts[COUNT] = number + 1
        space.table[at] = number + 1
        space.states[number] = state
        space.origin[number], space.move[number] = origin, move
    return space.table[at] - 1


@kernel
def rehash(space: Space) -> None:
    """Enter all states into an empty table."""
    for number in range(space.counts[COUNT]):
        space.table[place(space, space.states[number])] = number + 1


@device_function
def follow(values: Words, program: Lanes, parents: Words, space: Space, work: Work, count: int) -> None:
    """Make the `count` moves in `work`, each in its lane from one of `parents`, and add the resulting states."""
    moves = 1 + program.bases
    gather_states(values, parents, work.origin, count, program.searched)
    values[WORDS * moves : WORDS * (program.hold + 1)] = ZERO
    section(values, program, LEGAL)
    for lane in range(count):
        values[WORDS * (moves + work.move[lane]) + (lane >> 6)] |= ONE << uint64(lane & 63)
    section(values, program, NEXT)
    read_states(values, work.fresh, program.searched)
    for lane in range(count):
        work.child[lane] = put(space, work.fresh[lane], work.origin[lane], work.move[lane])


@device_function
def read_goals(values: Words, program: Lanes, points: Ints, first: int, count: int) -> None:
    """Write the goals of the first `count` lanes to ``points[first : first + count]``."""
    points[first : first + count] = 0
    for goal in program.goals:
        for w in range(WORDS):
            held = word(values, goal[2], w)
            while held:
                lane = w * 64 + int64(lowest_bit(held))
                held &= held - ONE
                if lane < count:
                    points[first + lane] = max(points[first + lane], goal[1])


@device_function
def evaluate(values: Words, program: Lanes, space: Space, work: Work, first: int, count: int, going: Words) -> None:
    """Find the lanes whose states are not terminal, their legal moves, and the best end in the other lanes.

    The states in the lanes are those of `space` from number `first` on, `count` of them. work: legal and worth are
    written; going: [WORDS] one bit per lane, set if the game goes on; written.
    """
    going[:] = ZERO
    for move in range(program.moves):
        for w in range(WORDS):
            work.legal[move, w] = word(values, program.legal[move], w)
            going[w] |= work.legal[move, w]
    read_goals(values, program, work.worth, 0, count)
    for w in range(WORDS):
        going[w] &= ~word(values, program.terminal, w)
    for lane in range(count):
        over = not (going[lane >> 6] >> uint64(lane & 63)) & ONE
        space.counts[WORTH] = max(space.counts[WORTH], work.worth[lane])
        if over and work.worth[lane] > space.counts[BEST]:
            space.counts[BEST], space.counts[BEST_AT] = work.worth[lane], first + lane
    for w in range(WORDS):
        left = count - 64 * w
        if left < 64:
            going[w] &= (ONE << uint64(max(0, left))) - ONE


@device_function
def next_moves(program: Lanes, work: Work, going: Words, first: int, move: int) -> int:
    """Take up to 512 legal moves, from number `move` on, of the lanes in `going`; return how many.

    The lanes hold the states from number `first` on.
    """
    taken = 0
    for number in range(move, program.moves):
        for w in range(WORDS):
            left = going[w] & work.legal[number, w]
            while left and taken < LANES:
                work.origin[taken] = first + w * 64 + int64(lowest_bit(left))
                work.move[taken] = number
                left &= left - ONE
                taken += 1
            work.legal[number, w] = left
        if taken == LANES:
            break
    return taken


@device_function
def expand(values: Words, program: Lanes, space: Space, work: Work, count: int) -> None:
    """Expand the next `count` states."""
    first, going = space.counts[DONE], np.zeros(WORDS, np.uint64)
    look(values, program, space.states, first, count)
    evaluate(values, program, space, work, first, count, going)
    waiting = next_moves(program, work, going, first, 0)
    while waiting:
        follow(values, program, space.states, space, work, waiting)
        waiting = next_moves(program, work, going, first, work.move[waiting - 1])
    space.counts[DONE] = first + count


@kernel
def grow(values: Words, program: Lanes, space: Space, work: Work, end: int, most: int) -> bool:
    """Expand about `most` states with numbers below `end`; return False if memory is full."""
    stop = min(end, space.counts[DONE] + most)
    while space.counts[DONE] < stop:
        count = min(LANES, stop - space.counts[DONE])
        if space.counts[COUNT] + count * program.moves > len(space.states):
            return False
        expand(values, program, space, work, count)
    return True


def empty(room: int, words: int, key: Words) -> Space:
    """Return an empty space with capacity for `room` states."""
    counts = np.array([0, 0, -1, -1, -1], np.int64)
    table = np.zeros(1 << (2 * room).bit_length(), np.int32)
    origin, move = np.empty(room, np.int32), np.empty(room, np.int32)
    return Space(np.empty((room, words), np.uint64), origin, move, table, key, counts)


def work_for(circuit: Circuit, words: int) -> Work:
    """Return scratch memory to explore a circuit's states."""
    lanes = np.zeros(LANES, np.int32)
    legal = np.zeros((len(circuit.legal), WORDS), np.uint64)
    return Work(legal, np.zeros((LANES, words), np.uint64), lanes.copy(), lanes.copy(), lanes.copy(), lanes.copy())
