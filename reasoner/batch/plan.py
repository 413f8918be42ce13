"""What the kernels of a batch work with: a plan of its games, memory for each thread, and what is told of the games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bytes, Ints, Rows, Words
from reasoner.lanes.draw import scratch_rows
from reasoner.lanes.rows import LANES, WORDS, aligned

NONE = -1
"""A move that is drawn at random; a goal that there is not."""
STAY = -2
"""An action, of any role, that lets the game stay as it is; a goal of which there are several."""


class Plan(NamedTuple):
    """What is the same in every step; B bases."""

    starts: Ints  # [roles + 1] the first move of each role, and the end
    start: Bytes  # [B] the state that games begin with
    left: Rows  # the rows that LEGAL leaves for the other sections, ...
    begun: Bytes  # ... and their bits in that state
    rest: int  # 1: bases that play does not depend on are kept up, too
    again: int  # 1: a game that is over begins anew


class Work(NamedTuple):
    """Memory that one thread works in."""

    turned: Words  # 64 rows being turned round
    packed: Words  # [LANES, words] bits of a block's games
    drawing: Words  # as `reasoner.lanes.play.scratch`
    picks: Ints  # likewise
    lanes: Words  # [roles + 2, WORDS] lanes whose moves are given, role by role; those that stay; one row for work


class Shown(NamedTuple):
    """What is told of the games after a step; n games."""

    ended: Bytes  # [n] the game is over, or some role has no move
    terminal: Bytes  # [n] the game is over
    goals: Ints  # [n, roles] of games that ended; NONE elsewhere, and where the rules give none or several


def work(drawn: Ints, roles: int, most_bits: int) -> Work:
    """Memory for a thread; `most_bits` are those of a game that are turned at once."""
    rows = max((scratch_rows(int(end - start)) for start, end in drawn), default=1)
    return Work(
        turned=aligned(64),
        packed=np.zeros((LANES, -(-most_bits // 64)), np.uint64),
        drawing=aligned(rows),
        picks=np.full((len(drawn), LANES), -1, np.int32),
        lanes=np.zeros((roles + 2, WORDS), np.uint64),
    )
