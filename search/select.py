"""Which move a descent takes where one role chooses: UCB1 with first-play urgency.

Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning". A move's score is
value + exploration * sqrt(ln visits of the node) * visits of the move ** -0.5, the last factor kept as `scales`:
two lists and one comprehension are what makes selection cheap in Python.
"""

from __future__ import annotations

from math import log, sqrt

from search.tree import Edges


def exploration_weight(visits: int, exploration: float) -> float:
    """What `scales` are multiplied with in a node of so many visits."""
    return exploration * sqrt(log(visits + 1))


def select_move(edges: Edges, weight: float) -> int:
    """The index of the move with the highest score; the first of equals."""
    scores = [value + weight * scale for value, scale in zip(edges.values, edges.scales, strict=True)]
    return scores.index(max(scores))
