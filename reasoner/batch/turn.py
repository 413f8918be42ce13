"""Transpose rows of lanes to arrays with one row for each game, and back.

A row of lanes contains one bit of each of 512 games; a row of an array contains all bits of one game.
`reasoner.lanes.draw.transpose` transposes 64 rows at a time. Packed bits are ordered as in the machine's states: the
first bit is the highest of its byte.
"""

from __future__ import annotations

from reasoner.arrays import Bytes, Rows, Words
from reasoner.batch.bits import spread
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.draw import transpose
from reasoner.lanes.rows import WORDS, row_load

TURNED = 64
"""Rows transposed at once."""
LOWEST_FIRST, HIGHEST_FIRST = 0, 7
"""The order of bits in a byte: a bit's position is its index XOR this number."""


@device_function
def take(values: Words, literals: Rows, order: int, turned: Words, games: int, out: Words) -> None:
    """Pack the values of literals in the first `games` lanes.  # out [games, ceil(literals / 64)].

    order: LOWEST_FIRST or HIGHEST_FIRST.
    """
    for index in range((len(literals) + TURNED - 1) // TURNED):
        first = index * TURNED
        count = min(TURNED, len(literals) - first)
        if count < TURNED:
            turned[:] = ZERO
        for i in range(count):
            literal = int64(literals[first + i])
            row_load(values, turned, literal >> 1, i ^ order, ALL if literal & 1 else ZERO)
        transpose(turned, 0)
        for game in range(games):
            out[game, index] = turned[(game & 63) * WORDS + (game >> 6)]


@device_function
def unpack(packed: Words, games: int, bits: int, out: Bytes) -> None:
    """Write packed bits, lowest first, as one byte each.  # packed [games, ceil(bits / 64)]; out [games * bits].

    Surplus bits in the last word of a game are overwritten by the next game.
    """
    for game in range(games):
        place = game * bits
        for index in range((bits + TURNED - 1) // TURNED):
            if place + TURNED <= len(out):
                spread(out, place, packed[game, index])
            else:
                for i in range(len(out) - place):
                    out[place + i] = (packed[game, index] >> uint64(i)) & ONE
            place += TURNED


@device_function
def put(values: Words, packed: Words, bits: int, first_row: int, turned: Words, lanes: Words) -> None:
    """Write packed bits, highest first, to consecutive rows, the first of which is `first_row`.

    packed: [games, ceil(bits / 64)]; lanes: the lanes that are written; turned: a buffer.
    """
    turned[:] = ZERO
    for index in range((bits + TURNED - 1) // TURNED):
        for game in range(len(packed)):
            turned[(game & 63) * WORDS + (game >> 6)] = packed[game, index]
        transpose(turned, 0)
        for i in range(min(TURNED, bits - index * TURNED)):
            row, source = first_row + index * TURNED + i, i ^ HIGHEST_FIRST
            for w in range(WORDS):
                new = turned[source * WORDS + w] & lanes[w]
                values[row * WORDS + w] = (values[row * WORDS + w] & ~lanes[w]) | new
        turned[:] = ZERO


@kernel
def all_packed(values: Words, literals: Rows, turned: Words, games: int, out: Words) -> None:
    """Run `take`, highest bit first, on each block.  # values [blocks, rows * WORDS]; out [games, words]."""
    for block in range(len(values)):
        first = block * 512
        count = min(512, games - first)
        take(values[block], literals, HIGHEST_FIRST, turned, count, out[first : first + count])


@kernel
def all_bytes(values: Words, literals: Rows, turned: Words, packed: Words, games: int, out: Bytes) -> None:
    """Write the values of literals, one byte each.  # values [blocks, rows * WORDS]; out [games * literals]."""
    bits = len(literals)
    for block in range(len(values)):
        first = block * 512
        count = min(512, games - first)
        take(values[block], literals, LOWEST_FIRST, turned, count, packed)
        unpack(packed, count, bits, out[first * bits : (first + count) * bits])
