"""Opponents for the other roles: random, a player of the agent, or a function."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agent.environments.actions import Actions
from agent.environments.table import Opponent, at_random
from agent.errors import SpecError
from agent.players.base import Game, Turn
from agent.players.plugins import OPPONENTS, installed, loaded
from agent.players.spec import player_factory
from reasoner.arrays import Bools
from reasoner.batch import NONE, Batch
from reasoner.errors import IllegalMoveError, TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine
from search import MonotonicClock


def opponent_of(given: str | Opponent, seconds: float, machine: Machine | None = None) -> Opponent:
    """Create an opponent from a player specification, with `seconds` per move; return functions unchanged.

    A specification has the form of `--player`, or is the name of a plugin in the group ``ggp_agent.opponents``. Raises
    SpecError for an unknown player, for what is neither text nor function, or for a player that would see hidden facts
    of a game with `sees`.
    """
    if not isinstance(given, str):
        if not callable(given):
            raise SpecError(
                f"opponent={given!r:.40} is neither a player's specification, such as 'random', nor a function"
            )
        return given
    if given == "random":
        return at_random
    if plugin := installed(OPPONENTS).get(given):
        opponent: Opponent = loaded(plugin)
        return opponent
    if machine is not None:
        _check_shown(machine)
    return Players(given, seconds)


def _check_shown(machine: Machine) -> None:
    if machine.hides:
        raise SpecError(
            "in a game with `sees`, an environment does not store the history that players need: "
            "give opponent='random' or a function, or use OpenSpiel with ggp_agent.PlayerBot"
        )


class Players:
    """Opponent that lets a player of the agent choose the moves, for any role and one position at a time.

    Raises SpecError if there is no such player.
    """

    def __init__(self, spec: str, seconds: float) -> None:
        self._spec, self._seconds = spec, seconds
        self._player = player_factory(spec)()
        self._clock = MonotonicClock()

    def __reduce__(self) -> tuple[type[Players], tuple[str, float]]:
        return Players, (self._spec, self._seconds)  # no state to pickle: players start anew in each position

    def __call__(self, batch: Batch, role: int, asked: Bools) -> Actions:
        """Choose the moves of one role in the `asked` games.  # [N]."""
        _check_shown(batch.machine)
        actions, legal, states = np.full(batch.games, NONE, np.int32), batch.legal_of(role), batch.states
        for game in np.flatnonzero(asked & (legal.sum(axis=1) > 1)).tolist():
            position = Game(batch.machine, role, play_clock=self._seconds, state=states[game].tobytes())
            actions[game] = self.choose(position, batch.moves[role])
        return actions

    def choose(self, game: Game, moves: Sequence[Term]) -> int:
        """Return the index of the move chosen in a position. Raises IllegalMoveError if it is not one of `moves`."""
        self._player.changed(game)  # because the next position may be of another game
        move = self._player.play(game, Turn(self._clock.now() + self._seconds, self._clock))
        try:
            return moves.index(read_term(move) if isinstance(move, str) else move)
        except (TermError, ValueError):
            role = game.machine.roles[game.role]
            raise IllegalMoveError(
                f"the player {self._spec} returned {str(move)!r:.80}, which is no move of {role}, such as {moves[0]}"
            ) from None
