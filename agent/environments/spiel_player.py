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
"""How many times as many simulations the next search of a position makes, ..."""
CAUTION = 2
"""... if so many times what that should take is left."""


@dataclass(frozen=True, slots=True)
class SpielOptions:
    """Simulations a position gets if there is time, the weight of the UCB term, and the seed."""

    simulations: int = 10_000
    uct_c: float = 2.0
    seed: int = 0


class SpielPlayer(Player):
    """Searches a position again and again, with more simulations each time, as long as there is time.

    Where several roles choose at once, the others are taken to see what this one does. Where roles see percepts alone,
    the likeliest state is searched. It waits for the circuit, without which it plays its first legal move.
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
        """The best move found."""
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
        if self._spiel is None or self._spiel.rules.machine is not machine:
            self._spiel = SpielGame(machine=machine, first=game.role)
        evaluator = mcts.RandomRolloutEvaluator(1, self._random)
        bot = mcts.MCTSBot(self._spiel, self._options.uct_c, simulations, evaluator, random_state=self._random)
        action = int(bot.step(self._spiel.position(game.state)))
        return self._spiel.rules.moves[game.role][action]
