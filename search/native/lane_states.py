"""Loading of states and first moves of batches into lanes, and reading of the states that batches reach.

Many batches are loaded and read by transposing 64 rows at a time (`reasoner.lanes.draw.transpose`). For a few batches,
bits are set or read one by one.
"""

from __future__ import annotations

from reasoner.arrays import Ints, Rows, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.memory import int_at, put_int, put_word, word_at
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.draw import transpose
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import LANES, WORDS, lowest_bit, row_andnot, row_load, row_update, row_xor
from search.native.layout import Record, Records, batch_at, cell, lane_at, tree_of
from search.native.leaf import evaluate_states, state_of
from search.native.stages import (
    ARRIVED,
    FRESH,
    IDLE,
    LOADED,
    READ,
    STAGES,
    batch_in,
    clear_stage,
    count_in,
    enter_stage,
)
from search.native.transpositions import words_of

MAX_BITWISE_BATCHES = 8
"""Maximum number of batches that are loaded and read bit by bit; chosen by measurement."""
BLOCK = 64


@device_function
def load_batches(rules: Record, thread: Record, values: Words) -> None:
    """Load the states of the fresh batches into their lanes, and release these lanes."""
    mixed, count = thread.mixed * WORDS, count_in(thread, FRESH)
    for w in range(WORDS):
        values[mixed + w] = ZERO
    for i in range(count):
        row_xor(values, thread.mixed, thread.mixed, thread.masks + batch_in(thread, FRESH, i))
    for w in range(WORDS):
        values[mixed + WORDS + w] = ~values[mixed + w]
    row_andnot(values, thread.hold, thread.mixed, thread.hold)
    if count <= MAX_BITWISE_BATCHES:
        for base in range(thread.searched):
            row_andnot(values, 1 + base, thread.mixed, 1 + base)
        for i in range(count):
            _set_bits(rules, thread, values, batch_in(thread, FRESH, i))
    else:
        for index in range(rules.state_words):
            _turn_in(thread, values, index)


@device_function
def _set_bits(rules: Record, thread: Record, values: Words, batch: int) -> None:
    words = words_of(tree_of(thread, batch), batch_at(thread.batches, batch).origin)
    mask = thread.masks + batch
    for index in range(rules.state_words):
        word = word_at(words, index)
        while word:
            row = 1 + 64 * index + int64(lowest_bit(word))
            word &= word - ONE
            row_xor(values, row, row, mask)


@device_function
def _turn_in(thread: Record, values: Words, index: int) -> None:
    """Transpose word `index` of the fresh batches' states into the rows of its 64 bases."""
    block = thread.block * WORDS
    for i in range(count_in(thread, FRESH)):
        batch = batch_in(thread, FRESH, i)
        word = word_at(words_of(tree_of(thread, batch), batch_at(thread.batches, batch).origin), index)
        mask = (thread.masks + batch) * WORDS
        for w in range(WORDS):
            lanes = values[mask + w]
            while lanes:
                lane = int64(lowest_bit(lanes))
                lanes &= lanes - ONE
                values[block + lane * WORDS + w] = word
    transpose(values, thread.block)
    for base in range(64 * index, min(64 * index + BLOCK, thread.searched)):
        row_update(values, 1 + base, thread.block + base - 64 * index, ZERO, thread.mixed + 1)


@device_function
def force_first_moves(rules: Record, thread: Record, values: Words, drawn: Ints, picks: Ints) -> None:
    """In all batches that were just loaded, replace the moves chosen by the lanes by the forced first moves."""
    for role in range(rules.roles):
        place = drawn_place(drawn, int_at(rules.role_start, role))
        if place < 0:
            _force_rows(rules, thread, values, role)
            continue
        for i in range(count_in(thread, LOADED)):
            batch = batch_in(thread, LOADED, i)
            if forced_move(rules, thread, batch, role) >= 0:
                _force_picks(rules, thread, values, batch, role, picks[place])


@device_function
def forced_move(rules: Record, thread: Record, batch: int, role: int) -> int:
    """Return the forced first move of a role; -1 if any move is allowed or the batch is no longer LOADED."""
    if batch_at(thread.batches, batch).stage != LOADED:
        return -1
    return int_at(thread.forced, cell(batch, rules.roles, role))


@device_function
def drawn_place(drawn: Ints, first_move: int) -> int:
    """Return the place of a role among the roles that draw lane by lane; -1 for a role that chooses by circuit."""
    for i in range(len(drawn)):
        if drawn[i, 0] == first_move:
            return i
    return -1


