"""Statistics of a game from random play: its length, and the number of roles with a choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.batch import NONE, Batch
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance
from search.errors import StudyError
from search.study.games import MAX_MOVES

GAMES = 256
MAX_STEPS = 1000


@dataclass(frozen=True, slots=True)
class Probe:
    """Results of random games.

    steps: average number of joint moves of a game; longest: the largest number; choosers: average number of roles with
    a choice in a position, including chance; legal: the largest number of legal moves of all roles together.
    """

    steps: float
    longest: int
    choosers: float
    legal: int = 0


def probe(machine: Machine, seed: int = 0) -> Probe:
    """Play random games.

    Raises StudyError on hidden information, on too many moves, if no game ends, or if no player ever has a choice.
    """
    if machine.hides:
        raise StudyError(
            "this game hides information (GDL-II), and matches of such games use no network: choose another game"
        )
    batch = Batch(machine, GAMES, seed, again=False)
    if max(map(len, batch.moves)) > MAX_MOVES:
        raise StudyError(f"a role of this game has more than {MAX_MOVES} moves: the game is too large to study")
    lengths = np.zeros(GAMES, np.int64)
    positions = choosers = chances = legal = 0
    for _ in range(MAX_STEPS):
        going = ~batch.ended
        if not going.any():
            break
        choosing = [int((own[going].sum(axis=1) > 1).sum()) for own in batch.legal]
        choosers += sum(choosing)
        legal = max(legal, int(sum(own[going].sum(axis=1) for own in batch.legal).max()))
        chances += sum(count for count, name in zip(choosing, machine.roles, strict=True) if is_chance(name))
        positions += int(going.sum())
        lengths += going
        batch.step(np.full(batch.goals.shape, NONE, np.int32))
    if not batch.ended.any():
        raise StudyError(
            f"no random game of this rulesheet ends within {MAX_STEPS} moves: there is nothing to learn from"
        )
    if choosers == chances:
        raise StudyError("no player has a choice in random games of this rulesheet: there is nothing to learn from")
    return Probe(float(lengths.mean()), int(lengths.max()), choosers / max(positions, 1), legal)
