"""Whether capturing wins: random games between a role that prefers captures and roles that do not.

In games of pieces the capturing role wins nearly all of them; where losing a piece does no harm, or is an aim of the
game, it wins half or none. The effect is measured before code is emitted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Longs, Words
from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.rows import LANES, WORDS
from reasoner.lanes.trial_games import TrialGames

SWEEPS = 200
"""Most steps played ..."""
MOST_GATES = 30_000_000
"""... and most gates evaluated."""

LEAST = 128
"""Fewest games that must have ended."""

CLEARLY = 0.95
"""Smallest share of these, draws counting half, that the capturing role must win for preferring captures to pay.

Measured: 0.98 to 1 in breakthrough, knightThrough, skirmish, speedChess and checkers, which gain by it; 0.94 in
checkersSmall, where no gain is seen; 0 to 0.53 in games that gain nothing by it."""


def taking_helps(graph: LaneGraph, of_role: Sequence[tuple[int, int]]) -> bool:
    """Whether a role that plays the moves of PREFER wins nearly all of its random games."""
    won, ended = games_won(graph, of_role)
    return ended >= LEAST and won > CLEARLY * ended


def games_won(graph: LaneGraph, of_role: Sequence[tuple[int, int]], seed: int = 0) -> tuple[float, int]:
    """The share of random games won by the one role that plays preferred moves, draws counting half; and games ended.

    Each role plays so in an equal share of the 512 games. of_role: of each role the first move and the end.
    """
    games, going = TrialGames(graph, seed), ~np.zeros(WORDS, np.uint64)
    takers = np.arange(LANES) % len(of_role)
    lanes = [np.packbits(takers == role, bitorder="little").view(np.uint64) for role in range(len(of_role))]
    for _ in range(min(SWEEPS, MOST_GATES // max(len(graph.left), 1))):
        games.look()
        going &= games.running()
        if not going.any():
            break
        state, made, preferred = games.state(), games.moves(graph.chosen), games.moves(graph.preferred)
        for (start, end), taking in zip(of_role, lanes, strict=True):
            made[start:end] = (made[start:end] & ~taking) | (preferred[start:end] & taking)
        games.put((games.after_moves(made) & going) | (state & ~going))
    return _won(games, takers, going)


def _won(games: TrialGames, takers: Longs, going: Words) -> tuple[float, int]:
    """The ended games that the capturing roles have won, and the number of ended games."""
    scores, lane = games.scores(), np.arange(LANES)
    own = scores[takers, lane]
    scores[takers, lane] = -1
    best = scores.max(axis=0)
    over = np.unpackbits((~going).view(np.uint8), bitorder="little").astype(np.bool_)
    return float(((own > best) + 0.5 * (own == best))[over].sum()), int(over.sum())
