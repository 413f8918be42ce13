"""Which move to play, from the statistics of the root: robust child, with what is proven put first or last.

Chaslot, Winands and van den Herik 2008, "Progressive strategies for Monte-Carlo tree search": the most visited
move is steadier than the one of highest value.
"""

from __future__ import annotations

from random import Random

from search.options import SearchOptions
from search.plain.proof import preference, winning_move
from search.plain.simultaneous import Shares, Worth, shares
from search.plain.tree import JOINT, Edges, Expansion, Proof


def choose(expansion: Expansion, role: int, options: SearchOptions, rng: Random, worth: Worth) -> int:
    """The index, into the legal moves of `role`, of the move to play; `worth` is asked of JOINT states."""
    if role not in expansion.roles:
        return 0
    slot = expansion.roles.index(role)
    if expansion.kind != JOINT:
        return robust(expansion.edges[slot], dict(expansion.settled), role, searcher=role)
    mixed = likely(expansion, role, options, worth)[slot]
    return rng.choices(range(len(mixed)), mixed)[0]


def likely(expansion: Expansion, role: int, options: SearchOptions, worth: Worth) -> Shares:
    """How likely each role plays each of its moves in a JOINT state; one proven to take all is played."""
    mixed = shares(expansion, role, options, worth)
    for slot, own in enumerate(expansion.roles):
        won = winning_move(expansion, own)
        if won is not None:
            mixed[slot] = [float(index == won) for index in range(len(mixed[slot]))]
    return mixed


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
