"""What a leaf is worth: the mean of some games played from it at random."""

from __future__ import annotations

from typing import NamedTuple

from reasoner.errors import LimitError
from reasoner.machine import Playouts, State
from search.game import Game, Values

# What a playout that was cut short says where no goal can be read off its last state: nothing for or against.
UNDECIDED_GOAL = 50.0


class Sample(NamedTuple):
    """The outcome of some playouts from one state."""

    values: Values  # mean
    best: float  # 0..1, of the searching role
    made: int  # playouts; 0 where the machine gave the state up
    steps: int  # joint moves made in all of them together
    ended: bool  # whether at least one was played to its end


def simulate(game: Game, state: State, count: int, seed: int, max_steps: int) -> Sample:
    """Play `count` games from `state`. Where the machine reaches a limit the state counts as worth nothing."""
    try:
        playouts = game.machine.playouts(state, count, seed, max_steps)
    except LimitError:
        return Sample(game.nothing, 0.0, 0, 0, False)
    rows: list[list[float]] = playouts.goals.tolist()
    finished: list[bool] = playouts.finished.tolist()
    if not all(finished) and not game.single:
        rows = _undecided(rows, playouts, max_steps)
    means = [sum(column) / count for column in zip(*rows, strict=True)]
    best = max([row[game.role] for row in rows]) / 100
    return Sample(game.values(means), best, count, int(sum(playouts.lengths.tolist())), any(finished))


def _undecided(rows: list[list[float]], playouts: Playouts, max_steps: int) -> list[list[float]]:
    """`rows` with a neutral goal for everyone in games cut by the step limit before anyone had anything.

    Games that ended because a role has no move are shorter than the limit and keep their goals.
    """
    return [
        [UNDECIDED_GOAL] * len(row) if not done and length >= max_steps and not any(row) else row
        for row, done, length in zip(rows, playouts.finished.tolist(), playouts.lengths.tolist(), strict=True)
    ]
