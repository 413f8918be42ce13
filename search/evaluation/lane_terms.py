"""Values of an evaluation's terms in lanes, 64 terms at a time, ready for transposition."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.kernels import subkernel
from reasoner.kernels.bits import ALL, ZERO
from reasoner.kernels.memory import int_at
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import WORDS

BLOCK = 64
"""Terms whose rows are transposed at once."""


def term_rows(lanes: Lanes) -> Ints:
    """Return the literal over rows of each atom of a loaded program.  # [bases + moves]."""
    bases = 2 * (1 + np.arange(lanes.bases, dtype=np.int32))
    return np.concatenate([bases, lanes.legal.astype(np.int32)])


@subkernel
def gather_terms(values: Words, block: int, ors: int, ands: int, literals: int, first: int, terms: int) -> None:
    """Write the values of terms `first` and following into 64 rows, zeros after the last of `terms`.

    block: the first of the rows; ors, ands, literals: addresses of the arrays of `LinearTerms`, its literals over rows.
    """
    for i in range(BLOCK):
        out = (block + i) * WORDS
        for w in range(WORDS):
            values[out + w] = ZERO
        if first + i >= terms:
            continue
        for a in range(int_at(ors, first + i), int_at(ors, first + i + 1)):
            for w in range(WORDS):
                word = ALL
                for at in range(int_at(ands, a), int_at(ands, a + 1)):
                    literal = int_at(literals, at)
                    word &= values[(literal >> 1) * WORDS + w] ^ (ALL if literal & 1 else ZERO)
                values[out + w] |= word
