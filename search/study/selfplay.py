"""Self-play by the search that plays matches, one game after the other, for training.

A job describes the games to play, and any process can run it. The search of matches runs some hundred thousand
simulations a second in compiled kernels, and its playouts recognize winning moves. A search of many games at once
returns to Python between simulations and makes a twentieth as many (research/studying.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np

from reasoner import load_text
from reasoner.arrays import Bytes, Singles
from reasoner.batch import Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.chance import is_chance
from reasoner.rules.points import worth
from search.clock import MonotonicClock
from search.native.cost_model import Costs
from search.native.search import NativeSearch
from search.network.storage import Model, from_bytes
from search.options import SearchOptions
from search.root.statistics import JOINT, Statistics
from search.study.contest import opening
from search.study.games import Games, Shares
from search.study.vocabulary import numbering

RANDOM_MOVE_PROBABILITY = 0.03
"""Probability of a uniformly random move, so that positions after mistakes occur."""
LATE_POWER = 2.0
"""Exponent of visits in the later part of a game: moves are drawn in proportion to visits ** this."""
MEMORY_MIB = 32


@dataclass(frozen=True)
class SelfPlayJob:
    """A job for self-play, as plain values that can be sent to another process.

    rules:       text of the rules, KIF or infix.
    network:     stored model (`storage`), which also sets its weight and prior in the search; None: no network.
    games:       number of finished games to play.
    simulations: simulations per move.
    early:       number of first moves of a game that are drawn in proportion to visits; later moves are drawn in
                 proportion to a power of the visits.
    opening:     maximum number of random moves at the start of a game; their positions are not used in training.
    max_steps:   joint moves after which a game is given up.
    seed:        seed of all random choices.
    """

    rules: str
    network: bytes | None
    games: int
    simulations: int = 400
    early: int = 10
    opening: int = 4
    max_steps: int = 500
    seed: int = 0


@dataclass(frozen=True, eq=False)
class _Ply:
    """Record of a position; `policies`: for each role the numbers of its legal moves, and their shares."""

    observation: Bytes  # [bytes]
    policies: tuple[tuple[list[int], Singles], ...]  # R
    values: Singles  # [R] NaN if the search gives no value
    ply: int


class SelfPlay:
    """Plays games with R roles on one machine."""

    def __init__(self, machine: CircuitMachine) -> None:
        self.machine = machine
        self.vocabulary = numbering(Batch(machine, 1)).vocabulary
        places = {base: place for place, base in enumerate(machine.circuit.bases)}
        self._facts = np.array([places[fact] for fact in self.vocabulary.facts], np.int64)
        self._numbers = [{move: i for i, move in enumerate(own)} for own in self.vocabulary.moves]
        self._chance = [is_chance(name) for name in machine.roles]
        self._searcher = self._chance.index(False)
        self._costs: dict[bool, Costs] = {}  # with and without playouts

    def play(self, job: SelfPlayJob) -> Games:
        """Play until `job.games` games have ended; games that exceed `max_steps` do not count."""
        model = None if job.network is None else from_bytes(job.network)
        rng = np.random.default_rng(job.seed)
        records: list[list[_Ply]] = []
        results: list[Singles] = []
        for _ in range(2 * job.games):
            plies, result = self._game(model, job, rng)
            if result is not None and plies:
                records.append(plies)
                results.append(result)
            if len(records) == job.games:
                break
        return self._as_games(records, results)

    def _game(
        self, model: Model | None, job: SelfPlayJob, rng: np.random.Generator
    ) -> tuple[list[_Ply], Singles | None]:
        """Play one game; return its records and its result, None if the game exceeded `max_steps`."""
        machine = self.machine
        moves = int(rng.integers(0, job.opening + 1)) * int(rng.integers(2))  # none in half of the games
        state = opening(machine, moves, lambda own: own[int(rng.integers(len(own)))])
        thinking = SearchOptions(
            simulations=job.simulations, memory_mib=MEMORY_MIB, seed=int(rng.integers(2**31)), threads=1
        )
        search = self._search(state, thinking, model)
        plies: list[_Ply] = []
        for made in range(job.max_steps):
            legal = machine.legal(state)
            if machine.terminal(state) or not all(legal):
                goals = [worth(goal, machine.points) for goal in machine.goal(state)]
                return plies, np.array(goals, np.float32)
            joint = [own[rng.integers(len(own))] for own in legal]
            if self._is_choice(legal):
                search.think(inf)
                found = search.statistics()
                shares = [self._shares(found, role, len(own)) for role, own in enumerate(legal)]
                plies.append(self._recorded(state, legal, found, shares, made))
                self._draw(joint, legal, shares, 1.0 if made < job.early else LATE_POWER, rng)
            state = machine.next(state, joint)
            search.advance(joint, state)
        return plies, None

    def _search(self, state: State, thinking: SearchOptions, model: Model | None) -> NativeSearch:
        """Start a search that reuses the measured costs of earlier searches."""
        plays = model is None or model.weight < 1
        costs = self._costs.setdefault(plays, Costs(plays=plays))
        return NativeSearch(self.machine, self._searcher, state, thinking, MonotonicClock(), model, costs)

    def _is_choice(self, legal: tuple[tuple[Term, ...], ...]) -> bool:
        return any(len(own) > 1 and not chance for own, chance in zip(legal, self._chance, strict=True))

    def _shares(self, found: Statistics, role: int, moves: int) -> Singles:
        """Return the shares of a role's moves: by visits or, if moves are proven, only of the best moves."""
        alike = np.full(moves, 1 / moves, np.float32)
        if found.moves is None or role not in found.moves.roles or self._chance[role]:
            return alike
        slot = found.moves.roles.index(role)
        visits = np.array(found.by_slot[slot].visits, np.float32)
        if found.moves.kind == JOINT:
            sure = found.winning[slot] if found.winning else None
            visits = visits if sure is None else np.eye(moves, dtype=np.float32)[sure]
        else:
            visits = _proven(found, role, visits)
        return visits / visits.sum() if visits.sum() > 0 else alike

    def _recorded(
        self, state: State, legal: tuple[tuple[Term, ...], ...], found: Statistics, shares: list[Singles], made: int
    ) -> _Ply:
        assert isinstance(state, bytes)
        bits = self.machine.bits(state)
        policies = []
        for role, own in enumerate(legal):
            chooses = len(own) > 1 and not self._chance[role]
            numbers = [self._numbers[role][move] for move in own] if chooses else []
            policies.append((numbers, shares[role] if chooses else shares[role][:0]))
        return _Ply(np.packbits(bits[self._facts]), tuple(policies), self._values(found), made)

    def _values(self, found: Statistics) -> Singles:
        """Return the value that the search expects for each role.  # [R]."""
        values = np.full(len(self._chance), np.nan, np.float32)
        if found.proof is not None:
            return np.array(found.proof.values, np.float32)
        if found.visits:
            values[self._searcher] = found.total / found.visits
        for slot, role in enumerate(found.moves.roles if found.moves is not None else ()):
            own = found.by_slot[slot]
            visits = np.array(own.visits)
            if not self._chance[role] and visits.any():
                values[role] = visits @ np.array(own.means) / visits.sum()
        return values

    def _draw(
        self,
        joint: list[Term],
        legal: tuple[tuple[Term, ...], ...],
        shares: list[Singles],
        power: float,
        rng: np.random.Generator,
    ) -> None:
        """Replace the moves of a random joint move by moves drawn according to `shares`."""
        for role, own in enumerate(legal):
            if len(own) > 1 and not self._chance[role] and rng.random() >= RANDOM_MOVE_PROBABILITY:
                raised = shares[role].astype(np.float64) ** power
                joint[role] = own[rng.choice(len(own), p=raised / raised.sum())]

    def _as_games(self, records: list[list[_Ply]], results: list[Singles]) -> Games:
        lengths = [len(plies) for plies in records]
        every = [ply for plies in records for ply in plies]
        roles = len(self._chance)
        ends = np.repeat(np.array(results, np.float32).reshape(-1, roles), lengths, axis=0)
        values = np.array([ply.values for ply in every], np.float32).reshape(-1, roles)
        return Games(
            np.array([ply.observation for ply in every], np.uint8).reshape(len(every), (len(self._facts) + 7) // 8),
            tuple(_sparse([ply.policies[role] for ply in every]) for role in range(roles)),
            _filled_in(values, ends),
            ends,
            np.repeat(np.arange(len(records), dtype=np.int32), lengths),
            np.array([ply.ply for ply in every], np.int32),
        )


def _proven(found: Statistics, role: int, visits: Singles) -> Singles:
    """Return the weights of a role's moves: their visits, but 0 for moves that are proven lost.

    In a proven position, the best moves have weight 1 and all others 0.
    """
    settled = {key: proof.values[role] for key, proof in (found.proofs or {}).items()}
    if found.proof is not None:
        best = [key for key, value in settled.items() if value >= found.proof.values[role]]
        if best:
            kept = np.zeros_like(visits)
            kept[best] = 1
            return kept
    left = visits.copy()
    left[[key for key, value in settled.items() if value <= 0]] = 0
    return left if left.any() else visits


def _filled_in(values: Singles, results: Singles) -> Singles:
    """Fill in missing values: in zero-sum games of two roles from the other role, else from the result.  # [P, R]."""
    if values.shape[1] == 2 and len(results) and np.allclose(results.sum(axis=1), 1):
        other = 1 - values[:, ::-1]
        values = np.where(np.isnan(values), other, values)
    completed: Singles = np.where(np.isnan(values), results, values).astype(np.float32)
    return completed


def _sparse(rows: list[tuple[list[int], Singles]]) -> Shares:
    starts = np.concatenate(([0], np.cumsum([len(numbers) for numbers, _ in rows]))).astype(np.int64)
    moves = np.array([number for numbers, _ in rows for number in numbers], np.uint16)
    shares = np.concatenate([own for _, own in rows] or [np.zeros(0, np.float32)])
    return Shares(starts, moves, shares.astype(np.float16))


def play_games(job: SelfPlayJob) -> Games:
    """Play the games of a job. Raises ReasonerError if the rules have no circuit."""
    return _player(job.rules).play(job)


@lru_cache(maxsize=1)
def _player(rules: str) -> SelfPlay:
    return SelfPlay(machine_of(rules))


@lru_cache(maxsize=1)
def machine_of(rules: str) -> CircuitMachine:
    """Return the cached machine of a text of rules. Raises ReasonerError if the rules have no circuit."""
    machine = load_text(rules, "circuit", lenient=True)
    assert isinstance(machine, CircuitMachine)
    return machine
