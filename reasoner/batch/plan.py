"""The inputs of a batch's kernels: a plan of its games, work memory for each thread, and the results of the games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bytes, Ints, Rows, Words
from reasoner.lanes.draw import scratch_rows
from reasoner.lanes.rows import LANES, WORDS, aligned

NONE = -1
"""A move to draw at random; a goal that does not exist."""
STAY = -2
"""An action, of any role, that leaves the game unchanged; a goal that is not single."""


class Plan(NamedTuple):
    """The constants of all steps; B bases."""

    starts: Ints  # [roles + 1] the first move of each role, and the end
    start: Bytes  # [B] the state that games begin with
    left: Rows  # the rows that LEGAL leaves for the other sections in the start state, ...
    begun: Bytes  # ... and their bits
    rest: int  # 1: bases that play does not depend on are also updated
    again: int  # 1: a game that is over is restarted


class Work(NamedTuple):
    """Work memory of one thread."""

    turned: Words  # buffer for transposing 64 rows
    packed: Words  # [LANES, words] bits of a block's games
    drawing: Words  # as `reasoner.lanes.play.scratch`
    picks: Ints  # as `reasoner.lanes.play.scratch`
    lanes: Words  # [roles + 2, WORDS] lanes with given moves, by role; lanes that stay; a buffer row


class Shown(NamedTuple):
    """The results of the games after a step; n games."""

    ended: Bytes  # [n] the game is over, or some role has no move
    terminal: Bytes  # [n] the game is over
    goals: Ints  # [n, roles] of games that ended; NONE elsewhere, and where the rules give none or several


def work(drawn: Ints, roles: int, most_bits: int) -> Work:
    """Allocate work memory for a thread; `most_bits` is the maximum of a game's bits that are transposed at once."""
    rows = max((scratch_rows(int(end - start)) for start, end in drawn), default=1)
    return Work(
        turned=aligned(64),
        packed=np.zeros((LANES, -(-most_bits // 64)), np.uint64),
        drawing=aligned(rows),
        picks=np.full((len(drawn), LANES), -1, np.int32),
        lanes=np.zeros((roles + 2, WORDS), np.uint64),
    )
