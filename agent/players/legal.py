"""Baseline player: always the first legal move."""

from __future__ import annotations

from agent.players.base import Game, Player, Turn
from reasoner.language.terms import Term


class LegalPlayer(Player):
    """Plays the first of its legal moves, sorted by their text."""

    searches = False

    def play(self, game: Game, turn: Turn) -> Term:  # noqa: ARG002 it needs no time
        """Return the first legal move."""
        return game.legal[0]
