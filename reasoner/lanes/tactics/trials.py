"""Trials of preferences in 512 random games on the gates, before code is emitted.

Defences (`defences_pay`): `reasoner.circuit.decisive` recognizes moves that meet a threat by the facts that they
change. In some games these moves stop the threat. In other games most moves change a part of the threat and few stop
it.

Captures (`captures_pay`): in games with pieces a role that prefers captures wins nearly all games against roles that do
not. If losing a piece does no harm, or is an aim of the game, the role wins half of the games or none.

Wins (`wins_pay`): if random games miss many wins, as in Connect Four, their results say little about the positions from
which they start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from reasoner.arrays import Words
from reasoner.lanes.lane_graph import PREFER, LaneGraph
from reasoner.lanes.rows import LANES, WORDS
from reasoner.lanes.tactics.trial_games import TrialGames, count

MAX_STEPS = 200
MAX_GATES = 30_000_000
"""Maximum gates to evaluate in a trial, for 512 games each."""

CHOICE_STEPS = 20
"""Number of steps in which roles with a choice are counted."""

MIN_BLUNDERS = 20
"""Minimum blunders of uniform moves (moves that let another role win); with fewer, defences do not help random play."""

MAX_BLUNDER_RATIO = 0.75
"""Maximum blunders of preferred moves, as a share of those of uniform moves, for which defences help.

Measured: 0.19 to 0.61 in games of stones in a row and of breaking through, 0.87 to 1.05 in all others."""

MIN_ENDED_GAMES = 128
"""Minimum number of ended games for a decision about captures."""

MIN_CAPTURE_SCORE = 0.95
"""The capturing role must win more than this share of the ended games, draws counting half, for captures to pay.

Measured: 0.98 to 1 in breakthrough, knightThrough, skirmish, speedChess and checkers, where preferring captures helps;
0.94 in checkersSmall, and 0 to 0.53 in other games, where it does not help."""

MIN_MISSED_WINS = 1 / 3
"""Minimum ratio of `missed_wins` to the relative cost of PREFER for which the preference of wins pays.

The cost is the number of gates of PREFER divided by that of a uniform step. Measured: with 1.7 and more missed wins and
a cost of four to six, the preference wins matches; in checkers, with 0.6 and a cost of 3.5, it loses them."""


def defences_pay(graph: LaneGraph) -> bool:
    """Whether preferred moves are clearly less often blunders than uniformly random moves."""
    preferred, uniform, _ = blunder_rate(graph)
    return uniform >= MIN_BLUNDERS and preferred < MAX_BLUNDER_RATIO * uniform


def captures_pay(graph: LaneGraph, of_role: Sequence[tuple[int, int]]) -> bool:
    """Whether a role that plays the moves of PREFER wins nearly all ended games against roles that play uniformly."""
    won, ended = capture_payoff(graph, of_role)
    return ended >= MIN_ENDED_GAMES and won > MIN_CAPTURE_SCORE * ended


def wins_pay(graph: LaneGraph) -> bool:
    """Whether uniform play misses enough wins to justify the cost of PREFER."""
    cost = len(graph.sections[PREFER]) / max(graph.step_gates, 1)
    return cost > 0 and missed_wins(graph) >= MIN_MISSED_WINS * cost


def blunder_rate(graph: LaneGraph, seed: int = 0) -> tuple[int, int, int]:
    """Count the blunders of preferred and of uniform moves, and the states without a winning move.

    A blunder is a move from a state without a winning move to a state in which some role has one.
    """
    games, free = TrialGames(graph, seed), np.zeros(WORDS, np.uint64)
    asked, given = 0, [0, 0]
    for going in _steps(games, 3):
        given[0] += count(games.won() & free)
        free = going & ~games.won()
        asked += count(free)
        uniform, preferred = (games.after(games.moves(moves)) for moves in (graph.chosen, graph.preferred))
        games.put(uniform)
        games.look()
        given[1] += count(games.won() & free)
        games.put(preferred)
    return given[0], given[1], asked


def capture_payoff(graph: LaneGraph, of_role: Sequence[tuple[int, int]], seed: int = 0) -> tuple[float, int]:
    """Return how many games the role that plays preferred moves won (a draw is 0.5), and how many games ended.

    Each role plays preferred moves in an equal share of the 512 games, and the others play uniformly there.
    of_role: for each role its first move and the end of its moves.
    """
    games = TrialGames(graph, seed)
    takers = np.arange(LANES) % len(of_role)
    lanes = [np.packbits(takers == role, bitorder="little").view(np.uint64) for role in range(len(of_role))]
    for going in _steps(games, 1):
        state, made, preferred = games.state(), games.moves(graph.chosen), games.moves(graph.preferred)
        for (start, end), taking in zip(of_role, lanes, strict=True):
            made[start:end] = (made[start:end] & ~taking) | (preferred[start:end] & taking)
        games.put((games.after(made) & going) | (state & ~going))
    scores, lane = games.scores(), np.arange(LANES)
    own = scores[takers, lane]
    scores[takers, lane] = -1
    best, ended = scores.max(axis=0), np.unpackbits(games.over.view(np.uint8), bitorder="little").astype(np.bool_)
    return float(((own > best) + 0.5 * (own == best))[ended].sum()), int(ended.sum())


def missed_wins(graph: LaneGraph, max_steps: int = MAX_STEPS, seed: int = 0) -> float:
    """Return the mean number of states per game of uniform play in which a role can win at once."""
    games, seen = TrialGames(graph, seed), 0
    for going in _steps(games, 1, max_steps):
        seen += count(games.won() & going)
        games.put(games.after(games.moves(graph.chosen)))
    return seen / LANES


def simultaneous_share(graph: LaneGraph, of_role: Sequence[tuple[int, int]], seed: int = 0) -> float:
    """The share of states in random games in which several roles have a choice.  # of_role: as in `capture_payoff`."""
    games, asked, found = TrialGames(graph, seed), 0, 0
    for going in _steps(games, 1, CHOICE_STEPS):
        asked += count(going)
        found += count(games.at_once(of_role) & going)
        games.put(games.after(games.moves(graph.chosen)))
    return found / max(asked, 1)


def _steps(games: TrialGames, evaluations: int, max_steps: int = MAX_STEPS) -> Iterator[Words]:
    """Evaluate the states step by step, and yield the games that have not ended, until all have ended.

    The caller sets the next states. evaluations: how often a step evaluates the gates.
    """
    for _ in range(min(max_steps, MAX_GATES // max(evaluations * len(games.graph.left), 1))):
        games.look()
        games.over |= ~games.running()
        if (~games.over).any():
            yield ~games.over
        else:
            return
