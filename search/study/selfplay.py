"""Self-play for training: many games at once, each with a search tree of its own.

A job describes the games to play, and any process can run it. The search is that of matches. A search of one position
with few simulations leaves most lanes idle, so `search.native.forest` searches the positions of many games together,
and all games whose search is finished make their moves together. Games in progress continue in the next job.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from reasoner import load_text
from reasoner.arrays import Bools, Bytes, Ints, Longs, Singles, Words
from reasoner.batch import NONE, STAY, Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.rules.chance import is_chance
from search.native.forest import Forest
from search.native.roots import Roots
from search.native.tree import words_for
from search.network.storage import from_bytes
from search.options import SearchOptions
from search.study.games import Games, Shares
from search.study.targets import drawn, move_shares, policy_targets, role_values
from search.study.vocabulary import numbering

RANDOM_MOVE_PROBABILITY = 0.03
"""Probability of a uniformly random move, so that positions after mistakes occur."""
LATE_POWER = 2.0
"""Exponent of visits in the later part of a game: moves are drawn in proportion to visits ** this."""
MEMORY_MIB = 16
"""Memory for the tree of each game."""
GAMES = 48
"""Number of games that are played at once."""
SPREAD = 3
"""Maximum number of random moves, as a multiple of `SelfPlayJob.early`, before the first games of a process: so they do
not end all together, and the first of them end soon."""
TOGETHER = 12
"""Number of games that make their moves together."""


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
    simulations: int = 128
    early: int = 10
    opening: int = 4
    max_steps: int = 500
    seed: int = 0


_NO_CHOICE = np.zeros(0, np.int32), np.zeros(0, np.float32)


@dataclass(frozen=True, eq=False)
class _Ply:
    """Record of a position; `policies`: for each role the numbers of its legal moves, and their shares."""

    observation: Bytes  # [bytes]
    policies: tuple[tuple[Ints, Singles], ...]  # R
    values: Singles  # [R] NaN if the search gives no value
    ply: int


@dataclass(slots=True)
class _Finished:
    """The finished games of a job: their positions and results, and the number of games that were given up."""

    plies: list[list[_Ply]] = field(default_factory=list)
    results: list[Singles] = field(default_factory=list)
    given_up: int = 0


class SelfPlay:
    """Plays `GAMES` games with R roles on one machine at once, and keeps them from one job to the next."""

    def __init__(self, machine: CircuitMachine) -> None:
        self.machine = machine
        self._batch = Batch(machine, GAMES, again=False)  # the games
        self._openings = Batch(machine, GAMES, again=False)
        own = numbering(self._batch)
        self.vocabulary = own.vocabulary
        places = {base: place for place, base in enumerate(machine.circuit.bases)}
        self._facts = np.array([places[fact] for fact in self.vocabulary.facts], np.int64)
        self._numbers = np.concatenate(own.moves)  # the vocabulary's number of each move of the circuit
        self._first_move = np.concatenate(([0], np.cumsum([len(moves) for moves in own.moves])))
        self._chance = [is_chance(name) for name in machine.roles]
        self._searcher = self._chance.index(False)
        self._forest: Forest | None = None
        self._job: SelfPlayJob | None = None
        self._plies: list[list[_Ply]] = [[] for _ in range(GAMES)]
        self._made = np.zeros(GAMES, np.int64)  # joint moves made after the opening
        self._new = np.ones(GAMES, bool)  # games whose first position was not searched yet
        self._states: list[Bytes] = []  # states at the ends of openings, for new games
        self._unsettled = np.arange(GAMES)  # games that are not in the forest
        self._rng = np.random.default_rng(0)

    def play(self, job: SelfPlayJob) -> Games:
        """Play until `job.games` games have ended; games that exceed `max_steps` do not count."""
        self._prepare(job)
        done = _Finished()
        if (first := np.flatnonzero(self._made < 0)).size:
            self._states = self._opened(job, SPREAD * job.early)
            self._begin(first, job)
        self._settle(self._unsettled, job, done)
        while not _enough(job, done):
            self._move(job, done)
        return self._as_games(done)

    def _prepare(self, job: SelfPlayJob) -> None:
        """Create the searches for a new network or for other options; games in progress continue with them."""
        before, self._job = self._job, job
        alike = before is not None and replace(job, games=before.games, seed=before.seed) == before
        self._rng = np.random.default_rng(job.seed)
        self._batch.sow(job.seed)
        self._openings.sow(job.seed + 1)
        if self._forest is not None and alike:
            return
        if before is None or (job.rules, job.opening) != (before.rules, before.opening):
            self._made[:] = -1  # all games begin anew
        options = SearchOptions(simulations=job.simulations, memory_mib=MEMORY_MIB, seed=job.seed % 2**31)
        model = None if job.network is None else from_bytes(job.network)
        self._forest = Forest(self.machine, self._searcher, GAMES, options, model)
        self._unsettled = np.arange(GAMES)

    def _move(self, job: SelfPlayJob, done: _Finished) -> None:
        """Search until some positions are finished, record these, and make a move in their games."""
        assert self._forest is not None
        numbers = self._forest.run(TOGETHER)
        roots = self._forest.roots(numbers)
        shares = move_shares(roots)
        self._record(roots, policy_targets(roots, shares))
        powers = np.where(self._made[numbers] < job.early, 1.0, LATE_POWER)
        rows = drawn(roots, shares, powers, self._rng)
        actions = np.full((GAMES, len(self._chance)), STAY, np.int32)
        actions[numbers] = NONE
        chosen = roots.moves[rows] - self._first_move[roots.roles]
        at_random = self._rng.random(len(rows)) < RANDOM_MOVE_PROBABILITY
        actions[numbers[roots.places], roots.roles] = np.where(at_random, NONE, chosen)
        self._batch.step(actions)
        self._made[numbers] += 1
        self._settle(numbers, job, done)

    def _settle(self, numbers: Longs, job: SelfPlayJob, done: _Finished) -> None:
        """Give the positions of these games to the search; end games that are over, and skip forced moves."""
        assert self._forest is not None
        while len(numbers) and not _enough(job, done):
            ended = self._batch.ended[numbers]
            over = ended | (self._made[numbers] >= job.max_steps)
            self._finish(numbers[over], done)
            self._begin(numbers[over], job)
            going = numbers[~over]
            chooses = self._chooses(going)
            self._search(going[chooses], job)
            forced = going[~chooses]
            if len(forced):
                actions = np.full((GAMES, len(self._chance)), STAY, np.int32)
                actions[forced] = NONE
                self._batch.step(actions)
                self._made[forced] += 1
            numbers = np.concatenate([numbers[over], forced])
        self._forest.drop(numbers)
        self._unsettled = numbers

    def _search(self, numbers: Longs, job: SelfPlayJob) -> None:
        assert self._forest is not None
        if not len(numbers):
            return
        legal = [self._batch.legal_of(role)[numbers] for role in range(len(self._chance))]
        bits = self._bits(numbers)[:, : self.machine.circuit.searched]
        words = np.concatenate([_packed(bits), _packed(np.concatenate(legal, axis=1))], axis=1)
        new = self._new[numbers]
        for keep in (True, False):
            some = new != keep
            self._forest.put(numbers[some], words[some], job.simulations, keep=keep)
        self._new[numbers] = False

    def _chooses(self, numbers: Longs) -> Bools:
        """Return whether some role but chance has a choice.  # [D]."""
        counts = [self._batch.legal_of(role)[numbers].sum(axis=1) for role, own in enumerate(self._chance) if not own]
        chooses: Bools = np.max(counts, axis=0) > 1
        return chooses

    def _finish(self, numbers: Longs, done: _Finished) -> None:
        """Take the positions of games that have ended; games without a result or without positions do not count."""
        for number in numbers.tolist():
            plies = self._plies[number]
            if not self._batch.ended[number]:
                done.given_up += 1
            elif plies:
                done.plies.append(plies)
                goals = np.maximum(self._batch.goals[number], 0) / self.machine.points
                done.results.append(goals.astype(np.float32))

    def _begin(self, numbers: Longs, job: SelfPlayJob) -> None:
        """Begin new games."""
        if not len(numbers):
            return
        while len(self._states) < len(numbers):
            self._states += self._opened(job)
        self._batch.put(np.array([self._states.pop() for _ in numbers]), numbers)
        self._made[numbers], self._new[numbers] = 0, True
        for number in numbers.tolist():
            self._plies[number] = []

    def _opened(self, job: SelfPlayJob, spread: int = 0) -> list[Bytes]:
        """Return states at which games begin: in half of them, after random moves that do not end the game.

        With a `spread`, each game begins after up to so many random moves.
        """
        batch, rng = self._openings, self._rng
        batch.reset()
        left = rng.integers(0, job.opening + 1, GAMES) * rng.integers(0, 2, GAMES)
        if spread:
            left = rng.integers(0, spread + 1, GAMES)
        while (left > 0).any():
            before = batch.states.copy()
            batch.step(np.where(left > 0, NONE, STAY)[:, None].repeat(len(self._chance), axis=1))
            ended = np.flatnonzero(batch.ended & (left > 0))
            if len(ended):
                batch.put(before[ended], ended)
            left -= 1
            left[ended] = 0
        return [*batch.states.copy()]

    def _record(self, roots: Roots, targets: Singles) -> None:
        """Append a record of each searched position to its game."""
        observations = np.packbits(self._bits(roots.trees)[:, self._facts], axis=1)
        values, moves = role_values(roots, self._searcher), self._numbers[roots.moves]
        policies = [[_NO_CHOICE] * len(self._chance) for _ in roots.trees]
        for group, (place, role) in enumerate(zip(roots.places.tolist(), roots.roles.tolist(), strict=True)):
            own = slice(roots.starts[group], roots.starts[group + 1])
            policies[place][role] = moves[own], targets[own]
        for place, number in enumerate(roots.trees.tolist()):
            ply = _Ply(observations[place], tuple(policies[place]), values[place], int(self._made[number]))
            self._plies[number].append(ply)

    def _bits(self, numbers: Longs) -> Bytes:
        """Return the values of all bases of the circuit in some games.  # [D, bases]."""
        return np.unpackbits(self._batch.states[numbers], axis=1, count=len(self.machine.circuit.bases))

    def _as_games(self, done: _Finished) -> Games:
        lengths = [len(plies) for plies in done.plies]
        every = [ply for plies in done.plies for ply in plies]
        roles = len(self._chance)
        ends = np.repeat(np.array(done.results, np.float32).reshape(-1, roles), lengths, axis=0)
        values = np.array([ply.values for ply in every], np.float32).reshape(-1, roles)
        return Games(
            np.array([ply.observation for ply in every], np.uint8).reshape(len(every), (len(self._facts) + 7) // 8),
            tuple(_sparse([ply.policies[role] for ply in every]) for role in range(roles)),
            _filled_in(values, ends),
            ends,
            np.repeat(np.arange(len(done.plies), dtype=np.int32), lengths),
            np.array([ply.ply for ply in every], np.int32),
        )


def _enough(job: SelfPlayJob, done: _Finished) -> bool:
    """Whether enough games are finished, or too many were given up."""
    return len(done.plies) >= job.games or done.given_up >= 2 * job.games


def _packed(bits: Bytes) -> Words:
    """Pack rows of bits into 64-bit words, the first bit lowest.  # [N, words]."""
    padded = np.zeros((len(bits), 64 * words_for(bits.shape[1])), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _filled_in(values: Singles, results: Singles) -> Singles:
    """Fill in missing values: in zero-sum games of two roles from the other role, else from the result.  # [P, R]."""
    if values.shape[1] == 2 and len(results) and np.allclose(results.sum(axis=1), 1):
        other = 1 - values[:, ::-1]
        values = np.where(np.isnan(values), other, values)
    completed: Singles = np.where(np.isnan(values), results, values).astype(np.float32)
    return completed


def _sparse(rows: list[tuple[Ints, Singles]]) -> Shares:
    starts = np.concatenate(([0], np.cumsum([len(moves) for moves, _ in rows]))).astype(np.int64)
    moves = np.concatenate([own for own, _ in rows] or [np.zeros(0, np.int32)])
    shares = np.concatenate([own for _, own in rows] or [np.zeros(0, np.float32)])
    return Shares(starts, moves.astype(np.uint16), shares.astype(np.float16))


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
