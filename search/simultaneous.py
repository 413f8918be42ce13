"""Moves made at once: decoupled UCT in the descent, a mixture of the visits for the move really played.

Each role chooses by its own statistics as if alone (Finnsson and Björnsson 2008, CadiaPlayer); to play, moves of
about equal value are mixed by their visits, because a player of a fixed move can be exploited (Tak, Lanctot and
Winands 2014, "Monte Carlo tree search variants for simultaneous move games", DUCT(max) and DUCT(mix)).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from random import Random

from search.select import select_move
from search.tree import Edges, Fan

LEAST_SHARE = 0.25
"""A move with less than this share of the most visited one's visits was only tried, not chosen."""

SHAKEN = 0.05
"""How often a role moves at random in a descent. Roles that explore in step would only ever meet some of each other's
moves (in matching pennies: heads with heads, tails with tails) and take those for all there is."""

MOST_TOLD = 256
"""Joint moves that the value of a state is made of."""


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


def mixed_value(fan: Fan, tolerance: float, worth: Callable[[int], float | None]) -> float:
    """What a JOINT state is worth to one role, 0..1, when all draw from their mixtures, and chance uniformly.

    `worth` is what the joint move of a key has brought it, None where it was never made. Those count that were; where
    there are too many to look at, each mixture's most likely ones.
    """
    mixtures = [_likely(fan, slot, tolerance) for slot in range(len(fan.roles))]
    total = weight = 0.0
    for combination in product(*mixtures):
        found = worth(sum(index * stride for (index, _), stride in zip(combination, fan.strides, strict=True)))
        if found is not None:
            share = prod(share for _, share in combination)
            total, weight = total + share * found, weight + share
    return total / weight if weight else 0.0


def _likely(fan: Fan, slot: int, tolerance: float) -> list[tuple[int, float]]:
    """The moves that a role may make, and their weights; of very many those of the largest."""
    count = len(fan.legal[fan.roles[slot]])
    weights = [1.0] * count if slot == fan.chance else mixture(fan.edges[slot], tolerance)
    ordered = sorted((each for each in enumerate(weights) if each[1] > 0), key=lambda each: -each[1])
    return ordered[: max(int(MOST_TOLD ** (1 / len(fan.roles))), 1)]


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
