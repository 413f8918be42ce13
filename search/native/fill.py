"""Jobs into lanes: the state they begin at, and their first moves.

What is loaded for many jobs at once is turned round 64 rows at a time (`reasoner.lanes.draw.transpose`); for a few,
their bits are set one by one.
"""

from __future__ import annotations

import numpy as np

from reasoner.kernels import kernel, subkernel
from reasoner.lanes.draw import transpose
from reasoner.lanes.rows import LANES, WORDS, lowest_bit, row_andnot, row_update, row_xor
from search.native.layout import Ints, Record, Records, Words, cell
from search.native.memory import int_at, job_at, lane_at, put_int, word_at
from search.native.table import words_of

FEW = 8
"""Up to this many jobs are loaded, and read, bit by bit; measured."""
BLOCK = 64

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@subkernel
def load_jobs(tree: Record, rules: Record, crew: Record, values: Words) -> None:
    """Put the states that the fresh jobs begin at into their lanes, which play from now on."""
    mixed, count = crew.mixed * WORDS, crew.fresh_count
    for w in range(WORDS):
        values[mixed + w] = _ZERO
    for i in range(count):
        row_xor(values, crew.mixed, crew.mixed, crew.masks + int_at(crew.fresh, i))
    for w in range(WORDS):
        values[mixed + WORDS + w] = ~values[mixed + w]
    row_andnot(values, crew.hold, crew.mixed, crew.hold)
    if count <= FEW:
        for base in range(crew.searched):
            row_andnot(values, 1 + base, crew.mixed, 1 + base)
        for i in range(count):
            _set_bits(tree, rules, crew, values, int_at(crew.fresh, i))
    else:
        for index in range(rules.state_words):
            _turn_in(tree, crew, values, index)


@subkernel
def _set_bits(tree: Record, rules: Record, crew: Record, values: Words, job: int) -> None:
    words, mask = words_of(tree, job_at(crew.jobs, job).origin), crew.masks + job
    for index in range(rules.state_words):
        word = word_at(words, index)
        while word:
            row = 1 + 64 * index + np.int64(lowest_bit(word))
            word &= word - _ONE
            row_xor(values, row, row, mask)


@subkernel
def _turn_in(tree: Record, crew: Record, values: Words, index: int) -> None:
    """Put word `index` of the fresh jobs' states into the rows of its 64 bases."""
    block = crew.block * WORDS
    for i in range(crew.fresh_count):
        job = int_at(crew.fresh, i)
        word = word_at(words_of(tree, job_at(crew.jobs, job).origin), index)
        mask = (crew.masks + job) * WORDS
        for w in range(WORDS):
            lanes = values[mask + w]
            while lanes:
                lane = np.int64(lowest_bit(lanes))
                lanes &= lanes - _ONE
                values[block + lane * WORDS + w] = word
    transpose(values, crew.block)
    for base in range(64 * index, min(64 * index + BLOCK, crew.searched)):
        row_update(values, 1 + base, crew.block + base - 64 * index, _ZERO, crew.mixed + 1)


@subkernel
def force_first_moves(rules: Record, crew: Record, values: Words, drawn: Ints, picks: Ints) -> None:
    """Put the first moves of the jobs just loaded in the place of those that their lanes chose."""
    for role in range(rules.roles):
        place = drawn_place(drawn, int_at(rules.role_start, role))
        if place < 0:
            _force_rows(rules, crew, values, role)
            continue
        for i in range(crew.loaded_count):
            job = int_at(crew.loaded, i)
            if forced_move(rules, crew, job, role) >= 0:
                _force_picks(rules, crew, values, job, role, picks[place])


@subkernel
def forced_move(rules: Record, crew: Record, job: int, role: int) -> int:
    """The move with which a role begins a job; -1 where it may be any, or the job is no longer the one loaded."""
    if job_at(crew.jobs, job).sweep != crew.sweep_now:
        return -1
    return int_at(crew.forced, cell(job, rules.roles, role))


@subkernel
def drawn_place(drawn: Ints, first_move: int) -> int:
    """The place of a role among those that draw lane by lane; -1 for one that chooses by circuit."""
    for i in range(len(drawn)):
        if drawn[i, 0] == first_move:
            return i
    return -1


@subkernel
def _force_rows(rules: Record, crew: Record, values: Words, role: int) -> None:
    some = False
    for i in range(crew.loaded_count):
        job = int_at(crew.loaded, i)
        if forced_move(rules, crew, job, role) >= 0:
            if not some:
                for w in range(WORDS):
                    values[crew.mixed * WORDS + w] = _ZERO
                some = True
            row_xor(values, crew.mixed, crew.mixed, crew.masks + job)
    if not some:
        return
    first = 1 + crew.bases
    for move in range(int_at(rules.role_start, role), int_at(rules.role_start, role + 1)):
        row_andnot(values, first + move, crew.mixed, first + move)
    for i in range(crew.loaded_count):
        job = int_at(crew.loaded, i)
        move = forced_move(rules, crew, job, role)
        if move >= 0:
            row_xor(values, first + move, first + move, crew.masks + job)


@subkernel
def _force_picks(rules: Record, crew: Record, values: Words, job: int, role: int, picks: Ints) -> None:
    first_move, move = int_at(rules.role_start, role), int_at(crew.forced, cell(job, rules.roles, role))
    first = 1 + crew.bases
    for w in range(WORDS):
        lanes = values[(crew.masks + job) * WORDS + w]
        while lanes:
            at = lowest_bit(lanes)
            lanes &= lanes - _ONE
            lane, bit = 64 * w + np.int64(at), _ONE << at
            if picks[lane] >= 0:
                values[(first + first_move + picks[lane]) * WORDS + w] &= ~bit
            picks[lane] = move - first_move
            values[(first + move) * WORDS + w] |= bit


@subkernel
def take_lanes(crew: Record, values: Words, job: int, share: int) -> None:
    """Give `job` the topmost `share` of the free lanes, to begin in the next sweep."""
    mask = (crew.masks + job) * WORDS
    for w in range(WORDS):
        values[mask + w] = _ZERO
    for i in range(crew.free_count - share, crew.free_count):
        number = int_at(crew.free, i)
        values[mask + (number >> 6)] |= _ONE << np.uint64(number & 63)
        lane = lane_at(crew.lanes, number)
        lane.job = job
        lane.begun = crew.sweep_now + 1
    crew.free_count -= share


@kernel
def free_all(crews: Records, values: Words) -> None:
    """Put all lanes on hold and all lanes and jobs on their stacks."""
    crew = crews[0]
    for w in range(WORDS):
        values[crew.hold * WORDS + w] = ~_ZERO
    for i in range(LANES):
        put_int(crew.free, i, i)
        put_int(crew.idle, i, i)
    crew.free_count = crew.idle_count = LANES
