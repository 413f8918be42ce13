"""How often somebody could win at once in random play: whether it is worth its price to look for such moves.

Where random games pass many wins by, as in Connect Four, their results say little of the positions they begin at.
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
"""Steps of the games looked at."""

WORTH = 1 / 3
"""States with a win that each game must have for each gate of PREFER to a gate of a uniform step.

Measured: games with 1.7 and more states a game and four to six gates to one win matches by it; checkers, with 0.6
and 3.5 gates, loses them.
"""


@kernel
def wins_seen(values: Words, lanes: Lanes, turned: Words, picks: Ints, start: Bytes, sweeps: int) -> float:
    """States in which a role can win at once, a game of uniform play from a state (one byte a base)."""
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
