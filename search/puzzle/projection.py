"""Projection of a game on some of its facts: the reachable states of these facts, and their distances to a goal.

The projection requires that the next values of its facts read no other facts. A move whose legality reads other facts
counts as legal, so the distance in the projection is at most the true distance (pattern databases: Culberson &
Schaeffer 1998).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Ints, Words
from reasoner.kernels import kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import uint64
from reasoner.lanes.lane_graph import LEGAL
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.play import Lanes, section, word
from reasoner.lanes.rows import LANES, WORDS, aligned
from search.native.tree import pack, words_for
from search.puzzle.bit_packing import load_states
from search.puzzle.state_space import COUNT, DONE, Space, Work, empty, follow, next_moves, put, rehash, work_for
from search.puzzle.state_space import place as place_of

UNKNOWN_DISTANCE = 50
"""Distance of states from which no goal is reachable, and of states that were not explored."""
STATES_A_TURN = 2048


class Goal(NamedTuple):
    """Required values of some facts."""

    required: Bools  # [searched] whether the goal fixes the fact
    value: Bools  # [searched]


class Pattern(NamedTuple):
    """The reachable values of some facts; `space.key` selects the facts."""

    space: Space
    distance: Ints  # [states] a lower bound on the moves to a goal


@kernel
def explore(values: Words, program: Lanes, space: Space, work: Work, free: Bools, child: Ints, most: int) -> bool:
    """Expand about `most` projected states; return False if memory is full.

    free: [moves] whether a move counts as always legal; child: [states, moves] the successors of
    expanded states, written; -1: none.
    """
    stop = min(space.counts[DONE] + most, space.counts[COUNT])
    going = np.zeros(WORDS, np.uint64)
    while space.counts[DONE] < stop:
        first = space.counts[DONE]
        count = min(LANES, stop - first)
        if space.counts[COUNT] + count * program.moves > len(space.states):
            return False
        load_states(values, space.states, first, count, program.searched)
        values[WORDS * program.hold : WORDS * (program.hold + 1)] = ZERO
        section(values, program, LEGAL)
        for w in range(WORDS):
            left = max(0, min(64, count - 64 * w))
            going[w] = ALL if left == 64 else (ONE << uint64(left)) - ONE
            for move in range(program.moves):
                work.legal[move, w] = ALL if free[move] else word(values, program.legal[move], w)
        waiting = next_moves(program, work, going, first, 0)
        while waiting:
            follow(values, program, space.states, space, work, waiting)
            for lane in range(waiting):
                child[work.origin[lane], work.move[lane]] = work.child[lane]
            waiting = next_moves(program, work, going, first, work.move[waiting - 1])
        space.counts[DONE] = first + count
    return True


@kernel
def add_distances(states: Words, count: int, space: Space, distance: Ints, total: Ints) -> None:
    """Add the projected distance of each of `count` states to `total`.  # total [count or more]."""
    for number in range(count):
        at = space.table[place_of(space, states[number])]
        total[number] += distance[at - 1] if at else UNKNOWN_DISTANCE


def pattern(
    machine: CircuitMachine, state: Bools, key: Bools, goal: Goal, free: Bools, most: int
) -> Generator[None, None, Pattern | None]:
    """Build the pattern of the facts `key`, some states per turn; None if it has more than `most` states.

    state: [searched] the first state; key: [searched]; free: as in `explore`. The goal's values of facts outside `key`
    have no effect.
    """
    if most < 1:
        return None
    circuit, words = machine.circuit, words_for(machine.circuit.searched)
    size = most + LANES * len(circuit.legal)
    space = empty(size, words, pack(key.astype(np.uint8)))
    child = np.full((most, len(circuit.legal)), -1, np.int32)  # of expanded states only
    values, work = aligned(machine.rows), work_for(circuit, words)
    put(space, pack(state.astype(np.uint8)), -1, -1)
    while space.counts[DONE] < space.counts[COUNT]:
        room = explore(values, machine.lanes_program, space, work, free, child, STATES_A_TURN)
        if not room or space.counts[COUNT] > most:
            return None
        yield
    count = int(space.counts[COUNT])
    required, value = (pack((bits & key).astype(np.uint8)) for bits in (goal.required, goal.required & goal.value))
    at_goal = ((space.states[:count] & required) == value).all(axis=1)
    distance = yield from _distances(child[:count], at_goal)
    return Pattern(_fitted(space, count), distance)


def _distances(child: Ints, at_goal: Bools) -> Generator[None, None, Ints]:
    """Return the number of moves from each state to a goal; UNKNOWN_DISTANCE if no goal is reachable."""
    distance = np.full(len(child) + 1, UNKNOWN_DISTANCE, np.int32)  # index -1: no state
    distance[:-1][at_goal] = 0
    for moves in range(1, UNKNOWN_DISTANCE):
        reached = (distance[:-1] == UNKNOWN_DISTANCE) & (distance[child] == moves - 1).any(axis=1)
        if not reached.any():
            break
        distance[:-1][reached] = moves
        yield
    return distance[:-1]


def _fitted(space: Space, count: int) -> Space:
    """Copy the states into a space of their exact size."""
    fitted = empty(count, space.states.shape[1], space.key)
    fitted.states[:] = space.states[:count]
    fitted.counts[:] = space.counts
    rehash(fitted)
    return fitted
