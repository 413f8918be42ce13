"""A player and an opponent for ggp-agent."""

import numpy as np

from ggp_agent import Batch, Game, Player, Term, Turn


class Cautious(Player):
    """Play the move whose random games end best in the mean of their worse half."""

    def __init__(self, playouts: int = 16, seed: int = 0) -> None:
        self._playouts, self._seed = playouts, seed

    def play(self, game: Game, turn: Turn) -> Term:
        """Return one of `game.legal`."""
        values: dict[Term, float] = {}
        for move in game.legal:
            values[move] = self._value(game, move)
            turn.offer(max(values, key=values.__getitem__))
            if turn.over():
                break
        return max(values, key=values.__getitem__)

    def _value(self, game: Game, move: Term) -> float:
        machine = game.machine
        joint = [moves[self._seed % len(moves)] for moves in machine.legal(game.state)]
        joint[game.role] = move
        state = machine.next(game.state, joint)
        if machine.terminal(state):
            return float(machine.goal(state)[game.role] or 0)
        goals = np.sort(machine.playouts(state, self._playouts, self._seed).goals[:, game.role])
        return float(goals[: len(goals) // 2 + 1].mean())


def first_move(batch: Batch, role: int, asked: np.ndarray) -> np.ndarray:  # noqa: ARG001
    """Return the index of the first legal move of a role in each game."""
    return batch.legal[role].argmax(axis=1).astype(np.int32)
