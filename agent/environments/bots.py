"""OpenSpiel bot that uses a player of the agent, for games of `agent.environments.spiel`."""

from __future__ import annotations

from agent.environments.extras import extra
from agent.environments.opponents import Players
from agent.environments.spiel_state import GameState
from agent.players.base import Game
from reasoner.language.terms import Term
from search.belief.belief import Belief
from search.belief.state_set import Observation

with extra("openspiel"):
    import pyspiel


class PlayerBot(pyspiel.Bot):  # type: ignore[misc]  # OpenSpiel ships no types
    """Plays for one player, with `seconds` per move: ``PlayerBot(0, "mcts:simulations=1000")``.

    In a game with `sees`, the bot uses only its role's moves and percepts. Raises SpecError for an unknown `spec`.
    """

    def __init__(self, player: int, spec: str = "mcts", seconds: float = 1.0) -> None:
        super().__init__()
        self._player = player
        self._players = Players(spec, seconds)
        self._seconds = seconds

    def step(self, state: GameState) -> int:
        """Return the action.

        Raises ValueError if the game has no player with this number, IllegalMoveError if the player returns no move.
        """
        rules = state.rules
        if not 0 <= self._player < len(rules.players):
            raise ValueError(f"no player {self._player}: this game has {len(rules.players)}, counted from 0")
        role = rules.players[self._player]
        action = self._players.choose(self._game(state, role), rules.moves[role])
        legal = rules.legal(state.state, role)
        # A move that is legal in the likeliest state may be illegal in the true state.
        return action if action in legal else legal[0]

    def restart_at(self, state: GameState) -> None:
        """Do nothing: the bot has no memory."""

    def _game(self, state: GameState, role: int) -> Game:
        machine = state.rules.machine
        if not machine.hides:
            return Game(machine, role, play_clock=self._seconds, state=state.state)
        belief = Belief(machine, role)
        for told in state.here.rounds:
            move = state.rules.moves[role][told.moves[role]]
            belief.observe(Observation(move, told.percepts[role]))
        return _Unseen(belief, self._seconds)


class _Unseen(Game):
    """A position with the knowledge of one role."""

    def __init__(self, belief: Belief, seconds: float) -> None:
        super().__init__(belief.machine, belief.role, play_clock=seconds, state=belief.likeliest())
        self._belief = belief

    @property
    def belief(self) -> Belief:
        return self._belief

    @property
    def legal(self) -> tuple[Term, ...]:
        return self._belief.favourites()
