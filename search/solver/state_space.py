"""All states that play can reach, found in lanes by breadth-first search.

The legal moves and goals of 512 states are computed at once. Then each of their joint moves gets a lane, and NEXT gives
the state that it leads to. States are moved between memory and lanes by transposing 64 facts of 512 states at a time
(`reasoner.lanes.draw.transpose`). A hash table with linear probing finds states that are already known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ONE, ZERO
from reasoner.kernels.hashing import joined, place_of
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.draw import transpose
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT
from reasoner.lanes.play import Lanes, section, word
from reasoner.lanes.rows import LANES, WORDS, aligned, lowest_bit
from search.solver.expansion import used_lanes

STATES, EXPANDED, EDGES = range(3)
"""Places of `StateSpace.counts`: states found; states expanded; joint moves followed."""
MORE, COMPLETE, FULL = range(3)
"""Results of `explore`: there are states to expand; all states are known; the memory is full."""
EDGES_PER_STATE = 6
"""Room for joint moves, per state."""
BLOCK_EDGES = 1 << 17
"""Joint moves after which a block ends early: a call of `explore` cannot be interrupted."""
BITS = 64


class StateSpace(NamedTuple):
    """Memory for N states of W words and E joint moves of R roles."""

    states: Words  # [N, W] the searched bases, lowest bit first
    slots: Ints  # [power of two] the hash table: number of a state plus 1; 0: free
    choices: Ints  # [N, R] the number of legal moves of each role; 0 where the game is over
    goals: Ints  # [N, R] the goal of each role, if the game is over
    first: Longs  # [N + 1] the first joint move of a state; the last role's move changes fastest
    children: Ints  # [E] the state after a joint move
    counts: Longs  # [3] by STATES, EXPANDED, EDGES


class Workspace(NamedTuple):
    """Work memory for lanes with M moves."""

    values: Words  # rows of the lanes
    turned: Words  # 64 rows
    sources: Ints  # [LANES] the state in each lane
    found: Words  # [LANES, W]
    moves: Ints  # [LANES, M] the legal moves of a state, role by role


def state_space(size: int, words: int, roles: int) -> StateSpace:
    """Allocate memory for `size` states; the system provides it when it is first written."""
    return StateSpace(
        states=np.zeros((size, words), np.uint64),
        slots=np.zeros(1 << (2 * size - 1).bit_length(), np.int32),
        choices=np.zeros((size, roles), np.int32),
        goals=np.zeros((size, roles), np.int32),
        first=np.zeros(size + 1, np.int64),
        children=np.zeros(EDGES_PER_STATE * size, np.int32),
        counts=np.zeros(3, np.int64),
    )


def state_bytes(words: int, roles: int) -> int:
    """Return the bytes of one state with its share of the tables, here and in `search.solver.backward_induction`."""
    return 8 * words + 8 * roles + 12 + 8 + 4 * EDGES_PER_STATE + 28 + 4 * EDGES_PER_STATE


def workspace(program: Lanes, rows: int, words: int) -> Workspace:
    """Allocate work memory for a program of `rows` rows."""
    return Workspace(
        values=aligned(rows),
        turned=aligned(BITS),
        sources=np.zeros(LANES, np.int32),
        found=np.zeros((LANES, words), np.uint64),
        moves=np.zeros((LANES, max(program.moves, 1)), np.int32),
    )


@kernel
def state_number(space: StateSpace, state: Words, insert: bool) -> int:
    """Return the number of a state; if `insert`, a new state is added.

    Returns -1 if the state is unknown and was not added, because `insert` is false or the memory is full.
    """
    code, mask = GOLDEN, len(space.slots) - 1
    for w in range(len(state)):
        code = joined(code, state[w])
    slot = place_of(code, mask)
    while space.slots[slot]:
        number, same = int64(space.slots[slot]) - 1, True
        for w in range(len(state)):
            same = same and space.states[number, w] == state[w]
        if same:
            return number
        slot = (slot + 1) & mask
    number = int64(space.counts[STATES])
    if not insert or number == len(space.states):
        return -1
    space.states[number] = state
    space.slots[slot] = number + 1
    space.counts[STATES] = number + 1
    return number


@device_function
def _load(space: StateSpace, work: Workspace, program: Lanes, count: int) -> None:
    """Load the states `work.sources` into the first `count` lanes."""
    for place in range(space.states.shape[1]):
        for lane in range(LANES):
            bits = space.states[work.sources[lane], place] if lane < count else ZERO
            work.turned[(lane & 63) * WORDS + (lane >> 6)] = bits
        transpose(work.turned, 0)
        begin, size = (1 + BITS * place) * WORDS, min(BITS, program.searched - BITS * place) * WORDS
        work.values[begin : begin + size] = work.turned[:size]


@device_function
def _read(space: StateSpace, work: Workspace, program: Lanes) -> None:
    """Read the states of all lanes into `work.found`."""
    for place in range(space.states.shape[1]):
        begin, size = (1 + BITS * place) * WORDS, min(BITS, program.searched - BITS * place) * WORDS
        work.turned[:] = ZERO
        work.turned[:size] = work.values[begin : begin + size]
        transpose(work.turned, 0)
        for lane in range(LANES):
            work.found[lane, place] = work.turned[(lane & 63) * WORDS + (lane >> 6)]


@device_function
def _read_moves(space: StateSpace, work: Workspace, program: Lanes, starts: Ints, begin: int, count: int) -> None:
    """Write the legal moves of the states from number `begin` on, except where the game is over."""
    for role in range(program.roles):
        for move in range(starts[role], starts[role + 1]):
            for w in range((count + 63) >> 6):
                legal = word(work.values, program.legal[move], w) & ~work.values[program.stop * WORDS + w]
                legal &= used_lanes(count, w)
                while legal:
                    lane = 64 * w + int64(lowest_bit(legal))
                    legal &= legal - ONE
                    work.moves[lane, starts[role] + space.choices[begin + lane, role]] = move
                    space.choices[begin + lane, role] += 1


@device_function
def _read_goals(space: StateSpace, work: Workspace, program: Lanes, begin: int, count: int) -> None:
    """Write the goals of the states from number `begin` on whose game is over."""
    section(work.values, program, GOAL)
    for g in range(len(program.goals)):
        role, value, literal = program.goals[g, 0], program.goals[g, 1], program.goals[g, 2]
        for w in range((count + 63) >> 6):
            true = word(work.values, literal, w) & work.values[program.stop * WORDS + w] & used_lanes(count, w)
            while true:
                space.goals[begin + 64 * w + int64(lowest_bit(true)), role] = value
                true &= true - ONE


@device_function
def _put_joint_move(
    space: StateSpace, work: Workspace, program: Lanes, starts: Ints, state: int, row: int, joint: int, lane: int
) -> None:
    """Set the moves of joint move number `joint` of a state in a lane; `row`: the state's row in `work.moves`."""
    for back in range(program.roles):
        role = program.roles - 1 - back
        size = int64(space.choices[state, role])
        move = int64(work.moves[row, starts[role] + joint % size])
        joint //= size
        work.values[(1 + program.bases + move) * WORDS + (lane >> 6)] |= ONE << uint64(lane & 63)


