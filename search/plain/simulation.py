"""Playouts: the value of a leaf is the mean of some random games from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Singles
from reasoner.errors import LimitError
from reasoner.machine import Playouts, State
from reasoner.rules.points import worth
from search.game import SearchedGame, Values

UNDECIDED = 0.5
"""Value of a cut-off playout where no role has a goal."""


class Sample(NamedTuple):
    """The result of some playouts from one state."""

    values: Values  # mean
    best: float  # 0..1, of the searching role
    made: int  # playouts; 0 if the machine gave the state up
    steps: int  # joint moves in all playouts together
    ended: bool  # whether at least one playout reached the end of its game


def simulate(game: SearchedGame, state: State, count: int, seed: int, max_steps: int) -> Sample:
    """Play `count` random games from `state`. If the machine reaches a limit, all values are 0."""
    try:
        return _sample(game, game.machine.playouts(state, count, seed, max_steps), max_steps)
    except LimitError:
        return Sample(game.nothing, 0.0, 0, 0, False)


def _sample(game: SearchedGame, playouts: Playouts, max_steps: int) -> Sample:
    goals = playouts.goals
    ended = bool(playouts.finished.any())
    if not game.single and not playouts.finished.all():
        goals = _undecided(playouts, max_steps, UNDECIDED * game.points)
    means: list[float] = goals.mean(axis=0, dtype=float).tolist()
    best = worth(float(goals[:, game.role].max()), game.points)
    return Sample(game.values(means), best, len(goals), int(playouts.lengths.sum()), ended)


def _undecided(playouts: Playouts, max_steps: int, goal: float) -> Singles:
    """Return the goals, with a neutral value for every role in cut-off games where no role has a goal.

    Games that ended because a role has no move are shorter than the limit and keep their goals.
    """
    cut = ~playouts.finished & (playouts.lengths >= max_steps) & ~playouts.goals.any(axis=1)
    return np.where(cut[:, None], np.float32(goal), playouts.goals)
