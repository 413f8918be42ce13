"""The inputs of a batch's kernels: a plan of its games, work memory for each thread, and the results of the games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bytes, Ints, Rows, Words
from reasoner.lanes.draw import scratch_rows
from reasoner.lanes.rows import LANES, WORDS, aligned

NONE = -1
"""As an action: draw a move at random. As a goal: the rules give no goal value, or several."""
STAY = -2
"""As an action, of any role: leave the game unchanged. Within `take_goals`: the rules give several goal values."""


class Plan(NamedTuple):
    """The constants of all steps; B bases."""

    starts: Ints  # [roles + 1] the first move of each role, then the number of moves
    start: Bytes  # [B] the state in which games begin
    left: Rows  # the rows that LEGAL leaves for the other sections
    begun: Bytes  # the bit of each row of `left` in the state `start`
    rest: int  # 1: bases that play does not depend on are also updated
    again: int  # 1: a game that is over is restarted


class Work(NamedTuple):
    """Work memory of one thread."""

    turned: Words  # buffer for transposing 64 rows
    packed: Words  # [LANES, words] bits of a block's games
    drawing: Words  # see `reasoner.lanes.play.scratch`
    picks: Ints  # see `reasoner.lanes.play.scratch`
    lanes: Words  # [roles + 2, WORDS] for each role the lanes with a given move; the lanes with a STAY; a buffer row


class Shown(NamedTuple):
    """The results of the games after a step; n games."""

    ended: Bytes  # [n] the game is over, or some role has no move
    terminal: Bytes  # [n] the game is over
    goals: Ints  # [n, roles] goal values of ended games; NONE for other games, or if the rules give none or several


def work(drawn: Ints, roles: int, most_bits: int) -> Work:
    """Allocate work memory for a thread; `most_bits`: the maximum number of bits per game in one transposition."""
    rows = max((scratch_rows(int(end - start)) for start, end in drawn), default=1)
    return Work(
        turned=aligned(64),
        packed=np.zeros((LANES, -(-most_bits // 64)), np.uint64),
        drawing=aligned(rows),
        picks=np.full((len(drawn), LANES), -1, np.int32),
        lanes=np.zeros((roles + 2, WORDS), np.uint64),
    )
