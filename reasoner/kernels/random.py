"""Random words by splitmix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).

The state is one word, to which GOLDEN is added for each draw; the output is the state, `scrambled`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.typing import NDArray

from reasoner.kernels.compiled import device_function
from reasoner.kernels.scalars import int64, uint64

Word = TypeVar("Word", int, NDArray[Any])

GOLDEN = uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio; also used for multiplicative hashing (Knuth, vol. 3, 6.4)."""
_MIX1 = uint64(0xBF58476D1CE4E5B9)
_MIX2 = uint64(0x94D049BB133111EB)


def scramble(word: Word) -> Word:
    """Mix the bits of a word, or of each word of an array: a bijection in which every bit depends on every bit."""
    word = (word ^ (word >> uint64(30))) * _MIX1
    word = (word ^ (word >> uint64(27))) * _MIX2
    word ^= word >> uint64(31)
    return word


scrambled: Callable[[int], int] = device_function(scramble)
"""`scramble`, in kernels."""


@device_function
def below(word: int, count: int) -> int:
    """Map a random word to a number from 0 to `count` - 1; `count` is at most 2**31."""
    return int64(((word >> uint64(32)) * uint64(count)) >> uint64(32))
