"""How often a random move lets the next player win, and whether meeting threats makes that rarer.

`reasoner.circuit.decisive` recognises moves that meet a threat by what they change. In some games these moves stop the
threat; in others most moves change a part of it and few stop it. So the effect is measured in 512 random games on the
gates, before code is emitted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.rows import WORDS
from reasoner.lanes.trial_games import TrialGames, count

SWEEPS = 200
"""Most steps played ..."""
MOST_GATES = 30_000_000
"""... and most gates evaluated."""
SHORT = 20
"""Steps over which roles with a choice are counted."""
LEAST = 20
"""Fewest wins given by uniform moves; below this, meeting threats does not help random play."""

RARER = 0.75
"""Most wins given by preferred moves, as a share of those given by uniform moves, if meeting threats helps.

Measured: 0.19 to 0.61 in games of stones in a row and of breaking through, 0.87 to 1.05 in all others."""


def meeting_helps(graph: LaneGraph) -> bool:
    """Whether preferred moves give away wins clearly less often than uniform moves."""
    preferred, uniform, _ = gifts_seen(graph)
    return uniform >= LEAST and preferred < RARER * uniform


def gifts_seen(graph: LaneGraph, seed: int = 0) -> tuple[int, int, int]:
    """Count states without a winning move where a preferred move gave a win, where a uniform one did, and all."""
    games, free = TrialGames(graph, seed), np.zeros(WORDS, np.uint64)
    going = ~free  # games that are not over
    asked, given = 0, [0, 0]
    for _ in range(min(SWEEPS, MOST_GATES // max(3 * len(graph.left), 1))):
        games.look()
        given[0] += count(games.won() & free)
        going &= games.running()
        if not going.any():
            break
        free = going & ~games.won()
        asked += count(free)
        uniform, preferred = games.after(graph.chosen), games.after(graph.preferred)
        games.put(uniform)
        games.look()
        given[1] += count(games.won() & free)
        games.put(preferred)
    return given[0], given[1], asked


def chosen_at_once(graph: LaneGraph, of_role: Sequence[tuple[int, int]], seed: int = 0) -> float:
    """The share of states in random games where several roles have a choice.  # of_role: first move and end."""
    games, asked, found = TrialGames(graph, seed), 0, 0
    going = ~np.zeros(WORDS, np.uint64)
    for _ in range(SHORT):
        games.look()
        going &= games.running()
        asked += count(going)
        found += count(games.at_once(of_role) & going)
        games.put(games.after(graph.chosen))
    return found / max(asked, 1)
