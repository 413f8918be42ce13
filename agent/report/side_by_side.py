"""Many games of one rulesheet, played at the same pace: in one batch on a circuit, else one after the other."""

from __future__ import annotations

from collections import Counter
from math import inf
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Floats, Ints, Longs
from reasoner.batch import NONE, Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance
from search import Search, SearchOptions
from search.batch import BatchOptions, BatchSearch
from search.clock import MonotonicClock
from search.options import FIXED_PLAYOUTS
from search.report import Report

CHUNK = 128
"""Games searched together: with FIXED_PLAYOUTS they fill the 512 lanes of a block."""
ALONE = 0
"""In place of CHUNK: the games are searched one after the other."""

Games = NDArray[np.intp]
"""Numbers of games."""

Moves = Counter[tuple[int, str]]
"""Number of positions, by role and move."""


class Table(Protocol):
    """N games with R roles, all from the initial state. A game that has ended keeps its last state."""

    ended: Bools  # [N]
    terminal: Bools  # [N] ended by the rules
    goals: Ints  # [N, R]; NONE without one

    def choices(self, games: Games) -> Ints:
        """Return the number of legal moves of each role, [games, R]. The moves are counted for `met`."""

    def keys(self, games: Games) -> Longs:
        """Return hashes of the states.  # [games]."""

    def search(self, games: Games, simulations: int, mixed: Bools) -> tuple[Ints, Floats]:
        """Return the chosen move and the expected value, 0..1, of each role, both [games, R].

        A move is NONE if the role was not searched, as for chance; an unknown value is nan.
        mixed: [games] whether several roles have a choice, so that the moves are drawn at random from the search.
        """

    def step(self, moves: Ints) -> None:
        """Make the joint moves, [N, R]; NONE stands for a random move. Other moves are counted for `met`."""

    def met(self) -> tuple[Moves, Moves]:
        """Return how often each move was legal, and how often a search chose it."""


def table_of(machine: Machine, games: int, seed: int, chunk: int = CHUNK) -> Table:
    """Return new games of a machine. `chunk` is the number of games that a circuit searches together, or ALONE."""
    if isinstance(machine, CircuitMachine) and chunk != ALONE:
        return LaneTable(machine, games, seed, chunk)
    return PlainTable(machine, games, seed)


class LaneTable:
    """Table of a circuit. A move is an index into `Batch.moves` of its role."""

    def __init__(self, machine: CircuitMachine, games: int, seed: int, chunk: int) -> None:
        self._machine, self._seed, self._rng, self._chunk = machine, seed, np.random.default_rng(seed), chunk
        self._batch = Batch(machine, games, seed, again=False)
        self._legal, self._chosen = ([np.zeros(len(own), np.int64) for own in self._batch.moves] for _ in range(2))
        self._searches: dict[int, BatchSearch] = {}
        self._players = [role for role, name in enumerate(machine.roles) if not is_chance(name)]
        self.ended, self.terminal, self.goals = self._batch.ended, self._batch.terminal, self._batch.goals

    def choices(self, games: Games) -> Ints:
        """See Table."""
        counts = np.zeros((len(games), len(self._legal)), np.int32)
        for role, seen in enumerate(self._legal):
            legal = self._batch.legal_of(role)[games]
            counts[:, role] = np.count_nonzero(legal, axis=1)
            seen += np.count_nonzero(legal, axis=0)
        return counts

    def keys(self, games: Games) -> Longs:
        """See Table."""
        return self._batch.hashes()[games].view(np.int64)

    def search(self, games: Games, simulations: int, mixed: Bools) -> tuple[Ints, Floats]:
        """See Table."""
        if simulations not in self._searches:
            options = BatchOptions(simulations=simulations, playouts=FIXED_PLAYOUTS, seed=self._seed)
            self._searches[simulations] = BatchSearch(self._machine, self._chunk, options)
        moves = np.full((len(games), len(self._legal)), NONE, np.int32)
        values = np.full(moves.shape, np.nan)
        states = self._batch.states
        for first in range(0, len(games), self._chunk):
            own = games[first : first + self._chunk]
            found = self._searches[simulations].search(states[np.resize(own, self._chunk)])
            some = slice(first, first + len(own))
            values[some] = found.roots[: len(own)]
            for role in self._players:
                drawn, best = found.drawn(role, self._rng)[: len(own)], found.best(role)[: len(own)]
                moves[some, role] = np.where(mixed[some], drawn, best)
        return moves, values

    def step(self, moves: Ints) -> None:
        """See Table."""
        for role, chosen in enumerate(self._chosen):
            chosen += np.bincount(moves[~self.ended, role] + 1, minlength=len(chosen) + 1)[1:]
        self._batch.step(moves)

    def met(self) -> tuple[Moves, Moves]:
        """See Table."""
        return self._counter(self._legal), self._counter(self._chosen)

    def _counter(self, counts: list[np.ndarray]) -> Moves:
        found: Moves = Counter()
        for role, own in enumerate(counts):
            found.update({(role, str(move)): int(n) for move, n in zip(self._batch.moves[role], own, strict=True)})
        return found