@device_function
def _follow(space: StateSpace, work: Workspace, program: Lanes, count: int) -> bool:
    """Make the moves set in the first `count` lanes, and append the states after them; False: the memory is full."""
    edges = space.counts[EDGES]
    if edges + count > len(space.children):
        return False
    _load(space, work, program, count)
    section(work.values, program, LEGAL)
    section(work.values, program, NEXT)
    work.values[(1 + program.bases) * WORDS : program.hold * WORDS] = ZERO
    _read(space, work, program)
    for lane in range(count):
        child = state_number(space, work.found[lane], True)
        if child < 0:
            return False
        space.children[edges + lane] = child
    space.counts[EDGES] = edges + count
    return True


@kernel
def explore(space: StateSpace, work: Workspace, program: Lanes, starts: Ints, blocks: int) -> int:
    """Expand up to `blocks` blocks of 512 states in the order in which they were found; return MORE, COMPLETE or FULL.

    A block whose states have very many joint moves has fewer states.

    starts: [R + 1] the first move of each role, then the number of moves.
    """
    for _ in range(blocks):
        begin = space.counts[EXPANDED]
        size = min(LANES, space.counts[STATES] - begin)
        if size == 0:
            return COMPLETE
        for lane in range(size):
            work.sources[lane] = begin + lane
        _load(space, work, program, size)
        section(work.values, program, LEGAL)
        _read_moves(space, work, program, starts, begin, size)
        _read_goals(space, work, program, begin, size)
        lanes, row = 0, 0
        while row < size and space.first[begin + row] - space.first[begin] < BLOCK_EDGES:
            state = begin + row
            joint_moves = 1
            for role in range(program.roles):
                joint_moves *= space.choices[state, role]
            for joint in range(joint_moves):
                _put_joint_move(space, work, program, starts, state, row, joint, lanes)
                work.sources[lanes] = state
                lanes += 1
                if lanes == LANES:
                    if not _follow(space, work, program, lanes):
                        return FULL
                    lanes = 0
            space.first[state + 1] = space.first[state] + joint_moves
            row += 1
        space.choices[begin + row : begin + size] = 0
        if lanes and not _follow(space, work, program, lanes):
            return FULL
        space.counts[EXPANDED] = begin + row
    return MORE