@device_function
def _force_rows(rules: Record, thread: Record, values: Words, role: int) -> None:
    some = False
    for i in range(count_in(thread, LOADED)):
        batch = batch_in(thread, LOADED, i)
        if forced_move(rules, thread, batch, role) >= 0:
            if not some:
                for w in range(WORDS):
                    values[thread.mixed * WORDS + w] = ZERO
                some = True
            row_xor(values, thread.mixed, thread.mixed, thread.masks + batch)
    if not some:
        return
    first = 1 + thread.bases
    for move in range(int_at(rules.role_start, role), int_at(rules.role_start, role + 1)):
        row_andnot(values, first + move, thread.mixed, first + move)
    for i in range(count_in(thread, LOADED)):
        batch = batch_in(thread, LOADED, i)
        move = forced_move(rules, thread, batch, role)
        if move >= 0:
            row_xor(values, first + move, first + move, thread.masks + batch)


@device_function
def _force_picks(rules: Record, thread: Record, values: Words, batch: int, role: int, picks: Ints) -> None:
    first_move, move = int_at(rules.role_start, role), int_at(thread.forced, cell(batch, rules.roles, role))
    first = 1 + thread.bases
    for w in range(WORDS):
        lanes = values[(thread.masks + batch) * WORDS + w]
        while lanes:
            at = lowest_bit(lanes)
            lanes &= lanes - ONE
            lane, bit = 64 * w + int64(at), ONE << at
            if picks[lane] >= 0:
                values[(first + first_move + picks[lane]) * WORDS + w] &= ~bit
            picks[lane] = move - first_move
            values[(first + move) * WORDS + w] |= bit


@device_function
def take_lanes(thread: Record, values: Words, batch: int, count: int) -> None:
    """Give `batch` the topmost `count` free lanes, which start in the next sweep."""
    mask = (thread.masks + batch) * WORDS
    for w in range(WORDS):
        values[mask + w] = ZERO
    for i in range(thread.free_count - count, thread.free_count):
        number = int_at(thread.free, i)
        values[mask + (number >> 6)] |= ONE << uint64(number & 63)
        lane = lane_at(thread.lanes, number)
        lane.batch = batch
        lane.begun = thread.sweep_now + 1
    thread.free_count -= count


@kernel
def free_all(threads: Records, values: Words) -> None:
    """Put all lanes on hold, and free all lanes and batches."""
    thread = threads[0]
    for stage in range(STAGES):
        clear_stage(thread, stage)
    for w in range(WORDS):
        values[thread.hold * WORDS + w] = ~ZERO
    for i in range(LANES):
        put_int(thread.free, i, i)
        enter_stage(thread, IDLE, i)
    thread.free_count = LANES


@device_function
def read_batches(rules: Record, thread: Record, values: Words, lanes: Lanes) -> None:
    """Read the states that the ARRIVED batches reached by their first move; runs after LEGAL and PREFER."""
    first = count_in(thread, READ)
    for i in range(count_in(thread, ARRIVED)):
        batch = batch_in(thread, ARRIVED, i)
        row = batch_at(thread.batches, batch)
        if not row.child:
            row.over = _bit(values, thread.over, row.lane)
            if lanes.decisive and not row.over:
                row.won = _bit(values, lanes.won >> 1, row.lane) ^ (lanes.won & 1)
            enter_stage(thread, READ, batch)
    if count_in(thread, READ) - first > MAX_BITWISE_BATCHES:
        _read_turned(rules, thread, values, lanes.legal, first)
    else:
        for i in range(first, count_in(thread, READ)):
            _read_bits(rules, thread, values, lanes.legal, batch_in(thread, READ, i))
    if rules.network:
        evaluate_states(rules, thread, values, first)
    clear_stage(thread, ARRIVED)


@device_function
def _bit(values: Words, row: int, lane: int) -> int:
    return int64((values[row * WORDS + (lane >> 6)] >> uint64(lane & 63)) & ONE)


@device_function
def _read_bits(rules: Record, thread: Record, values: Words, legal: Rows, batch: int) -> None:
    lane, found = batch_at(thread.batches, batch).lane, state_of(rules, thread, batch)
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


@device_function
def _read_turned(rules: Record, thread: Record, values: Words, legal: Rows, first: int) -> None:
    for index in range(rules.shown):
        _gather(rules, thread, values, legal, index)
        transpose(values, thread.block)
        for i in range(first, count_in(thread, READ)):
            batch = batch_in(thread, READ, i)
            lane = batch_at(thread.batches, batch).lane
            word = values[(thread.block + (lane & 63)) * WORDS + (lane >> 6)]
            put_word(thread.states, cell(batch, rules.width, index), word)


@device_function
def _gather(rules: Record, thread: Record, values: Words, legal: Rows, index: int) -> None:
    """Copy the rows of word `index` of the states into the block that is transposed."""
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
    values[(thread.block + count) * WORDS : (thread.block + BLOCK) * WORDS] = ZERO
