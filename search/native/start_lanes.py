"""Loading of batches into lanes: their first state and their first moves.

Many batches are loaded by transposing 64 rows at a time (`reasoner.lanes.draw.transpose`); for a few batches the bits
are set one by one.
"""

from __future__ import annotations

from reasoner.arrays import Ints, Words
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.bits import ONE, ZERO
from reasoner.kernels.memory import int_at, put_int, word_at
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.draw import transpose
from reasoner.lanes.rows import LANES, WORDS, lowest_bit, row_andnot, row_update, row_xor
from search.native.layout import Record, Records, cell
from search.native.memory import batch_at, lane_at
from search.native.transpositions import words_of

FEW = 8
"""Up to this many batches are loaded and read bit by bit; measured."""
BLOCK = 64


@subkernel
def load_batches(tree: Record, rules: Record, thread: Record, values: Words) -> None:
    """Load the states of the fresh batches into their lanes, and release these lanes."""
    mixed, count = thread.mixed * WORDS, thread.fresh_count
    for w in range(WORDS):
        values[mixed + w] = ZERO
    for i in range(count):
        row_xor(values, thread.mixed, thread.mixed, thread.masks + int_at(thread.fresh, i))
    for w in range(WORDS):
        values[mixed + WORDS + w] = ~values[mixed + w]
    row_andnot(values, thread.hold, thread.mixed, thread.hold)
    if count <= FEW:
        for base in range(thread.searched):
            row_andnot(values, 1 + base, thread.mixed, 1 + base)
        for i in range(count):
            _set_bits(tree, rules, thread, values, int_at(thread.fresh, i))
    else:
        for index in range(rules.state_words):
            _turn_in(tree, thread, values, index)


@subkernel
def _set_bits(tree: Record, rules: Record, thread: Record, values: Words, batch: int) -> None:
    words, mask = words_of(tree, batch_at(thread.batches, batch).origin), thread.masks + batch
    for index in range(rules.state_words):
        word = word_at(words, index)
        while word:
            row = 1 + 64 * index + int64(lowest_bit(word))
            word &= word - ONE
            row_xor(values, row, row, mask)


@subkernel
def _turn_in(tree: Record, thread: Record, values: Words, index: int) -> None:
    """Transpose word `index` of the fresh batches' states into the rows of its 64 bases."""
    block = thread.block * WORDS
    for i in range(thread.fresh_count):
        batch = int_at(thread.fresh, i)
        word = word_at(words_of(tree, batch_at(thread.batches, batch).origin), index)
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


@subkernel
def force_first_moves(rules: Record, thread: Record, values: Words, drawn: Ints, picks: Ints) -> None:
    """Replace the moves chosen by the lanes of the just loaded batches by the batches' first moves."""
    for role in range(rules.roles):
        place = drawn_place(drawn, int_at(rules.role_start, role))
        if place < 0:
            _force_rows(rules, thread, values, role)
            continue
        for i in range(thread.loaded_count):
            batch = int_at(thread.loaded, i)
            if forced_move(rules, thread, batch, role) >= 0:
                _force_picks(rules, thread, values, batch, role, picks[place])


@subkernel
def forced_move(rules: Record, thread: Record, batch: int, role: int) -> int:
    """Return the forced first move of a role; -1 if any is allowed, or if the batch is not the one that was loaded."""
    if batch_at(thread.batches, batch).sweep != thread.sweep_now:
        return -1
    return int_at(thread.forced, cell(batch, rules.roles, role))


@subkernel
def drawn_place(drawn: Ints, first_move: int) -> int:
    """Return the place of a role among those that draw lane by lane; -1 for a role that chooses by circuit."""
    for i in range(len(drawn)):
        if drawn[i, 0] == first_move:
            return i
    return -1


@subkernel
def _force_rows(rules: Record, thread: Record, values: Words, role: int) -> None:
    some = False
    for i in range(thread.loaded_count):
        batch = int_at(thread.loaded, i)
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
    for i in range(thread.loaded_count):
        batch = int_at(thread.loaded, i)
        move = forced_move(rules, thread, batch, role)
        if move >= 0:
            row_xor(values, first + move, first + move, thread.masks + batch)


@subkernel
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


@subkernel
def take_lanes(thread: Record, values: Words, batch: int, share: int) -> None:
    """Give `batch` the topmost `share` free lanes; they begin in the next sweep."""
    mask = (thread.masks + batch) * WORDS
    for w in range(WORDS):
        values[mask + w] = ZERO
    for i in range(thread.free_count - share, thread.free_count):
        number = int_at(thread.free, i)
        values[mask + (number >> 6)] |= ONE << uint64(number & 63)
        lane = lane_at(thread.lanes, number)
        lane.batch = batch
        lane.begun = thread.sweep_now + 1
    thread.free_count -= share


@kernel
def free_all(threads: Records, values: Words) -> None:
    """Put all lanes on hold and all lanes and batches on their stacks."""
    thread = threads[0]
    for w in range(WORDS):
        values[thread.hold * WORDS + w] = ~ZERO
    for i in range(LANES):
        put_int(thread.free, i, i)
        put_int(thread.idle, i, i)
    thread.free_count = thread.idle_count = LANES
