"""Baseline player: uniformly random legal moves."""

from __future__ import annotations

import random
from dataclasses import dataclass

from agent.players.base import Game, Player, Turn
from reasoner.language.terms import Term


@dataclass(frozen=True, slots=True)
class RandomOptions:
    """The random seed."""

    seed: int = 0


class RandomPlayer(Player):
    """Plays each of its legal moves with the same probability."""

    searches = False

    def __init__(self, options: RandomOptions) -> None:
        self._random = random.Random(options.seed)

    def play(self, game: Game, turn: Turn) -> Term:  # noqa: ARG002 it needs no time
        """Return a uniformly random legal move."""
        return self._random.choice(game.legal)
