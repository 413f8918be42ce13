"""Memory of positions: a tree as arrays, in which the children of a position are next to each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Longs, Singles, Words

SOLVED, PENDING = 1, 2
"""Marks of a position: its value is exact; it waits for its expansion."""
USED, EXPANDED, FAULT, OPENED = 0, 1, 2, 3
"""Places of `Positions.counts`: positions in use; expansions; the fault that prevents a search (0: none); positions
whose best lines are followed."""
JOINT, CROWDED, UNOPPOSED = 1, 2, 3
"""Faults: both roles choose at the same time; a position has more moves than lanes; an end gives both roles together
more than all points."""

Marks = NDArray[np.int8]


class Positions(NamedTuple):
    """N positions of W words. Values are those of the first role, 0..1; the other role has the rest."""

    states: Words  # [N, W] the searched bases, lowest bit first
    logits: Singles  # [N] the evaluation, before the logistic function
    values: Singles  # [N] the minimax value of the tree below
    first: Ints  # [N] the first child
    sizes: Ints  # [N] the number of children; 0: not expanded
    parents: Ints  # [N]
    moves: Ints  # [N] the move that led here
    visits: Ints  # [N] descents through the position
    movers: Marks  # [N] the role that chooses, once expanded
    marks: Marks  # [N] SOLVED, PENDING
    distances: Ints  # [N] joint moves to the end along the proof, if SOLVED
    counts: Longs  # [4] by USED, EXPANDED, FAULT, OPENED


def positions(size: int, words: int) -> Positions:
    """Allocate memory for `size` positions of `words` words; the system provides it when it is first written."""
    return Positions(
        states=np.zeros((size, words), np.uint64),
        logits=np.zeros(size, np.float32),
        values=np.zeros(size, np.float32),
        first=np.zeros(size, np.int32),
        sizes=np.zeros(size, np.int32),
        parents=np.zeros(size, np.int32),
        moves=np.zeros(size, np.int32),
        visits=np.zeros(size, np.int32),
        movers=np.zeros(size, np.int8),
        marks=np.zeros(size, np.int8),
        distances=np.zeros(size, np.int32),
        counts=np.zeros(4, np.int64),
    )


def position_bytes(words: int) -> int:
    """Return the bytes of one position."""
    return 8 * words + 8 * 4 + 2
