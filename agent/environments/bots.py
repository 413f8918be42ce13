"""A player of the agent as a bot of OpenSpiel, for games of `agent.environments.spiel`."""

from __future__ import annotations

import pyspiel

from agent.environments.opponents import Players
from agent.environments.spiel import GameState


class PlayerBot(pyspiel.Bot):  # type: ignore[misc]  # OpenSpiel ships no types
    """Plays one player's part, with so many seconds a move: ``PlayerBot(0, "mcts:simulations=1000")``.

    Raises SpecError on a `spec` that names no player.
    """

    def __init__(self, player: int, spec: str = "mcts", seconds: float = 1.0) -> None:
        super().__init__()
        self._player = player
        self._players = Players(spec, seconds)

    def step(self, state: GameState) -> int:
        """The action to take."""
        rules = state.rules
        role = rules.players[self._player]
        return rules.moves[role].index(self._players.move(rules.machine, role, state.state))

    def restart_at(self, state: GameState) -> None:
        """Nothing is known of positions that came before."""
