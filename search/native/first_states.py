"""States that batches reach by their first move: bases, legal moves, and whether the game is over or won."""

from __future__ import annotations

from reasoner.arrays import Rows, Words
from reasoner.kernels import subkernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.memory import int_at, put_int, put_word
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.draw import transpose
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import WORDS, row_load
from search.native.layout import Record, cell
from search.native.memory import batch_at
from search.native.network_policy import ask_network, finish_unplayed, found_at
from search.native.start_lanes import BLOCK, FEW
from search.network.evaluate import network_at


@subkernel
def read_batches(tree: Record, rules: Record, thread: Record, values: Words, lanes: Lanes) -> None:
    """Record the states of the batches that moved for the first time in the last sweep; runs after LEGAL and PREFER."""
    first = thread.news_count
    for i in range(thread.arrived_count):
        batch = int_at(thread.arrived, i)
        row = batch_at(thread.batches, batch)
        if row.sweep == thread.sweep_now - 1 and not row.child:
            row.over = _bit(values, thread.over, row.lane)
            if lanes.decisive and not row.over:
                row.won = _bit(values, lanes.won >> 1, row.lane) ^ (lanes.won & 1)
            put_int(thread.news, thread.news_count, batch)
            thread.news_count += 1
    if thread.news_count - first > FEW:
        _read_turned(rules, thread, values, lanes.legal, first)
    else:
        for i in range(first, thread.news_count):
            _read_bits(rules, thread, values, lanes.legal, int_at(thread.news, i))
    if rules.network:
        ask_network(tree, rules, thread, first)
        if network_at(rules.network, 0).weight >= 1:
            finish_unplayed(thread, values)
    thread.arrived_count = 0


@subkernel
def _bit(values: Words, row: int, lane: int) -> int:
    return int64((values[row * WORDS + (lane >> 6)] >> uint64(lane & 63)) & ONE)


@subkernel
def _read_bits(rules: Record, thread: Record, values: Words, legal: Rows, batch: int) -> None:
    lane, found = batch_at(thread.batches, batch).lane, found_at(rules, thread, batch)
    w, shift = lane >> 6, uint64(lane & 63)
    word = ZERO
    for base in range(thread.searched):
        word |= ((values[(1 + base) * WORDS + w] >> shift) & ONE) << uint64(base & 63)
        if base & 63 == 63 or base == thread.searched - 1:
            put_word(found, base >> 6, word)
            word = ZERO
    for move in range(thread.moves):
        literal = int64(legal[move])
        bit = (values[(literal >> 1) * WORDS + w] >> shift) ^ uint64(literal)
        word |= (bit & ONE) << uint64(move & 63)
        if move & 63 == 63 or move == thread.moves - 1:
            put_word(found, rules.state_words + (move >> 6), word)
            word = ZERO


@subkernel
def _read_turned(rules: Record, thread: Record, values: Words, legal: Rows, first: int) -> None:
    for index in range(rules.shown):
        _gather(rules, thread, values, legal, index)
        transpose(values, thread.block)
        for i in range(first, thread.news_count):
            batch = int_at(thread.news, i)
            lane = batch_at(thread.batches, batch).lane
            word = values[(thread.block + (lane & 63)) * WORDS + (lane >> 6)]
            put_word(thread.found, cell(batch, rules.width, index), word)


@subkernel
def _gather(rules: Record, thread: Record, values: Words, legal: Rows, index: int) -> None:
    """Copy the rows of word `index` of the states into the block to transpose."""
    if index < rules.state_words:
        start = BLOCK * index
        count = min(BLOCK, thread.searched - start)
        for i in range(count):
            row_load(values, values, 1 + start + i, thread.block + i, ZERO)
    else:
        start = BLOCK * (index - rules.state_words)
        count = min(BLOCK, thread.moves - start)
        for i in range(count):
            literal = int64(legal[start + i])
            row_load(values, values, literal >> 1, thread.block + i, ALL if literal & 1 else ZERO)
    for i in range((thread.block + count) * WORDS, (thread.block + BLOCK) * WORDS):
        values[i] = ZERO
