"""Which move to play, from the statistics of the root: robust child, with what is proven put first or last.

Chaslot, Winands and van den Herik 2008, "Progressive strategies for Monte-Carlo tree search": the most visited
move is steadier than the one of highest value.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from reasoner.language.terms import Term
from search.options import SearchOptions
from search.root.mixture import likely
from search.root.statistics import JOINT, MoveStatistics, Proof, Statistics


class BestLine(NamedTuple):
    """The best line known to one player alone: the move it begins with, and where it leads to."""

    move: Term
    value: float  # 0..1


def best(
    found: Statistics, role: int, own: tuple[Term, ...], line: BestLine | None, options: SearchOptions, seed: int
) -> Term:
    """The move of `role`, of its legal moves `own`, one at least. Mixtures are drawn from by `seed`."""
    if len(own) == 1:
        return own[0]
    if line is not None and (found.moves is None or line.value >= max(found.by_slot[0].bests)):
        return line.move
    if found.moves is None:
        return own[0]
    if len(found.moves.legal) == 1:
        return own[greedy(found.by_slot[0])]
    return own[choose(found, role, options, Random(seed))]


def choose(found: Statistics, role: int, options: SearchOptions, rng: Random) -> int:
    """The index, into the legal moves of `role`, of the move to play in a state that descents went through."""
    moves = found.moves
    if moves is None or role not in moves.roles:
        return 0
    slot = moves.roles.index(role)
    if moves.kind != JOINT:
        return robust(found.by_slot[slot], found.settled or {}, role, searcher=role)
    mixed = likely(found, role, options)[slot]
    return rng.choices(range(len(mixed)), mixed)[0]


def robust(own: MoveStatistics, settled: Mapping[int, Proof], role: int, searcher: int) -> int:
    """The move of the only role that chooses: the most visited, unless something proven is at least as good."""
    unproven = [index for index in range(len(own.visits)) if index not in settled]
    proven = _best_proven(own, settled, role, searcher) if settled else None
    if not unproven:
        return proven or 0
    leader = max(unproven, key=lambda index: (own.visits[index], own.means[index]))
    if proven is None or settled[proven].values[role] <= 0:
        return leader
    untried = own.visits[leader] == 0
    return proven if untried or settled[proven].values[role] >= own.means[leader] else leader


def preference(proof: Proof, role: int, searcher: int) -> tuple[float, float, int]:
    """The order in which `role` likes proofs: its own value, then spite, then a quick end or a long resistance."""
    own = proof.values[role]
    spite = 0.0 if role == searcher else -proof.values[searcher]
    return own, spite, -proof.distance if own > 0 else proof.distance


def _best_proven(own: MoveStatistics, settled: Mapping[int, Proof], role: int, searcher: int) -> int:
    """Of the moves of best proven value: the quickest win, the longest resistance, else what looked best before."""

    def order(index: int) -> tuple[float, float, int, int]:
        value, spite, distance = preference(settled[index], role, searcher)
        return value, spite, distance if value in (0, 1) else 0, own.visits[index]

    return max(settled, key=order)


def greedy(own: MoveStatistics) -> int:
    """The move behind which the best single result was seen: one player alone can hope to repeat it."""
    return max(range(len(own.bests)), key=lambda index: (own.bests[index], own.visits[index]))
