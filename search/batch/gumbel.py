"""Which moves of a root are looked at how often, where they are drawn by Gumbel noise and halved in turns.

With few simulations this improves on the policy that it began with, which visits alone need not (Danihelka, Guez,
Schrittwieser & Silver, Policy improvement by planning with Gumbel, ICLR 2022).
"""

from __future__ import annotations

import math

import numpy as np

from reasoner.arrays import Ints


def visits_in_turn(considered: int, simulations: int) -> list[int]:
    """For each simulation the visits that the move to take next has had: sequential halving of so many moves."""
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
    """The same for every number of moves up to `considered`.  # [considered + 1, simulations]."""
    return np.array([visits_in_turn(count, simulations) for count in range(considered + 1)], np.int32)
