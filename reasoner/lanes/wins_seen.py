"""How often a role could win at once in random play: whether looking for such moves pays.

If random games miss many wins, as in Connect Four, their results say little about the positions they start from.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bytes, Ints, Words
from reasoner.kernels import kernel
from reasoner.kernels.bits import ALL, ZERO
from reasoner.lanes.lane_graph import LEGAL, NEXT, PREFER
from reasoner.lanes.play import Lanes, choose, load, section, word
from reasoner.lanes.rows import LANES, WORDS, popcount

SWEEPS = 200
"""Steps played."""

WORTH = 1 / 3
"""Fewest states with a win in each game, for each gate of PREFER relative to a uniform step.

Measured: games with 1.7 and more such states and four to six gates to one win matches by it; checkers, with 0.6 and
3.5 gates, loses them."""


@kernel
def wins_seen(values: Words, lanes: Lanes, turned: Words, picks: Ints, start: Bytes, sweeps: int) -> float:
    """States in which a role can win at once, per game of uniform play from a state (one byte a base)."""
    hold, seen = lanes.hold * WORDS, 0
    load(values, start, np.full(WORDS, ALL))
    values[hold : hold + WORDS] = ZERO
    for _ in range(sweeps):
        section(values, lanes, LEGAL)
        section(values, lanes, PREFER)
        running = 0
        for w in range(WORDS):
            values[hold + w] |= values[lanes.stop * WORDS + w]
            running += popcount(~values[hold + w])
            seen += popcount(word(values, lanes.won, w) & ~values[hold + w])
        if not running:
            break
        choose(values, lanes, turned, picks)
        section(values, lanes, NEXT)
    return seen / LANES
