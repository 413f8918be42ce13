"""Which move a descent takes where one role chooses: UCB1 with first-play urgency.

Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning". A move's score is
value + exploration * sqrt(ln visits of the node) * visits of the move ** -0.5, the last factor kept as `scales`:
two lists and one comprehension are what makes selection cheap in Python.

A proven move needs no further descent. Where it is the best, the descent takes the best of the others, so that it
learns something, and the states above are told the proven value (`backup`), which is what the mover would get.
"""

from __future__ import annotations

from math import inf, log, sqrt

from search.plain.tree import Edges


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
