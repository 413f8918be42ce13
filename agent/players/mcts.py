"""The agent's own player: Monte Carlo tree search, thinking in slices so that a faster machine is taken up soon."""

from __future__ import annotations

from collections.abc import Mapping

from agent.players.base import Game, Player, Turn
from reasoner.language.terms import Term
from search import Search, SearchOptions

SLICE = 0.1
"""Seconds between two looks at whether a faster machine is ready, and between two offers."""


class MctsPlayer(Player):
    """Searches as long as the clock allows, and on the others' time."""

    def __init__(self, options: SearchOptions) -> None:
        self._options = options
        self._search: Search | None = None

    def start(self, game: Game, turn: Turn) -> None:
        """Search from the initial state until the start clock ends."""
        self._think(game, turn)

    def play(self, game: Game, turn: Turn) -> Term:
        """The best move found in time; at once where there is no choice."""
        search = self._search or self._renewed(game, turn)
        if not search.forced:
            search = self._think(game, turn)
        move = search.best()
        search.commit(move)
        return move

    def moved(self, game: Game, joint: tuple[Term, ...]) -> None:
        """Keep the part of the tree below what was played."""
        if self._search is not None:
            self._search.advance(joint, game.state)

    def changed(self, game: Game) -> None:  # noqa: ARG002 a new search reads it when it begins
        """Begin a new search."""
        self._search = None

    def ponder(self, game: Game, turn: Turn) -> None:
        """Search on the others' time where the options allow it."""
        if self._options.ponders:
            self._think(game, turn)

    def report(self) -> Mapping[str, float | str]:
        """The counts of the last move's search, and its value in points (0..100)."""
        if self._search is None:
            return {}
        report = self._search.report()
        figures: dict[str, float | str] = {
            "simulations": report.simulations,
            "playouts": report.playouts,
            "seconds": round(report.seconds, 3),
            "nodes": report.nodes,
        }
        if report.moves:
            figures["value"] = round(report.moves[0].value, 1)
        return figures

    def _think(self, game: Game, turn: Turn) -> Search:
        search = self._search or self._renewed(game, turn)
        while self._slice(search, turn):
            if game.improve():
                search = self._renewed(game, turn)
            elif not search.forced:
                turn.offer(search.best())
        return search

    def _slice(self, search: Search, turn: Turn) -> bool:
        """Search for a while; whether there is more to be done in this turn."""
        end = turn.clock.now() + SLICE
        search.think(turn.deadline, lambda: turn.clock.now() >= end or turn.interrupted())
        return turn.clock.now() >= end and not turn.over()

    def _renewed(self, game: Game, turn: Turn) -> Search:
        self._search = Search(game.machine, game.role, game.state, self._options, turn.clock)
        return self._search
