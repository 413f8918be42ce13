"""OpenSpiel's Monte Carlo tree search as a player of the agent: ``--player openspiel:mcts``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agent.environments.extras import extra
from agent.environments.spiel import SpielGame
from agent.players.base import Game, Player, Turn
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term

with extra("openspiel"):
    from open_spiel.python.algorithms import mcts

FIRST_SIMULATIONS = 10
GROWTH = 4
"""Growth factor of the simulations from one search of a position to the next."""
CAUTION = 2
"""The next search begins only if the remaining time is at least this multiple of its expected time."""


@dataclass(frozen=True, slots=True)
class SpielOptions:
    """Maximum simulations per position, the weight of the UCB term, and the seed."""

    simulations: int = 10_000
    uct_c: float = 2.0
    seed: int = 0


class SpielPlayer(Player):
    """Searches a position repeatedly, with more simulations each time, until the time is up.

    In simultaneous moves, the opponents are assumed to see this player's move. In GDL-II, the likeliest state is
    searched. The player waits for the circuit; without a circuit, it plays its first legal move.
    """

    def __init__(self, options: SpielOptions) -> None:
        self._options = options
        self._random = np.random.RandomState(options.seed % 2**32)
        self._spiel: SpielGame | None = None

    def start(self, game: Game, turn: Turn) -> None:
        """Wait for the circuit."""
        if not isinstance(game.machine, CircuitMachine):
            game.improve(max(turn.left(), 0.0))

    def play(self, game: Game, turn: Turn) -> Term:
        """Return the best move found."""
        if not isinstance(game.machine, CircuitMachine):
            game.improve(max(turn.left(), 0.0) / 2)
        legal, simulations = game.legal, FIRST_SIMULATIONS
        if len(legal) < 2 or not isinstance(game.machine, CircuitMachine) or not isinstance(game.state, bytes):
            return legal[0]
        while True:
            began = turn.clock.now()
            move = self._searched(game, game.machine, simulations)
            turn.offer(move)
            took, simulations = turn.clock.now() - began, GROWTH * simulations
            if simulations > self._options.simulations or turn.over() or turn.left() < CAUTION * GROWTH * took:
                return move

    def _searched(self, game: Game, machine: CircuitMachine, simulations: int) -> Term:
        spiel = self._spiel
        if spiel is None or spiel.rules.machine is not machine or spiel.rules.first != game.role:
            self._spiel = spiel = SpielGame(machine=machine, first=game.role)
        evaluator = mcts.RandomRolloutEvaluator(1, self._random)
        bot = mcts.MCTSBot(spiel, self._options.uct_c, simulations, evaluator, random_state=self._random)
        action = int(bot.step(spiel.position(game.state)))
        return spiel.rules.moves[game.role][action]
