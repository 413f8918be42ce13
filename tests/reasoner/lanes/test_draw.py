"""Drawing lane by lane does what plain Python does."""

import numpy as np
import pytest

from reasoner.lanes import draw
from reasoner.lanes.rows import LANES, WORDS, aligned

MOVES = 150


def bits(rows):
    """Rows as a matrix of bits.  # [rows, LANES]"""
    return np.unpackbits(rows.view(np.uint8), bitorder="little").reshape(-1, LANES)


def test_64_rows_are_turned_round():
    rows = aligned(draw.BLOCK)
    rows[:] = np.random.default_rng(1).integers(0, 2**64, len(rows), np.uint64)
    before = bits(rows).reshape(64, WORDS, 64)
    draw.transpose(rows, 0)
    assert np.array_equal(bits(rows).reshape(64, WORDS, 64), before.transpose(2, 1, 0))


@pytest.mark.parametrize("word", [1, 2**63, 0b1011, 2**64 - 1, 0xF0F0_0000_1234_5678])
def test_the_nth_set_bit_is_found(word):
    positions = [i for i in range(64) if word >> i & 1]
    assert [draw.nth_bit(np.uint64(word), np.uint64(n)) for n in range(len(positions))] == positions


def drawn(legal, chosen, random):
    """One draw among moves whose rows are `legal`; the chosen bits.  # [MOVES, LANES]"""
    values = aligned(2 * MOVES)
    values[: MOVES * WORDS] = np.packbits(legal, bitorder="little").view(np.uint64)
    literals = 2 * np.arange(MOVES, dtype=np.uint32)
    draw.draw(values, aligned(draw.scratch_rows(MOVES)), random, literals, MOVES, chosen)
    return bits(values[MOVES * WORDS :])


@pytest.fixture
def random():
    state = aligned(4)
    state[:] = np.random.default_rng(2).integers(0, 2**64, len(state), np.uint64)
    return state


def test_one_legal_move_is_drawn_where_there_is_any(random):
    legal = np.random.default_rng(3).random((MOVES, LANES)) < 0.02
    chosen = np.full(LANES, -1, np.int32)
    picks = drawn(legal, chosen, random)
    assert np.array_equal(picks.sum(0), legal.any(0))
    assert not (picks & ~legal).any()
    assert np.array_equal(np.flatnonzero(chosen < 0), np.flatnonzero(~legal.any(0)))


def test_each_legal_move_is_as_likely(random):
    legal = np.zeros((MOVES, LANES), bool)
    legal[[3, 70, 149]] = True
    counts = np.zeros(MOVES)
    for _ in range(40):
        counts += drawn(legal, np.full(LANES, -1, np.int32), random).sum(1)
    share = counts[[3, 70, 149]] / (40 * LANES)
    assert abs(share - 1 / 3).max() < 5 * (2 / 9 / (40 * LANES)) ** 0.5


def test_the_last_choice_is_taken_back(random):
    values = aligned(2 * MOVES)
    values[5 * WORDS : 6 * WORDS] = 2**64 - 1
    values[(MOVES + 9) * WORDS : (MOVES + 10) * WORDS] = 2**64 - 1
    chosen = np.full(LANES, 9, np.int32)
    literals = 2 * np.arange(MOVES, dtype=np.uint32)
    draw.draw(values, aligned(draw.scratch_rows(MOVES)), random, literals, MOVES, chosen)
    picks = bits(values[MOVES * WORDS :])
    assert picks[5].all()
    assert picks.sum() == LANES
