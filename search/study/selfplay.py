"""Self-play: many games at once, each move found by a search of few simulations, and what is learned from them.

A job says what to play, and any process can do it: it makes the machine of the rules once, and keeps it. Games that are
under way when a job has enough of them go on in the next job of the same process, so that no lane is ever idle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from reasoner import load
from reasoner.batch import NONE, STAY, Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine
from search.batch import BatchOptions, BatchSearch, Found
from search.game import CHANCE_NAME
from search.network.storage import Studied, from_bytes
from search.study.evaluate import NetworkEvaluate
from search.study.games import Games, Shares, joined_shares, shares_of
from search.study.vocabulary import numbering

POINTS = 100
EXPLORATION, FIRST_EXPLORATION = 1.0, 0.4
"""Weights of priors with a network, and without one, where all priors are alike and would make all visits alike."""
FIRST_SIMULATIONS = 2
"""Times as many simulations without a network: their visits are what the first one learns its policy from."""
LATE = 0.25
"""The temperature that moves are drawn with in the later part of a game."""


@dataclass(frozen=True)
class SelfPlayJob:
    """Plain values, so that it can be sent anywhere.

    rules:       text of the rules, KIF or infix.
    network:     a study result in its stored form, which evaluates positions; None: random games do.
    games:       that are to end before the job is done.
    simulations: a move gets, and twice as many without a network.
    playouts:    a new position gets where the network does not count alone.
    slots:       games played at once.
    edges:       legal moves of a position that there is memory for, on average.
    early:       moves of a game that are drawn by the shares of visits; later ones more sharply.
    opening:     at most so many random moves begin a game, of which nothing is learned.
    noise:       share of Dirichlet noise at the root, while there is no network.
    considered:  moves of the root that a search with a network draws and halves (`search.batch.gumbel`); 0: as without.
    max_steps:   joint moves after which a game is given up.
    seed:        of all that is drawn.
    """

    rules: str
    network: bytes | None
    games: int
    simulations: int = 32
    playouts: int = 4
    slots: int = 512
    edges: int = 64
    early: int = 10
    opening: int = 6
    noise: float = 0.25
    considered: int = 16
    max_steps: int = 500
    seed: int = 0

    @property
    def table(self) -> tuple[str, int]:
        """Jobs with the same go on with each other's games."""
        return self.rules, self.slots


def play_games(job: SelfPlayJob) -> Games:
    """Play until so many games have ended. Raises ReasonerError where the rules make no circuit."""
    return _table(*job.table).play(job)


@lru_cache(maxsize=1)
def _table(rules: str, slots: int) -> Table:
    return Table(machine_of(rules), slots)


@lru_cache(maxsize=1)
def machine_of(rules: str) -> CircuitMachine:
    """The circuit of a rules text, kept for the next time. Raises ReasonerError where there is none."""
    machine = load(rules, "circuit", lenient=True)
    assert isinstance(machine, CircuitMachine)
    return machine


@dataclass(frozen=True, eq=False)
class _Ply:
    """What is noted of all slots before a joint move."""

    observations: NDArray[np.uint8]  # [N, bytes]
    policies: tuple[Shares, ...]  # R
    values: NDArray[np.float32]  # [N, R]


