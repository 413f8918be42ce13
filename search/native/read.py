"""What jobs found after their first move: the state there, the legal moves, whether the game is over or won."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import subkernel
from reasoner.lanes.draw import transpose
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import WORDS, row_load
from search.native.fill import BLOCK, FEW
from search.native.layout import Record, Words, cell
from search.native.memory import int_at, job_at, put_int, put_word

Rows = NDArray[np.uint32]

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_ALL = np.uint64(2**64 - 1)


@subkernel
def found_at(rules: Record, crew: Record, job: int) -> int:
    """Where the words that a job has found stand."""
    return crew.found + 8 * rules.width * job


@subkernel
def read_jobs(rules: Record, crew: Record, values: Words, lanes: Lanes) -> None:
    """Note what the jobs that made their first move in the last sweep have found; runs after LEGAL and PREFER."""
    first = crew.news_count
    for i in range(crew.arrived_count):
        job = int_at(crew.arrived, i)
        row = job_at(crew.jobs, job)
        if row.sweep == crew.sweep_now - 1 and not row.child:
            row.over = _bit(values, crew.over, row.lane)
            if lanes.decisive and not row.over:
                row.won = _bit(values, lanes.won >> 1, row.lane) ^ (lanes.won & 1)
            put_int(crew.news, crew.news_count, job)
            crew.news_count += 1
    crew.arrived_count = 0
    if crew.news_count - first > FEW:
        _read_turned(rules, crew, values, lanes.legal, first)
    else:
        for i in range(first, crew.news_count):
            _read_bits(rules, crew, values, lanes.legal, int_at(crew.news, i))


@subkernel
def _bit(values: Words, row: int, lane: int) -> int:
    return np.int64((values[row * WORDS + (lane >> 6)] >> np.uint64(lane & 63)) & _ONE)


@subkernel
def _read_bits(rules: Record, crew: Record, values: Words, legal: Rows, job: int) -> None:
    lane, found = job_at(crew.jobs, job).lane, found_at(rules, crew, job)
    w, shift = lane >> 6, np.uint64(lane & 63)
    word = _ZERO
    for base in range(crew.searched):
        word |= ((values[(1 + base) * WORDS + w] >> shift) & _ONE) << np.uint64(base & 63)
        if base & 63 == 63 or base == crew.searched - 1:
            put_word(found, base >> 6, word)
            word = _ZERO
    for move in range(crew.moves):
        literal = np.int64(legal[move])
        bit = (values[(literal >> 1) * WORDS + w] >> shift) ^ np.uint64(literal)
        word |= (bit & _ONE) << np.uint64(move & 63)
        if move & 63 == 63 or move == crew.moves - 1:
            put_word(found, rules.state_words + (move >> 6), word)
            word = _ZERO


@subkernel
def _read_turned(rules: Record, crew: Record, values: Words, legal: Rows, first: int) -> None:
    for index in range(rules.width):
        _gather(rules, crew, values, legal, index)
        transpose(values, crew.block)
        for i in range(first, crew.news_count):
            job = int_at(crew.news, i)
            lane = job_at(crew.jobs, job).lane
            word = values[(crew.block + (lane & 63)) * WORDS + (lane >> 6)]
            put_word(crew.found, cell(job, rules.width, index), word)


@subkernel
def _gather(rules: Record, crew: Record, values: Words, legal: Rows, index: int) -> None:
    """Copy the rows that make up word `index` of what is found."""
    if index < rules.state_words:
        start = BLOCK * index
        count = min(BLOCK, crew.searched - start)
        for i in range(count):
            row_load(values, values, 1 + start + i, crew.block + i, _ZERO)
    else:
        start = BLOCK * (index - rules.state_words)
        count = min(BLOCK, crew.moves - start)
        for i in range(count):
            literal = np.int64(legal[start + i])
            row_load(values, values, literal >> 1, crew.block + i, _ALL if literal & 1 else _ZERO)
    for i in range((crew.block + count) * WORDS, (crew.block + BLOCK) * WORDS):
        values[i] = _ZERO
