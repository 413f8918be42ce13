"""Who plays the other roles: chance, a player of the agent, or whatever is given."""

from __future__ import annotations

import numpy as np

from agent.environments.table import Actions, Bools, Opponent, at_random
from agent.players.base import Game, Turn
from agent.players.spec import player_factory
from reasoner.batch import NONE, Batch
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search import MonotonicClock


def opponent_of(given: str | Opponent, seconds: float) -> Opponent:
    """An opponent by its specification, as of `--player`, with so many seconds a move; any other as it is."""
    if not isinstance(given, str):
        return given
    return at_random if given == "random" else Players(given, seconds)


class Players:
    """A player of the agent in every role that is asked for, one position after the other. Raises SpecError."""

    def __init__(self, spec: str, seconds: float) -> None:
        self._player = player_factory(spec)()
        self._seconds = seconds
        self._clock = MonotonicClock()

    def __call__(self, batch: Batch, role: int, asked: Bools) -> Actions:
        """The moves of one role in the games asked for.  # [N]."""
        actions, legal, states = np.full(batch.games, NONE, np.int32), batch.legal_of(role), batch.states
        for game in np.flatnonzero(asked & (legal.sum(axis=1) > 1)).tolist():
            move = self.move(batch.machine, role, states[game].tobytes())
            actions[game] = batch.moves[role].index(move)
        return actions

    def move(self, machine: Machine, role: int, state: State) -> Term:
        """What the player plays in a state."""
        game = Game(machine, role, play_clock=self._seconds, state=state)
        self._player.changed(game)  # another game, maybe: nothing is known of how it came here
        move = self._player.play(game, Turn(self._clock.now() + self._seconds, self._clock))
        return read_term(move) if isinstance(move, str) else move
