"""Uniform choice among many moves, lane by lane.

For a role with more than `reasoner.lanes.choice_plan.CIRCUIT_MOVES` moves, the choice circuit of
`reasoner.lanes.random_choice` costs more than transposing the bits. The transposition turns 64 rows of legal moves into
one word of 64 moves for each lane (Warren, Hacker's Delight, 7-3, for the eight words of a row at once). Each lane then
counts its legal moves and chooses move number ``floor(U * count / 2**32)``, where U is 32 random bits. The probability
of each move differs from 1/count by less than ``2**-32``.
"""

from __future__ import annotations

from reasoner.arrays import Ints, Rows, Words
from reasoner.kernels import kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.rows import (
    LANES,
    WORDS,
    popcount,
    row_find,
    row_load,
    row_random,
    row_scale,
    row_swap,
    row_total,
)

BLOCK = 64
"""Moves transposed at once."""


def scratch_rows(moves: int) -> int:
    """The number of rows that `draw` needs for a role of `moves` moves.

    They contain the transposed bits, and 64 rows each of counts, ranks and places.
    """
    return -(-moves // BLOCK) * BLOCK + 3 * BLOCK


@kernel
def transpose(rows: Words, first: int) -> None:
    """Transpose 64 rows: bit j of word w of row i moves to bit i of word w of row j."""
    shift, mask = 32, uint64(0x00000000FFFFFFFF)
    while shift:
        row = 0
        while row < BLOCK:
            row_swap(rows, first + row, first + row + shift, uint64(shift), mask)
            row = (row + shift + 1) & ~shift
        shift >>= 1
        mask ^= mask << uint64(shift)


@kernel
def nth_bit(word: int, n: int) -> int:
    """The position of the n-th set bit of a word, counted from 0; the word must have more than `n` set bits."""
    position, width = 0, 32
    while width:
        below = popcount((word >> uint64(position)) & ((ONE << uint64(width)) - ONE))
        if n >= below:
            n -= below
            position += width
        width >>= 1
    return position


@kernel
def draw(
    values: Words,
    scratch: Words,  # [scratch_rows(moves)] rows
    random: Words,  # [4] rows, the generator's state
    legal: Rows,  # [moves of the role] literals
    first_row: int,  # the row of the role's first move
    chosen: Ints,  # [LANES] the move chosen last, -1 for none; written
) -> None:
    """Choose one legal move in each lane and set its bit in the moves' rows; a lane without legal moves sets none."""
    moves = len(legal)
    blocks = (moves + BLOCK - 1) // BLOCK
    for move in range(moves):
        row_load(values, scratch, legal[move] >> 1, move, ALL if legal[move] & 1 else ZERO)
    scratch[moves * WORDS : blocks * BLOCK * WORDS] = ZERO
    for block in range(blocks):
        transpose(scratch, block * BLOCK)
    totals = blocks * BLOCK
    ranks, places = totals + BLOCK, totals + 2 * BLOCK
    for row in range(BLOCK):
        row_total(scratch, totals + row, row, BLOCK, blocks)
        row_random(scratch, ranks + row, random)
        row_scale(scratch, ranks + row, totals + row)
        row_find(scratch, ranks + row, places + row, row, BLOCK, blocks)
    for lane in range(LANES):
        word, bit = lane >> 6, ONE << uint64(lane & 63)
        at = (lane & 63) * WORDS + word
        if chosen[lane] >= 0:
            values[(first_row + chosen[lane]) * WORDS + word] &= ~bit
        chosen[lane] = -1
        if scratch[totals * WORDS + at]:
            place = int64(scratch[places * WORDS + at])
            turned = scratch[place * BLOCK * WORDS + at]
            chosen[lane] = place * BLOCK + nth_bit(turned, scratch[ranks * WORDS + at])
            values[(first_row + chosen[lane]) * WORDS + word] |= bit
