"""Hashes: every bit of a key matters, and those for kernels and for arrays are the same."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.kernels import kernel
from reasoner.kernels.hashing import hashed, joined, paired, place_of, scattered, scrambled_words
from reasoner.kernels.random import GOLDEN, scrambled

WORDS = st.integers(0, 2**64 - 1).map(np.uint64)


@kernel
def one(word):
    """What kernels draw from a state."""
    return scrambled(word + GOLDEN)


@kernel
def places(keys, mask):
    """The places of keys of two words."""
    found = np.zeros(len(keys), np.int64)
    for i in range(len(keys)):
        found[i] = place_of(joined(joined(GOLDEN, keys[i, 0]), keys[i, 1]), mask)
    return found


@kernel
def places_of_pairs(numbers, mask):
    """The places of all pairs of numbers below `numbers`."""
    found = np.zeros(numbers * numbers, np.int64)
    for i in range(numbers):
        for j in range(numbers):
            found[numbers * i + j] = place_of(paired(i, j), mask)
    return found


@kernel
def halves(keys):
    """The lower and the upper 32 bits of the hashes of keys of one word."""
    found = np.zeros((2, len(keys)), np.uint64)
    for i in range(len(keys)):
        code = scattered(joined(GOLDEN, keys[i]))
        found[0, i], found[1, i] = code & np.uint64(0xFFFFFFFF), code >> np.uint64(32)
    return found


@given(WORDS)
def test_a_word_is_scrambled_in_arrays_as_in_kernels(word):
    assert scrambled_words(np.array([word], np.uint64))[0] == one(word)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_rows_have_equal_hashes_where_they_are_equal(rows):
    found = hashed(np.array(rows, np.uint64))
    assert all((found[i] == found[j]) == (rows[i] == rows[j]) for i in range(len(rows)) for j in range(i))


def test_keys_that_differ_in_few_bits_are_spread_over_a_table():
    """Half as many keys as places: at random, as many places as 79% of the keys are hit."""
    keys = np.array([(i, j << 40) for i in range(64) for j in range(64)], np.uint64)
    taken = places(keys, 2 * len(keys) - 1)
    assert taken.min() >= 0
    assert taken.max() < 2 * len(keys)
    assert len(set(taken.tolist())) > 0.7 * len(keys)


def test_pairs_of_near_numbers_are_spread_over_a_table():
    """Operands of gates are, and ones whose sum or exclusive or is the same among them."""
    found = set(places_of_pairs(64, 8191).tolist())
    assert len(found) > 0.7 * 64 * 64


def test_the_halves_of_a_hash_may_be_used_apart():
    for half in halves(np.arange(1 << 14, dtype=np.uint64)):
        assert len(set((half & np.uint64((1 << 15) - 1)).tolist())) > 0.7 * (1 << 14)
