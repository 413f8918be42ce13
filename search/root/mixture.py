"""Mixed strategies where several roles choose at once, and the value of the state under them.

A player of a fixed move can be exploited. So moves of about equal value are mixed by their visits (Tak, Lanctot and
Winands 2014, "Monte Carlo tree search variants for simultaneous move games", DUCT(mix)). With the option `equilibrium`
and two opposed roles, an equilibrium of the joint moves' means is used instead (`search.root.equilibrium`).
"""

from __future__ import annotations

from itertools import product
from math import inf, prod

import numpy as np

from search.options import SearchOptions
from search.root.equilibrium import Matrix, mixtures
from search.root.statistics import NO_SLOT, JointMoves, MoveStatistics, Statistics, Worth

LEAST_SHARE = 0.25
"""A move below this share of the most visited move's visits was only explored."""

MOST_TOLD = 256
"""Most joint moves that the value of a state is computed from."""
MOST_MIXED = 32
"""Most moves of a role that are mixed."""
OPPOSED = 0.01
"""Two roles are opposed if the sum of their mean values differs from 1 by no more than this."""
GUESSES = 2.0
"""Visits that a prior estimate counts as."""

Shares = list[list[float]]
"""By slot and move: the probability that it is played."""


def likely(found: Statistics, searcher: int, options: SearchOptions) -> Shares:
    """Return the shares of each role's moves in a JOINT state; a move proven to take all gets share 1."""
    mixed = _shares(found, searcher, options)
    for slot, won in enumerate(found.sure):
        if won is not None:
            mixed[slot] = [float(index == won) for index in range(len(mixed[slot]))]
    return mixed


def mixed_value(moves: JointMoves, shares: Shares, worth: Worth) -> float:
    """Return the value, 0..1, of a JOINT state for the searching role if each role draws from its `shares`.

    Only visited joint moves count; if there are too many, those of each role's most likely moves.
    """
    most = max(int(MOST_TOLD ** (1 / len(shares))), 1)
    kept = [sorted(enumerate(own), key=lambda each: -each[1])[:most] for own in shares]
    total = weight = 0.0
    for combination in product(*([each for each in own if each[1] > 0] for own in kept)):
        key = sum(index * stride for (index, _), stride in zip(combination, moves.strides, strict=True))
        sum_, visits = worth(key)
        if visits:
            share = prod(share for _, share in combination)
            total, weight = total + share * (sum_ if visits == inf else sum_ / visits), weight + share
    return total / weight if weight else 0.0


def _shares(found: Statistics, searcher: int, options: SearchOptions) -> Shares:
    moves = found.moves
    assert moves is not None
    if options.equilibrium and searcher in moves.roles and _opposed(found):
        return _equilibrium(found, moves.roles.index(searcher), options.mix_tolerance)
    return [_by_visits(found, slot, options.mix_tolerance) for slot in range(len(moves.roles))]


def _by_visits(found: Statistics, slot: int, tolerance: float) -> list[float]:
    moves = found.moves
    assert moves is not None
    count = len(moves.legal[moves.roles[slot]])
    if slot == moves.chance:
        return [1 / count] * count
    weights = mixture(found.by_slot[slot], tolerance)
    if not any(weights):
        weights[0] = 1.0
    return [weight / sum(weights) for weight in weights]


def mixture(own: MoveStatistics, tolerance: float) -> list[float]:
    """Return the weights, [moves], for drawing the move to play; all 0 before the first visit.

    In an equilibrium all played moves have the same value, so only moves within `tolerance` of the most visited one are
    mixed.
    """
    most = max(own.visits)
    leader = own.visits.index(most)
    if tolerance == 0:
        return [float(most) if index == leader else 0.0 for index in range(len(own.visits))]
    least_visits, least_value = most * LEAST_SHARE, own.means[leader] - tolerance
    return [
        float(visits) if visits >= least_visits and mean >= least_value else 0.0
        for visits, mean in zip(own.visits, own.means, strict=True)
    ]


def _opposed(found: Statistics) -> bool:
    """Whether exactly two roles choose, without chance, and the sum of their mean values is about 1."""
    moves, by_slot = found.moves, found.by_slot
    if moves is None or len(by_slot) != 2 or moves.chance != NO_SLOT or not all(any(own.visits) for own in by_slot):
        return False
    return abs(sum(map(_mean, by_slot)) - 1) <= OPPOSED


def _mean(own: MoveStatistics) -> float:
    return sum(visits * mean for visits, mean in zip(own.visits, own.means, strict=True)) / sum(own.visits)


def _equilibrium(found: Statistics, own: int, tolerance: float) -> Shares:
    """Return the shares of both roles; `own` is the searching role's slot. Only the most visited moves are mixed.

    Shares by visits stay unless they can be exploited by more than `tolerance`: smaller differences of means are noise.
    """
    kept = [_most_visited(each) for each in found.by_slot]
    matrix = _payoffs(found, own, kept)
    shares = [_by_visits(found, slot, tolerance) for slot in range(2)]
    for slot, sure, mixed in zip((own, 1 - own), (matrix, 1 - matrix.T), mixtures(matrix), strict=True):
        usual = np.array([shares[slot][index] for index in kept[slot]])
        if _sure(sure, np.array(mixed)) > _sure(sure, usual) + tolerance:
            shares[slot] = [0.0] * len(shares[slot])
            for index, share in zip(kept[slot], mixed, strict=True):
                shares[slot][index] = share
    return shares


def _payoffs(found: Statistics, own: int, kept: list[list[int]]) -> Matrix:
    """Return the mean value of each pair of moves for slot `own`, smoothed by an estimate from both moves."""
    assert found.moves is not None
    rows, columns, strides = found.by_slot[own], found.by_slot[1 - own], found.moves.strides
    middle, matrix = _mean(rows), np.zeros((len(kept[own]), len(kept[1 - own])))
    for i, row in enumerate(kept[own]):
        for j, column in enumerate(kept[1 - own]):
            total, visits = found.worth(row * strides[own] + column * strides[1 - own])
            guess = _seen(rows, row, middle) - _seen(columns, column, 1 - middle) + 1 - middle
            matrix[i, j] = (total + GUESSES * guess) / (visits + GUESSES) if visits < inf else total
    return matrix


def _sure(matrix: Matrix, mixed: Matrix) -> float:
    """Return the value that a mixture of the rows guarantees."""
    return float((mixed @ matrix).min())


def _most_visited(own: MoveStatistics) -> list[int]:
    return sorted(range(len(own.visits)), key=lambda index: -own.visits[index])[:MOST_MIXED]


def _seen(own: MoveStatistics, index: int, otherwise: float) -> float:
    return own.means[index] if own.visits[index] else otherwise
