"""Choice of the move to play: the most visited move (robust child), except where proofs decide.

The most visited move is more stable than the move of highest value (Chaslot, Winands and van den Herik 2008,
"Progressive strategies for Monte-Carlo tree search"). Where several roles choose at once, opponents can exploit a
player who always plays the same move. So moves of about equal value are drawn at random in proportion to their visits
(Tak, Lanctot and Winands 2014, "Monte Carlo tree search variants for simultaneous move games", DUCT(mix)).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import numpy as np

from reasoner.language.terms import Term
from search.options import SearchOptions
from search.root.statistics import JOINT, MoveStatistics, Proof, Statistics

MIN_VISIT_SHARE = 0.25
"""Moves with less than this share of the most visited move's visits are not mixed."""


class BestLine(NamedTuple):
    """The best known line of a one-player game: its first move, and the value at its end."""

    move: Term
    value: float  # 0..1


def best(
    found: Statistics, role: int, own: tuple[Term, ...], line: BestLine | None, options: SearchOptions, seed: int
) -> Term:
    """Return the move for `role` to play, one of its legal moves `own`; `seed` is for drawing from a mixture."""
    if len(own) == 1:
        return own[0]
    if line is not None and (found.moves is None or np.float32(line.value) >= np.float32(max(found.by_slot[0].bests))):
        return line.move  # the tree has its values in single precision
    if found.moves is None:
        return own[0]
    if len(found.moves.legal) == 1:
        return own[greedy(found.by_slot[0])]
    return own[choose(found, role, options, Random(seed))]


def choose(found: Statistics, role: int, options: SearchOptions, rng: Random) -> int:
    """Return the index of the move to play among the legal moves of `role`, in a state with at least one visit."""
    moves = found.moves
    if moves is None or role not in moves.roles:
        return 0
    slot = moves.roles.index(role)
    if moves.kind != JOINT:
        return robust(found.by_slot[slot], found.proofs or {}, role, role, found.proof)
    won = found.winning[slot] if found.winning else None
    if won is not None:
        return won
    weights = mixture(found.by_slot[slot], options.mix_tolerance)
    return rng.choices(range(len(weights)), weights)[0] if any(weights) else 0


def mixture(own: MoveStatistics, tolerance: float) -> list[float]:
    """Return the weights, [moves], for drawing the move to play; all 0 before the first visit.

    In an equilibrium all played moves have the same value. So only moves within `tolerance` of the most visited move's
    value are mixed.
    """
    most = max(own.visits)
    leader = own.visits.index(most)
    if tolerance == 0:
        return [float(most) if index == leader else 0.0 for index in range(len(own.visits))]
    least_visits, least_value = most * MIN_VISIT_SHARE, own.means[leader] - tolerance
    return [
        float(visits) if visits >= least_visits and mean >= least_value else 0.0
        for visits, mean in zip(own.visits, own.means, strict=True)
    ]


def robust(
    own: MoveStatistics, proofs: Mapping[int, Proof], role: int, searcher: int, proof: Proof | None = None
) -> int:
    """Return the move of the only role with a choice: the most visited, unless a proven move is at least as good.

    proof: the proof of the state, if any; then a move with the same proven value is a best move.
    """
    unproven = [index for index in range(len(own.visits)) if index not in proofs]
    proven = _best_proven(own, proofs, role, searcher) if proofs else None
    if not unproven:
        return proven or 0
    if proven is not None and proof is not None and proofs[proven].values[role] >= proof.values[role] > 0:
        return proven
    leader = max(unproven, key=lambda index: (own.visits[index], own.means[index]))
    if proven is None or proofs[proven].values[role] <= 0:
        return leader
    untried = own.visits[leader] == 0
    return proven if untried or proofs[proven].values[role] >= own.means[leader] else leader


def preference(proof: Proof, role: int, searcher: int) -> tuple[float, float, int]:
    """Return the sort key of a proof for `role`: own value, loss of `searcher`, then a quick win or a late loss."""
    own = proof.values[role]
    spite = 0.0 if role == searcher else -proof.values[searcher]
    return own, spite, -proof.distance if own > 0 else proof.distance


def _best_proven(own: MoveStatistics, proofs: Mapping[int, Proof], role: int, searcher: int) -> int:
    """Return the move of best proven value; of equal moves the quickest win or latest loss, then the most visited."""

    def order(index: int) -> tuple[float, float, int, int]:
        value, spite, distance = preference(proofs[index], role, searcher)
        return value, spite, distance if value in (0, 1) else 0, own.visits[index]

    return max(proofs, key=order)


def greedy(own: MoveStatistics) -> int:
    """Return the move with the best single result, which a one-player game can repeat."""
    return max(range(len(own.bests)), key=lambda index: (own.bests[index], own.visits[index]))
