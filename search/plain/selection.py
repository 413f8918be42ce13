"""Which move a descent takes: UCB1 with first-play urgency.

Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning". A move's score is
value + exploration * sqrt(ln visits of the node) * visits of the move ** -0.5, the last factor kept as `scales`:
two lists and one comprehension are what makes selection cheap in Python.

A proven move needs no further descent. Where it is the best, the descent takes the best of the others, so that it
learns something, and the states above are told the proven value (`backup`), which is what the mover would get.

Where several choose at once, each role does so by its own statistics as if alone (decoupled UCT: Finnsson and Björnsson
2008, CadiaPlayer), which visits all joint moves now and then. What is really played is drawn from a mixture
(`search.root.mixture`).
"""

from __future__ import annotations

from math import inf, log, sqrt
from random import Random

from search.plain.tree import Edges, Expansion

SHAKEN = 0.05
"""How often a role moves at random in a descent. Roles that explore in step would only ever meet some of each other's
moves (in matching pennies: heads with heads, tails with tails) and take those for all there is."""


def exploration_weight(visits: int, exploration: float) -> float:
    """What `scales` are multiplied with in a node of so many visits."""
    return exploration * sqrt(log(visits + 1))


def select_move(edges: Edges, weight: float) -> int:
    """The index of the move with the highest score; the first of equals."""
    scores = [value + weight * scale for value, scale in zip(edges.values, edges.scales, strict=True)]
    return scores.index(max(scores))


def select_unproven(edges: Edges, weight: float) -> int:
    """The same among the moves that are not proven; at least one is not."""
    scores = [
        value + weight * scale if scale else -inf for value, scale in zip(edges.values, edges.scales, strict=True)
    ]
    return scores.index(max(scores))


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