def _mean_value(report: Report) -> float:
    """Return the mean value of all simulations; that of the best move is too high if moves have few visits."""
    visits = sum(move.visits for move in report.moves)
    if report.mixed >= 0 or report.solved or not visits:
        return report.value
    return sum(move.visits * move.value for move in report.moves) / visits


class PlainTable:
    """Table of any machine, which searches one game at a time.

    A move is an index into the legal moves of its role in the position.
    """

    def __init__(self, machine: Machine, games: int, seed: int) -> None:
        self._machine, self._rng, self._clock = machine, Random(seed), MonotonicClock()
        self._states = [machine.initial()] * games
        self._legal = [machine.legal(self._states[0])] * games
        self._met: tuple[Moves, Moves] = Counter(), Counter()
        self._players = [role for role, name in enumerate(machine.roles) if not is_chance(name)]
        self.ended, self.terminal = np.zeros((2, games), np.bool_)
        self.ended[:] = not all(self._legal[0])
        self.goals = np.full((games, len(machine.roles)), NONE, np.int32)

    def choices(self, games: Games) -> Ints:
        """See Table."""
        for game in games.tolist():
            self._met[0].update((role, str(move)) for role, own in enumerate(self._legal[game]) for move in own)
        return np.array([list(map(len, self._legal[game])) for game in games.tolist()], np.int32)

    def keys(self, games: Games) -> Longs:
        """See Table."""
        return np.array([hash(self._states[game]) for game in games.tolist()], np.int64)

    def search(self, games: Games, simulations: int, mixed: Bools) -> tuple[Ints, Floats]:  # noqa: ARG002 -- drawn by Search
        """See Table."""
        moves = np.full((len(games), len(self._machine.roles)), NONE, np.int32)
        values = np.full(moves.shape, np.nan)
        for row, game in enumerate(games.tolist()):
            for role in self._players:
                if len(legal := self._legal[game][role]) > 1:
                    options = SearchOptions(simulations=simulations, memory_mib=64, seed=self._rng.getrandbits(32))
                    search = Search(self._machine, role, self._states[game], options, self._clock)
                    search.think(inf)
                    report = search.report()
                    moves[row, role], values[row, role] = legal.index(search.best()), _mean_value(report) / 100
        return moves, values

    def step(self, moves: Ints) -> None:
        """See Table."""
        machine = self._machine
        for game in np.flatnonzero(~self.ended).tolist():
            joint = []
            for role, own in enumerate(self._legal[game]):
                given = int(moves[game, role])
                joint.append(own[given] if given >= 0 else self._rng.choice(own))
                self._met[1][role, str(joint[-1])] += given >= 0 or len(own) == 1
            state = self._states[game] = machine.next(self._states[game], joint)
            self.terminal[game] = machine.terminal(state)
            legal = self._legal[game] = () if self.terminal[game] else machine.legal(state)
            self.ended[game] = self.terminal[game] or not all(legal)
            if self.terminal[game]:
                self.goals[game] = [NONE if goal is None else goal for goal in machine.goal(state)]

    def met(self) -> tuple[Moves, Moves]:
        """See Table."""
        return self._met