class Table:
    """Games under way."""

    def __init__(self, machine: CircuitMachine, slots: int) -> None:
        self.machine = machine
        self._batch = Batch(machine, slots, again=False)
        self._numbering = numbering(self._batch)
        self._chance = [name.lower() == CHANCE_NAME for name in machine.roles]
        self._plies: list[_Ply] = []
        self._first = 0  # the number of the first ply that is kept
        self._begun = np.zeros(slots, np.int64)  # ply at which each slot's game is first noted
        self._made = np.zeros(slots, np.int32)  # joint moves of each slot's game
        self._ended: list[tuple[int, int, int, NDArray[np.float32]]] = []  # slot, first ply, end, results
        self._fresh = True
        self._games = 0

    def play(self, job: SelfPlayJob) -> Games:
        """See `play_games`."""
        rng = np.random.default_rng(job.seed)
        self._batch.sow(job.seed)
        if self._fresh:
            self._begin(np.ones(self._batch.games, np.bool_), job, rng)
            self._fresh = False
        search = self._search(job)
        while len(self._ended) < job.games:
            self._move(search, job, rng)
        return self._brought()

    def _search(self, job: SelfPlayJob) -> BatchSearch:
        studied = None if job.network is None else from_bytes(job.network)
        first = studied is None
        options = BatchOptions(
            simulations=job.simulations * (FIRST_SIMULATIONS if first else 1),
            exploration=FIRST_EXPLORATION if first else EXPLORATION,
            playouts=job.playouts,
            noise=job.noise,
            edges=job.edges,
            seed=job.seed,
            considered=0 if first else job.considered,
        )
        return batch_search(self.machine, self._batch.games, options, studied)

    def _move(self, search: BatchSearch, job: SelfPlayJob, rng: np.random.Generator) -> None:
        batch = self._batch
        found = search.search(batch.states)
        legal = batch.legal
        self._plies.append(self._noted(found, legal))
        actions = np.full((batch.games, len(legal)), NONE, np.int32)
        for role, own in enumerate(legal):
            if not self._chance[role]:
                drawn = self._drawn(found, role, job, rng)
                actions[:, role] = np.where(found.visits[role].any(axis=1), drawn, own.argmax(axis=1))
        batch.step(actions)
        self._made += 1
        self._finish(job, rng)

    def _drawn(self, found: Found, role: int, job: SelfPlayJob, rng: np.random.Generator) -> NDArray[np.int32]:
        if found.chosen:
            return found.chosen[role]  # what noise has drawn already
        late = found.drawn(role, rng, temperature=LATE)
        return np.where(self._made < job.early, found.drawn(role, rng), late)

    def _noted(self, found: Found, legal: tuple[NDArray[np.bool_], ...]) -> _Ply:
        policies = []
        for role, own in enumerate(legal):
            choice = own & (own.sum(axis=1, keepdims=True) > 1) & (not self._chance[role])
            policy = shares_of(found.improved[role] if found.improved else found.policy(role), choice)
            places = self._numbering.moves[role].astype(np.uint16)
            policies.append(Shares(policy.starts, places[policy.moves], policy.shares))
        return _Ply(self._numbering.packed(self._batch.observation), tuple(policies), found.roots)

    def _finish(self, job: SelfPlayJob, rng: np.random.Generator) -> None:
        """Take in the games that have ended, give up those that are too long, and begin others."""
        over = self._batch.ended.copy()
        now = self._first + len(self._plies)
        for slot in np.flatnonzero(over):
            results = np.maximum(self._batch.goals[slot], 0).astype(np.float32) / POINTS
            self._ended.append((int(slot), int(self._begun[slot]), now, results))
        over |= self._made >= job.max_steps
        if over.any():
            self._begin(over, job, rng)

    def _begin(self, slots: NDArray[np.bool_], job: SelfPlayJob, rng: np.random.Generator) -> None:
        """Begin games with some random moves each."""
        self._batch.reset(slots)
        opening = rng.integers(0, job.opening + 1, len(slots))
        opening[rng.random(len(slots)) < 0.5] = 0
        self._made[slots] = 0
        for made in range(job.opening):
            actions = np.full(self._batch.goals.shape, STAY, np.int32)
            going = slots & (opening > made) & ~self._batch.ended
            actions[going] = NONE
            self._batch.step(actions)
            self._made[going] += 1
        short = slots & self._batch.ended
        self._batch.reset(short)
        self._made[short] = 0
        self._begun[slots] = self._first + len(self._plies)

    def _brought(self) -> Games:
        """The positions of the games that have ended, and forget them."""
        ended, slots = self._ended, self._batch.games
        self._ended = []
        lengths = np.array([end - first for _, first, end, _ in ended])
        rows = np.concatenate(
            [np.arange(first - self._first, end - self._first) * slots + s for s, first, end, _ in ended]
        )
        results = np.repeat(np.array([own[3] for own in ended], np.float32), lengths, axis=0)
        game = np.repeat(np.arange(len(ended), dtype=np.int32) + self._games, lengths)
        self._games += len(ended)
        ply = np.concatenate([np.arange(n) for n in lengths])
        games = Games(
            np.concatenate([own.observations for own in self._plies])[rows],
            tuple(joined_shares(own).take(rows) for own in zip(*(ply.policies for ply in self._plies), strict=True)),
            np.concatenate([own.values for own in self._plies])[rows],
            results,
            game,
            ply.astype(np.int32),
        )
        kept = int(self._begun.min()) - self._first
        self._plies = self._plies[kept:]
        self._first += kept
        return games


def batch_search(machine: Machine, games: int, options: BatchOptions, studied: Studied | None) -> BatchSearch:
    """A search of many games whose positions a network evaluates as its study says, or random games without one."""
    if studied is None:
        return BatchSearch(machine, games, options)
    evaluate = NetworkEvaluate(Batch(machine, 1), studied.network)
    return BatchSearch(machine, games, replace(options, weight=studied.weight), evaluate)
