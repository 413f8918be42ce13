"""How much a search in matches should heed a network: candidates play the search of matches without it, and are halved.

All think equally long by the processor's time of their own thread, so that what a network costs counts, and neighbours
on the machine do not. One of the candidates does without the network: who does not play better is not used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State
from search.clock import Clock
from search.game import CHANCE_NAME
from search.native.search import NativeSearch
from search.network.storage import Studied
from search.options import SearchOptions

CANDIDATES = ((0.0, 0.0), (1.0, 0.7), (0.5, 0.7), (0.0, 0.7), (0.5, 1.2))
"""Weights and priors; without both, no network."""
LAPS = 12
"""Games that a candidate should get in each seat, on average."""
SHORTEST, LONGEST = 0.005, 0.25
"""Seconds for a move."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """What plays best, its mean goal, that of the search without a network, and how many games said so."""

    weight: float
    prior: float
    goal: float
    without: float
    games: int


class ThreadClock:
    """Processor time of the calling thread."""

    def now(self) -> float:
        """Seconds."""
        return time.thread_time()


@dataclass(frozen=True, eq=False)
class Tuning:
    """What is needed for it: `steps` are those of a game on average, `seconds` there are for all of it."""

    machine: CircuitMachine
    studied: Studied
    steps: float
    seconds: float
    threads: int
    clock: Clock
    seed: int = 0
    candidates: Sequence[tuple[float, float]] = CANDIDATES

    @property
    def move_seconds(self) -> float:
        """That a player gets for a move."""
        choosers = 2 if len(self.machine.roles) > 1 else 1
        games = LAPS * len(self.candidates) * len(self.machine.roles) / 2
        return min(self.seconds * self.threads / (games * self.steps * choosers), LONGEST)

    def run(self, stopped: Callable[[], bool]) -> Tuned | None:
        """Play until the seconds are over; None where they are too few to tell."""
        if self.move_seconds < SHORTEST:
            return None
        alive = {candidate: list[float]() for candidate in self.candidates}
        began, stages, lap = self.clock.now(), max(len(self.candidates) - 1, 1).bit_length(), 0
        whole = dict(alive)
        with ThreadPoolExecutor(self.threads) as pool:
            for stage in range(stages):
                while not stopped() and (self.clock.now() - began < self.seconds * (stage + 1) / stages or lap == 0):
                    self._lap(pool, alive, lap)
                    lap += 1
                kept = sorted(alive, key=lambda own: -float(np.mean(alive[own])))[: max(len(alive) // 2, 1)]
                alive = {own: alive[own] for own in alive if own in kept}
        best = max(alive, key=lambda own: float(np.mean(alive[own])))
        without = whole.get((0.0, 0.0), [0.0])
        return Tuned(*best, float(np.mean(alive[best])), float(np.mean(without)), len(alive[best]))

    def _lap(self, pool: ThreadPoolExecutor, alive: dict[tuple[float, float], list[float]], lap: int) -> None:
        """A game for each candidate in each seat, all from the same opening."""
        seats = [role for role, name in enumerate(self.machine.roles) if name.lower() != CHANCE_NAME]
        games = [(candidate, seat) for candidate in alive for seat in seats]
        goals = pool.map(lambda game: self._goal(game[0], game[1], lap), games)
        for (candidate, _), goal in zip(games, goals, strict=True):
            alive[candidate].append(goal)

    def _goal(self, candidate: tuple[float, float], seat: int, lap: int) -> float:
        """What the seat gets, all others being played without the network."""
        weight, prior = candidate
        mine = replace(self.studied, weight=weight, prior=prior) if weight or prior else None
        rng, machine = Random(f"{self.seed} {lap}"), self.machine
        state = self._opened(rng)
        players = [self._player(role, state, mine if role == seat else None) for role in range(len(machine.roles))]
        while not machine.terminal(state):
            joint = []
            for role, legal in enumerate(machine.legal(state)):
                if machine.roles[role].lower() == CHANCE_NAME:
                    joint.append(rng.choice(list(legal)))
                    continue
                if len(legal) > 1:
                    players[role].think(time.thread_time() + self.move_seconds)
                joint.append(players[role].best())
            state = machine.next(state, tuple(joint))
            for player in players:
                player.advance(tuple(joint), state)
        return float(machine.goal(state)[seat] or 0)

    def _opened(self, rng: Random) -> State:
        """A state after two random moves, or fewer where the game would end."""
        machine = self.machine
        state = machine.initial()
        for _ in range(2):
            following = machine.next(state, tuple(rng.choice(list(own)) for own in machine.legal(state)))
            if machine.terminal(following):
                break
            state = following
        return state

    def _player(self, role: int, state: State, studied: Studied | None) -> NativeSearch:
        options = SearchOptions(threads=1, memory_mib=64, seed=self.seed)
        return NativeSearch(self.machine, role, state, options, ThreadClock(), None, studied)
