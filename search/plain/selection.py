"""Selection of moves: UCB1 with first-play urgency.

Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning". A move's score is
value + exploration * sqrt(ln visits of the node) * visits of the move ** -0.5. The last factor is stored as `scales`:
two lists and one comprehension are the fastest selection in Python.

A proven move needs no further descent. If it is the best, the descent explores the best of the others, and the proven
value, which is what the mover would get, is backed up above this node (`backup`).

Where several roles choose at once, each uses its own statistics (decoupled UCT: Finnsson and Björnsson 2008,
CadiaPlayer), which visits all joint moves now and then. The move to play is drawn from a mixture
(`search.root.mixture`).
"""

from __future__ import annotations

from math import inf, log, sqrt
from random import Random

from search.plain.tree import Edges, Expansion

SHAKEN = 0.05
"""Probability of a random move of a role in a descent. Roles that explore in step would meet only some of each other's
moves (in matching pennies: heads with heads, tails with tails) and never learn the other pairs."""


def exploration_weight(visits: int, exploration: float) -> float:
    """Return the factor on `scales` in a node with this many visits."""
    return exploration * sqrt(log(visits + 1))


def select_move(edges: Edges, weight: float) -> int:
    """Return the index of the move with the highest score; the first of equals."""
    scores = [value + weight * scale for value, scale in zip(edges.values, edges.scales, strict=True)]
    return scores.index(max(scores))


def select_unproven(edges: Edges, weight: float) -> int:
    """Return the index of the unproven move with the highest score; at least one move is unproven."""
    scores = [
        value + weight * scale if scale else -inf for value, scale in zip(edges.values, edges.scales, strict=True)
    ]
    return scores.index(max(scores))


def select_joint(expansion: Expansion, weight: float, rng: Random) -> int:
    """Return the key of the joint move in which each role takes its best move, and chance draws uniformly."""
    key = 0
    for slot, edges in enumerate(expansion.edges):
        if slot == expansion.chance or rng.random() < SHAKEN:
            index = int(rng.random() * len(expansion.legal[expansion.roles[slot]]))
        else:
            index = select_move(edges, 2 * weight * rng.random())
        key += index * expansion.strides[slot]
    return key
