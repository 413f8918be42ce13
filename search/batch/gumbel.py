"""Sequential halving at the root: visits of the moves drawn by Gumbel noise.

With few simulations this improves on the prior policy, which visit counts alone need not do (Danihelka, Guez,
Schrittwieser & Silver, Policy improvement by planning with Gumbel, ICLR 2022).
"""

from __future__ import annotations

import math

import numpy as np

from reasoner.arrays import Ints


def visits_in_turn(considered: int, simulations: int) -> list[int]:
    """Return for each simulation the visits of the move to take next: sequential halving of `considered` moves."""
    if considered <= 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(considered))
    turns: list[int] = []
    visits, left = [0] * considered, considered
    while len(turns) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            turns += visits[:left]
            visits[:left] = [seen + 1 for seen in visits[:left]]
        left = max(2, left // 2)
    return turns[:simulations]


def visit_table(considered: int, simulations: int) -> Ints:
    """Return `visits_in_turn` for every number of moves up to `considered`.  # [considered + 1, simulations]."""
    return np.array([visits_in_turn(count, simulations) for count in range(considered + 1)], np.int32)
