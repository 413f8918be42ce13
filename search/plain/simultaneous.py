"""Moves made at once, in the descent: decoupled UCT.

Each role chooses by its own statistics as if alone (Finnsson and Björnsson 2008, CadiaPlayer), which visits all joint
moves now and then. What is really played is drawn from a mixture (`search.root.mixture`).
"""

from __future__ import annotations

from random import Random

from search.plain.selection import select_move
from search.plain.tree import Expansion

SHAKEN = 0.05
"""How often a role moves at random in a descent. Roles that explore in step would only ever meet some of each other's
moves (in matching pennies: heads with heads, tails with tails) and take those for all there is."""


def select_joint(expansion: Expansion, weight: float, rng: Random) -> int:
    """The key of the joint move in which each role takes its own best, and chance draws uniformly."""
    key = 0
    for slot, edges in enumerate(expansion.edges):
        if slot == expansion.chance or rng.random() < SHAKEN:
            index = int(rng.random() * len(expansion.legal[expansion.roles[slot]]))
        else:
            index = select_move(edges, 2 * weight * rng.random())
        key += index * expansion.strides[slot]
    return key
