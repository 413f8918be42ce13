"""One level of a beam: all distinct successors of a set of states, and their evaluations by the rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import uint64
from reasoner.lanes.lane_graph import GOAL, LEGAL
from reasoner.lanes.play import Lanes, section, word
from reasoner.lanes.rows import LANES, WORDS
from search.puzzle.bit_packing import load_states, look
from search.puzzle.state_space import COUNT, Space, Work, evaluate, follow, next_moves, read_goals


class Level(NamedTuple):
    """Evaluations of the successors in a space, with capacity for R successors and P transitions to them."""

    over: Ints  # [R] 1: the game is over in the successor
    value: Ints  # [R] the points that the rules give in it
    worth: Ints  # [R] the points that the rules would give if time had run out
    parent: Ints  # [P] the parent of each transition
    child: Ints  # [P] the successor of each transition
    pairs: Ints  # [1] number of transitions
    late: Ints  # [bases] 0 or 1: value of a counter when time has run out; -1: no counter


@kernel
def advance(values: Words, program: Lanes, parents: Words, first: int, space: Space, work: Work, level: Level) -> bool:
    """Add the successors of up to 512 states from number `first` on; return False if memory is full.

    values, program: the lanes; parents: [states, words] the previous level; space, level: the successors; work:
    scratch memory.
    """
    count, going = min(LANES, len(parents) - first), np.zeros(WORDS, np.uint64)
    look(values, program, parents, first, count)
    evaluate(values, program, space, work, first, count, going)
    waiting = next_moves(program, work, going, first, 0)
    while waiting:
        if not _made(values, program, parents, space, work, level, waiting):
            return False
        waiting = next_moves(program, work, going, first, work.move[waiting - 1])
    return True


@device_function
def _made(values: Words, program: Lanes, parents: Words, space: Space, work: Work, level: Level, count: int) -> bool:
    """Make the `count` moves in `work`; return False if memory is full."""
    if space.counts[COUNT] + count > len(space.states) or level.pairs[0] + count > len(level.parent):
        return False
    follow(values, program, parents, space, work, count)
    for lane in range(count):
        level.parent[level.pairs[0]] = work.origin[lane]
        level.child[level.pairs[0]] = work.child[lane]
        level.pairs[0] += 1
    return True


@kernel
def judge(values: Words, program: Lanes, space: Space, level: Level, first: int) -> None:
    """Evaluate up to 512 successors, from number `first` on."""
    count = min(LANES, space.counts[COUNT] - first)
    look(values, program, space.states, first, count)
    read_goals(values, program, level.value, first, count)
    going = np.zeros(WORDS, np.uint64)
    for move in range(program.moves):
        for w in range(WORDS):
            going[w] |= word(values, program.legal[move], w)
    for lane in range(count):
        w = lane >> 6
        goes = (going[w] & ~word(values, program.terminal, w)) >> uint64(lane & 63) & ONE
        level.over[first + lane] = 0 if goes else 1
    load_states(values, space.states, first, count, program.searched)
    for base in range(program.searched):
        if level.late[base] >= 0:
            values[(1 + base) * WORDS : (2 + base) * WORDS] = ALL if level.late[base] else ZERO
    section(values, program, LEGAL)
    section(values, program, GOAL)
    read_goals(values, program, level.worth, first, count)
