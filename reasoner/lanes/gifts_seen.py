"""How often a random move gives the next a win, and whether meeting threats makes that rarer.

Which moves meet a threat is told by what they change (`reasoner.circuit.decisive`). In some games those are the moves
that stop it; in others most moves change something of it, and few stop it. So it is tried out, 512 games at a time, on
the gates themselves, before there is code.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.rows import WORDS
from reasoner.lanes.trial_games import TrialGames, count

SWEEPS = 200
"""Steps of the games looked at ..."""
MOST_GATES = 30_000_000
"""... and gates evaluated for them."""
SHORT = 20
"""Steps in which it is counted how many roles choose."""
LEAST = 20
"""Wins given by any moves; where fewer are seen, meeting threats is of no use to random play."""

RARER = 0.75
"""Of the wins given by any moves, the part that preferred moves may give where meeting threats is of use.

Measured: 0.19 to 0.61 in games of stones in a row and of breaking through, 0.87 to 1.05 in all others.
"""


def meeting_helps(graph: LaneGraph) -> bool:
    """Whether preferred moves give wins clearly less often than any."""
    preferred, uniform, _ = gifts_seen(graph)
    return uniform >= LEAST and preferred < RARER * uniform


def gifts_seen(graph: LaneGraph, seed: int = 0) -> tuple[int, int, int]:
    """In how many states without a winning move a preferred move gave one, in how many any did; how many there were."""
    games, free = TrialGames(graph, seed), np.zeros(WORDS, np.uint64)
    going = ~free  # games that have not come to an end
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
    """In what share of the states of random games more than one role has a choice.  # of_role: first move and end."""
    games, asked, found = TrialGames(graph, seed), 0, 0
    going = ~np.zeros(WORDS, np.uint64)
    for _ in range(SHORT):
        games.look()
        going &= games.running()
        asked += count(going)
        found += count(games.at_once(of_role) & going)
        games.put(games.after(graph.chosen))
    return found / max(asked, 1)
