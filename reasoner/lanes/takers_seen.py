"""Whether who captures wins: random games between a role that prefers captures and roles that do not.

In games of pieces nearly all are won so; where a piece lost is no loss, or an aim of the game, half of them or none.
It is tried out before there is code.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Longs, Words
from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.rows import LANES, WORDS
from reasoner.lanes.trial_games import TrialGames

SWEEPS = 200
"""Steps of the games looked at ..."""
MOST_GATES = 30_000_000
"""... and gates evaluated for them."""

LEAST = 128
"""Games that must have ended."""

CLEARLY = 0.95
"""Of these the part, draws being half, that who captures must win: only where it decides does it pay for itself.

Measured: 0.98 to 1 in breakthrough, knightThrough, skirmish, speedChess and checkers, which gain by it; 0.94 in
checkersSmall, which is not seen to; 0 to 0.53 where who captures gains nothing.
"""


def taking_helps(graph: LaneGraph, of_role: Sequence[tuple[int, int]]) -> bool:
    """Whether a role that prefers what PREFER prefers wins nearly all of its random games."""
    won, ended = games_won(graph, of_role)
    return ended >= LEAST and won > CLEARLY * ended


def games_won(graph: LaneGraph, of_role: Sequence[tuple[int, int]], seed: int = 0) -> tuple[float, int]:
    """How many random games the one role has won that moves by preference, a draw being half; how many have ended.

    Each role is the one in as many of the 512 games. of_role: of each role the first move and the end.
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
    """Of the games that have ended those that the takers have won, and how many these are."""
    scores, lane = games.scores(), np.arange(LANES)
    own = scores[takers, lane]
    scores[takers, lane] = -1
    best = scores.max(axis=0)
    over = np.unpackbits((~going).view(np.uint8), bitorder="little").astype(np.bool_)
    return float(((own > best) + 0.5 * (own == best))[over].sum()), int(over.sum())
