"""Whether a new network plays better than the best one so far: matches in batches, until a sequential test decides.

A pair of games begins with the same random moves. In one of them the new network has a seat and the best one all
others, in the other it is the other way round; what the seat got more by the new one is the result of the pair. So
games of one role, of many, and those where all win together are compared alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reasoner.batch import NONE, STAY, Batch
from reasoner.machine import Machine
from search.batch import BatchOptions, BatchSearch
from search.network.storage import Studied
from search.study.selfplay import POINTS, batch_search
from search.study.sequential import STRONGER, UNDECIDED, PairedTest

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GateOptions:
    """simulations: a move; playouts: a position without a network; pairs: a batch; batches: at most.

    opening: at most so many random moves begin a game; max_steps: joint moves after which it counts as it stands.
    """

    simulations: int = 32
    playouts: int = 4
    edges: int = 64
    pairs: int = 128
    batches: int = 4
    opening: int = 6
    max_steps: int = 500
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the matches said: results of pairs in 0..100, 50 where both are alike."""

    results: tuple[float, ...]
    verdict: str

    @property
    def taken(self) -> bool:
        """Whether the new network is stronger."""
        return self.verdict == STRONGER


def compare(
    machine: Machine,
    new: Studied | None,
    best: Studied | None,
    options: GateOptions,
    stopped: Callable[[], bool] = lambda: False,
) -> Verdict:
    """Play until the test decides, the batches are used up, or it is `stopped`. None searches by random games."""
    contest = Contest(machine, new, best, options)
    test = PairedTest(50, 54)
    results: list[float] = []
    for number in range(options.batches):
        results += contest.play(options.seed + number, stopped)
        verdict = test.verdict(results)
        if verdict != UNDECIDED or stopped():
            break
    return Verdict(tuple(results), verdict)


class Contest:
    """Pairs of games, all at once. Game 2p and 2p + 1 are pair p, whose seat is role p % R."""

    def __init__(self, machine: Machine, new: Studied | None, best: Studied | None, options: GateOptions) -> None:
        self._machine = machine
        self._options = options
        self._games = 2 * options.pairs
        self._capacity = max(options.pairs, 1)
        thinking = BatchOptions(
            simulations=options.simulations, playouts=options.playouts, edges=options.edges, seed=options.seed
        )
        self._players = [batch_search(machine, self._capacity, thinking, studied) for studied in (new, best)]
        roles = len(machine.roles)
        pair, second = np.divmod(np.arange(self._games), 2)
        has_seat = (pair % roles)[:, None] == np.arange(roles)
        self._owner = np.where(has_seat, second[:, None], 1 - second[:, None])  # [games, R] 0: new, 1: best

    def play(self, seed: int, stopped: Callable[[], bool] = lambda: False) -> list[float]:
        """The results of all pairs; where it is `stopped`, games count as they stand."""
        batch = Batch(self._machine, self._games, seed, again=False)
        self._open(batch, np.random.default_rng(seed))
        for _ in range(self._options.max_steps):
            if batch.ended.all() or stopped():
                break
            batch.step(self._actions(batch))
        goals = np.maximum(np.where(batch.ended[:, None], batch.goals, batch.values()), 0)
        seats = np.arange(self._options.pairs) % len(batch.roles)
        mine, its = (goals[first::2][np.arange(len(seats)), seats] for first in (0, 1))
        results: list[float] = (POINTS / 2 + (mine - its) / 2).tolist()
        return results

    def _open(self, batch: Batch, rng: np.random.Generator) -> None:
        """Random moves, the same for both games of a pair; none that end a game."""
        depth = np.repeat(rng.integers(0, self._options.opening + 1, self._options.pairs), 2)
        for made in range(self._options.opening):
            before = batch.states.copy()
            actions = np.full(batch.goals.shape, STAY, np.int32)
            going = depth > made
            for role, legal in enumerate(batch.legal):
                drawn = (np.repeat(rng.random((self._options.pairs, legal.shape[1])), 2, axis=0) * legal).argmax(axis=1)
                actions[going, role] = drawn[going]
            batch.step(actions)
            batch.put(before[batch.ended], batch.ended.copy())

    def _actions(self, batch: Batch) -> NDArray[np.int32]:
        """Each seat's player chooses, where there is a choice; chance draws."""
        legal = batch.legal
        actions = np.full(batch.goals.shape, NONE, np.int32)
        choice = np.stack([own.sum(axis=1) > 1 for own in legal], axis=1) & ~batch.ended[:, None]
        for role, own in enumerate(legal):
            if self._machine.roles[role].lower() == "random":
                choice[:, role] = False
            else:
                actions[:, role] = np.where(own.any(axis=1), own.argmax(axis=1), NONE)
        for who, player in enumerate(self._players):
            mine = choice & (self._owner == who)
            games = np.flatnonzero(mine.any(axis=1))
            for first in range(0, len(games), self._capacity):
                self._choose(player, batch, games[first : first + self._capacity], mine, actions)
        return actions

    def _choose(
        self, player: BatchSearch, batch: Batch, games: NDArray[np.int64], mine: Mask, actions: NDArray[np.int32]
    ) -> None:
        filled = np.resize(games, self._capacity)
        found = player.search(batch.states[filled])
        for role in range(len(batch.roles)):
            own = mine[games, role]
            actions[games[own], role] = found.best(role)[: len(games)][own]
