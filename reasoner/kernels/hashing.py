"""Hashing of words in sequence, for hash tables with linear probing (Knuth, vol. 3, 6.4).

The number of a table's slots is a power of two, and some slots are always free. A key is in its first slot (`place_of`)
if that slot was free at insertion, or else in the next free slot after it. The table's owner compares keys.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Words
from reasoner.kernels.compiled import device_function
from reasoner.kernels.random import GOLDEN, scramble
from reasoner.kernels.scalars import int64, uint64

_MIX = uint64(0xD6E8FEB86659FD93)
_SHIFT = uint64(32)


@device_function
def joined(code: int, word: int) -> int:
    """Return the hash of a key extended by one word, from the key's hash so far; the hash of an empty key is GOLDEN."""
    code = (code ^ uint64(word)) * _MIX
    return code ^ (code >> _SHIFT)


@device_function
def paired(one: int, other: int) -> int:
    """Return the hash of two non-negative numbers of at most 32 bits each."""
    return joined(GOLDEN, (uint64(one) << _SHIFT) | uint64(other))


@device_function
def scattered(code: int) -> int:
    """Return a hash whose lower and upper 32 bits can be used separately."""
    code *= GOLDEN
    return code ^ (code >> _SHIFT)


@device_function
def place_of(code: int, mask: int) -> int:
    """Return the first slot of a key with this hash in a table of `mask` + 1 slots."""
    return int64((code * GOLDEN) >> _SHIFT) & mask


def hashed(rows: NDArray[np.uint64]) -> Words:
    """Return a hash of each row; equal rows have equal hashes.  # [N, W] -> [N]."""
    found = np.zeros(len(rows), np.uint64)
    for word in rows.T:
        found = scrambled_words(found ^ word)
    return found


def scrambled_words(words: Words) -> Words:
    """Return splitmix64's next output for the states `words`.  # [N]."""
    return scramble(words + GOLDEN)
