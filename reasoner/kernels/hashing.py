"""Words hashed, one after the other, for tables of open addressing with linear probing (Knuth, vol. 3, 6.4).

A table has a power of two places, and some are always free. A key stands at its `place_of`, or at the first place after
it that was free; what compares keys is where the table is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Words
from reasoner.kernels.compiled import subkernel
from reasoner.kernels.random import GOLDEN, scramble
from reasoner.kernels.scalars import int64, uint64

_MIX = uint64(0xD6E8FEB86659FD93)
_SHIFT = uint64(32)


@subkernel
def joined(code: int, word: int) -> int:
    """The hash of a key and one more word; a key begins as GOLDEN."""
    code = (code ^ uint64(word)) * _MIX
    return code ^ (code >> _SHIFT)


@subkernel
def paired(one: int, other: int) -> int:
    """The hash of two numbers, none below 0, each of at most 32 bits."""
    return joined(GOLDEN, (uint64(one) << _SHIFT) | uint64(other))


@subkernel
def scattered(code: int) -> int:
    """A hash of which the lower and the upper 32 bits may be used apart."""
    code *= GOLDEN
    return code ^ (code >> _SHIFT)


@subkernel
def place_of(code: int, mask: int) -> int:
    """Where a key with this hash belongs in a table of `mask` + 1 places."""
    return int64((code * GOLDEN) >> _SHIFT) & mask


def hashed(rows: NDArray[np.uint64]) -> Words:
    """A hash of each row; equal rows have equal ones.  # [N, W] -> [N]."""
    found = np.zeros(len(rows), np.uint64)
    for word in rows.T:
        found = scrambled_words(found ^ word)
    return found


def scrambled_words(words: Words) -> Words:
    """What splitmix64 draws next where its states are `words`.  # [N]."""
    return scramble(words + GOLDEN)
