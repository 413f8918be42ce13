"""Moves made at once: decoupled UCT in the descent, a mixture for the move really played.

Each role chooses by its own statistics as if alone (Finnsson and Björnsson 2008, CadiaPlayer), which visits all joint
moves now and then. A player of a fixed move can be exploited: to play, an equilibrium of what the joint moves have
brought is drawn from (`search.root.equilibrium`), or, where there are more roles or their goals are not opposed, moves
of about equal value are mixed by their visits (Tak, Lanctot and Winands 2014, "Monte Carlo tree search variants for
simultaneous move games", DUCT(mix)).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import inf, prod
from random import Random

import numpy as np

from search.options import SearchOptions
from search.plain.selection import select_move
from search.plain.tree import NO_SLOT, Edges, Expansion
from search.root.equilibrium import Matrix, mixtures

LEAST_SHARE = 0.25
"""A move with less than this share of the most visited one's visits was only tried, not chosen."""

SHAKEN = 0.05
"""How often a role moves at random in a descent. Roles that explore in step would only ever meet some of each other's
moves (in matching pennies: heads with heads, tails with tails) and take those for all there is."""

MOST_TOLD = 256
"""Joint moves that the value of a state is made of."""
MOST_MIXED = 32
"""Moves of a role that are mixed."""
OPPOSED = 0.01
"""So far from 1 may what two roles were brought together be in the mean, one's gain still being the other's loss."""
GUESSES = 2.0
"""Visits that a guess counts as."""

Shares = list[list[float]]
"""By role with a choice and move, as in `Expansion.edges`: how likely it is played."""
Worth = Callable[[int], tuple[float, float]]
"""By the key of a joint move: what it has brought the searching role, 0..1, summed, and visits: inf where it is proven
(then the sum is the value itself), 0 where it was never made."""


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


def mixed_value(expansion: Expansion, shares: Shares, worth: Worth) -> float:
    """What a JOINT state is worth to the searching role, 0..1, when each role draws from its `shares`.

    Joint moves count that were made; where there are too many to look at, those of each role's most likely moves.
    """
    most = max(int(MOST_TOLD ** (1 / len(shares))), 1)
    likely = [sorted(enumerate(own), key=lambda each: -each[1])[:most] for own in shares]
    total = weight = 0.0
    for combination in product(*([each for each in own if each[1] > 0] for own in likely)):
        sum_, visits = worth(
            sum(index * stride for (index, _), stride in zip(combination, expansion.strides, strict=True))
        )
        if visits:
            share = prod(share for _, share in combination)
            total, weight = total + share * (sum_ if visits == inf else sum_ / visits), weight + share
    return total / weight if weight else 0.0


def shares(expansion: Expansion, searcher: int, options: SearchOptions, worth: Worth) -> Shares:
    """How likely each role with a choice plays each of its moves in a JOINT state; the first move before any visit.

    Where two roles choose and one's gain is the other's loss: the equilibrium of what their joint moves have brought.
    A move of nobody's best value is in it, too, if it is needed, which visits cannot tell.
    """
    if options.equilibrium and searcher in expansion.roles and _opposed(expansion):
        return _equilibrium(expansion, expansion.roles.index(searcher), options.mix_tolerance, worth)
    return [_by_visits(expansion, slot, options.mix_tolerance) for slot in range(len(expansion.roles))]


def _by_visits(expansion: Expansion, slot: int, tolerance: float) -> list[float]:
    count = len(expansion.legal[expansion.roles[slot]])
    if slot == expansion.chance:
        return [1 / count] * count
    weights = mixture(expansion.edges[slot], tolerance)
    if not any(weights):
        values = expansion.edges[slot].values
        weights[values.index(max(values))] = 1.0
    return [weight / sum(weights) for weight in weights]


def _opposed(expansion: Expansion) -> bool:
    """Whether two roles choose, chance does not, and what they were brought together is 1 in the mean."""
    if (
        len(expansion.roles) != 2
        or expansion.chance != NO_SLOT
        or not all(any(edges.visits) for edges in expansion.edges)
    ):
        return False
    return abs(sum(map(_mean, expansion.edges)) - 1) <= OPPOSED


def _mean(edges: Edges) -> float:
    return sum(visits * mean for visits, mean in zip(edges.visits, edges.means, strict=True)) / sum(edges.visits)


def _equilibrium(expansion: Expansion, own: int, tolerance: float, worth: Worth) -> Shares:
    """The shares of both roles, `own` being the searching role's slot; of very many moves the most visited ones.

    Visits stand where they can be exploited by no more than `tolerance`: smaller differences of means are noise.
    """
    kept = [_most_visited(edges) for edges in expansion.edges]
    rows, columns = expansion.edges[own], expansion.edges[1 - own]
    middle, matrix = _mean(rows), np.zeros((len(kept[own]), len(kept[1 - own])))
    for i, row in enumerate(kept[own]):
        for j, column in enumerate(kept[1 - own]):
            total, visits = worth(row * expansion.strides[own] + column * expansion.strides[1 - own])
            # before a joint move was made, what each half of it has brought says most
            guess = _seen(rows, row, middle) - _seen(columns, column, 1 - middle) + 1 - middle
            matrix[i, j] = (total + GUESSES * guess) / (visits + GUESSES) if visits < inf else total
    found = [_by_visits(expansion, slot, tolerance) for slot in range(2)]
    for slot, sure, mixed in zip((own, 1 - own), (matrix, 1 - matrix.T), mixtures(matrix), strict=True):
        usual = np.array([found[slot][index] for index in kept[slot]])
        if _sure(sure, np.array(mixed)) > _sure(sure, usual) + tolerance:
            found[slot] = [0.0] * len(found[slot])
            for index, share in zip(kept[slot], mixed, strict=True):
                found[slot][index] = share
    return found


def _sure(matrix: Matrix, mixed: Matrix) -> float:
    """What a mixture of the rows brings whatever the other does."""
    return float((mixed @ matrix).min())


def _most_visited(edges: Edges) -> list[int]:
    return sorted(range(len(edges.visits)), key=lambda index: -edges.visits[index])[:MOST_MIXED]


def _seen(edges: Edges, index: int, otherwise: float) -> float:
    return edges.means[index] if edges.visits[index] else otherwise


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
