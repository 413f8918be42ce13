"""Moves made at once: decoupled UCT in the descent, a mixture of the visits for the move really played.

Each role chooses by its own statistics as if alone (Finnsson and Björnsson 2008, CadiaPlayer); to play, moves of
about equal value are mixed by their visits, because a player of a fixed move can be exploited (Tak, Lanctot and
Winands 2014, "Monte Carlo tree search variants for simultaneous move games", DUCT(max) and DUCT(mix)).
"""

from __future__ import annotations

from random import Random

from search.select import select_move
from search.tree import Edges, Fan

LEAST_SHARE = 0.25
"""A move with less than this share of the most visited one's visits was only tried, not chosen."""

SHAKEN = 0.05
"""How often a role moves at random in a descent. Roles that explore in step would only ever meet some of each other's
moves (in matching pennies: heads with heads, tails with tails) and take those for all there is."""


def select_joint(fan: Fan, weight: float, rng: Random) -> int:
    """The key of the joint move in which each role takes its own best, and chance draws uniformly."""
    key = 0
    for slot, edges in enumerate(fan.edges):
        if slot == fan.chance or rng.random() < SHAKEN:
            index = int(rng.random() * len(fan.legal[fan.roles[slot]]))
        else:
            index = select_move(edges, 2 * weight * rng.random())
        key += index * fan.strides[slot]
    return key


def mixture(edges: Edges, tolerance: float) -> list[float]:
    """[moves] the weights with which to draw the move to play; all 0 before the first visit.

    In an equilibrium all moves that are played have the same value, so only moves within `tolerance` of the most
    visited one are mixed.
    """
    most = max(edges.visits)
    leader = edges.visits.index(most)
    if tolerance == 0:
        return [float(most) if index == leader else 0.0 for index in range(len(edges.visits))]
    least_visits, least_value = most * LEAST_SHARE, edges.means[leader] - tolerance
    return [
        float(visits) if visits >= least_visits and mean >= least_value else 0.0
        for visits, mean in zip(edges.visits, edges.means, strict=True)
    ]
