"""Which move to play, from the statistics of the root: robust child, with what is proven put first or last.

Chaslot, Winands and van den Herik 2008, "Progressive strategies for Monte-Carlo tree search": the most visited
move is steadier than the one of highest value.
"""

from __future__ import annotations

from random import Random

from search.options import SearchOptions
from search.proof import preference, winning_move
from search.simultaneous import mixture
from search.tree import JOINT, Edges, Fan, Proof


def choose(fan: Fan, role: int, options: SearchOptions, rng: Random) -> int:
    """The index, into the legal moves of `role`, of the move to play."""
    if role not in fan.roles:
        return 0
    edges = fan.edges[fan.roles.index(role)]
    if fan.kind == JOINT:
        won = winning_move(fan, role)
        return won if won is not None else _drawn(edges, options.mix_tolerance, rng)
    return robust(edges, dict(fan.settled), role, searcher=role)


def robust(edges: Edges, settled: dict[int, Proof], role: int, searcher: int) -> int:
    """The move of the only role that chooses: the most visited, unless something proven is at least as good."""
    unproven = [index for index in range(len(edges.visits)) if index not in settled]
    proven = _best_proven(edges, settled, role, searcher) if settled else None
    if not unproven:
        return proven or 0
    leader = max(unproven, key=lambda index: (edges.visits[index], edges.values[index]))
    if proven is None or settled[proven].values[role] <= 0:
        return leader
    untried = edges.visits[leader] == 0
    return proven if untried or settled[proven].values[role] >= edges.means[leader] else leader


def _best_proven(edges: Edges, settled: dict[int, Proof], role: int, searcher: int) -> int:
    """Of the moves of best proven value: the quickest win, the longest resistance, else what looked best before."""

    def order(index: int) -> tuple[float, float, int, int]:
        own, spite, distance = preference(settled[index], role, searcher)
        return own, spite, distance if own in (0, 1) else 0, edges.visits[index]

    return max(settled, key=order)


def greedy(edges: Edges) -> int:
    """The move behind which the best single result was seen: one player alone can hope to repeat it."""
    return max(range(len(edges.bests)), key=lambda index: (edges.bests[index], edges.visits[index]))


def _drawn(edges: Edges, tolerance: float, rng: Random) -> int:
    weights = mixture(edges, tolerance)
    if not any(weights):
        return edges.values.index(max(edges.values))
    return rng.choices(range(len(weights)), weights)[0]
