"""Pairs of games between two ways to play, both by the search of matches, equally long by processor time.

Both games of a pair begin with the same random moves. In one of them the first player has a seat and the second one all
others, in the other it is the other way round; what the seat got more by the first is the result of the pair. So games
of one role, of many, and those where all win together are compared alike, and what a network costs counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random

from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State
from reasoner.rules.chance import is_chance
from reasoner.rules.points import in_percent
from search.clock import MonotonicClock
from search.native.cost_model import Prices
from search.native.search import NativeSearch
from search.network.storage import Studied
from search.options import SearchOptions
from search.subgames.compound import CompoundSearch
from search.subgames.split_detector import SplitDetector

MEMORY_MIB = 64
SHORTEST = 0.005
"""Processor seconds for a move, at least."""
LOOKING = 60.0
"""Seconds of which the usual part goes to finding subgames, before a game begins."""
HALF = 50.0
"""The result of a pair in which both got as much."""

Way = Studied | None
"""How to play: by a network as its study says, or without one."""


class ThreadClock:
    """Processor time of the calling thread, so that neighbours on the machine count for nothing."""

    def now(self) -> float:
        """Seconds."""
        return time.thread_time()


@dataclass(frozen=True, slots=True)
class Pace:
    """seconds: of a thread for a move; opening: at most so many random moves begin a game, of which none ends it.

    max_steps: joint moves after which a game counts as it stands. shortest: seconds for a move on a busy machine.
    """

    seconds: float
    opening: int = 2
    max_steps: int = 500
    seed: int = 0
    shortest: float = SHORTEST


class Contest:
    """Plays pairs of games of one machine; pair number n of one seed begins alike whoever plays.

    Where threads get a part of a processor only, moves of later pairs get as much less: as many are played in a time.
    """

    def __init__(self, machine: CircuitMachine, pace: Pace) -> None:
        self._machine, self.pace = machine, pace
        self._seats = [role for role, name in enumerate(machine.roles) if not is_chance(name)]
        self._prices = {plays: Prices(plays=plays) for plays in (False, True)}  # of all searches here
        self._compound = self._comes_apart()
        self._had = self._passed = 0.0  # seconds of processors, and of the clock meanwhile, of all pairs

    @property
    def seconds(self) -> float:
        """For a move of the next pair."""
        pace, share = self.pace, self._had / self._passed if self._passed else 1.0
        return min(pace.seconds, max(pace.seconds * share, pace.shortest))

    def lengthen(self, seconds: float) -> None:
        """Give so many seconds for a move from now on."""
        self.pace = replace(self.pace, seconds=seconds)

    def pairs(
        self, pool: ThreadPoolExecutor, matches: Sequence[tuple[Way, Way, int]], stopped: Callable[[], bool]
    ) -> list[float]:
        """The results of pairs in 0..100, each of two players and a number; none of those that a stop cut short."""
        found = pool.map(lambda match: self.pair(*match, stopped=stopped), matches)
        return [result for result in found if result is not None]

    def pair(self, first: Way, second: Way, number: int, *, stopped: Callable[[], bool]) -> float | None:
        """The result of one pair for the first player; None where it was stopped."""
        seat, seconds = self._seats[number % len(self._seats)], self.seconds
        had, began = time.thread_time(), time.perf_counter()
        mine = self._goal(first, second, seat, number, seconds, stopped)
        theirs = self._goal(second, first, seat, number, seconds, stopped) if mine is not None else None
        self._had += time.thread_time() - had
        self._passed += time.perf_counter() - began
        return None if mine is None or theirs is None else HALF + (mine - theirs) / 2

    def _goal(
        self, own: Way, others: Way, seat: int, number: int, seconds: float, stopped: Callable[[], bool]
    ) -> float | None:
        """What a seat gets in one game of so many seconds a move."""
        rng, machine = self._drawn(number), self._machine
        state = self._opened(rng)
        players = {role: self._player(role, state, own if role == seat else others) for role in self._seats}
        for _ in range(self.pace.max_steps):
            if stopped():
                return None
            if machine.terminal(state) or not all(machine.legal(state)):
                break
            joint = [rng.choice(list(legal)) for legal in machine.legal(state)]
            for role, player in players.items():
                if not player.forced:
                    player.think(time.thread_time() + seconds)
                joint[role] = player.best()
            state = machine.next(state, tuple(joint))
            for player in players.values():
                player.advance(tuple(joint), state)
        return float(in_percent(machine.goal(state)[seat], machine.points))

    def _drawn(self, number: int) -> Random:
        return Random(f"{self.pace.seed} {number}")

    def _opened(self, rng: Random) -> State:
        """A state after some random moves, fewer where the game would end."""
        machine = self._machine
        state = machine.initial()
        for _ in range(rng.randint(min(2, self.pace.opening), self.pace.opening)):
            following = machine.next(state, tuple(rng.choice(list(own)) for own in machine.legal(state)))
            if machine.terminal(following) or not all(machine.legal(following)):
                break
            state = following
        return state

    def _comes_apart(self) -> bool:
        """Whether searches of matches search the subgames apart from the beginning."""
        machine, clock = self._machine, MonotonicClock()
        state = machine.initial()
        assert isinstance(state, bytes)
        looked = SplitDetector(machine.circuit, clock).split(state, clock.now() + LOOKING)
        return len(self._seats) > 1 and looked is not None

    def _player(self, role: int, state: State, studied: Way) -> NativeSearch | CompoundSearch:
        options = SearchOptions(threads=1, memory_mib=MEMORY_MIB, seed=self.pace.seed)
        prices = self._prices[studied is None or studied.weight < 1]
        clock = ThreadClock()
        whole = NativeSearch(self._machine, role, state, options, clock, None, studied, prices)
        if not self._compound:
            return whole
        assert isinstance(state, bytes)
        compound = CompoundSearch(whole, self._machine, role, state, options, clock, studied)
        compound.look(clock.now() + LOOKING)
        return compound
