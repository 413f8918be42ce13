"""Pairs of games between two players, which both use the search of matches, with equal processor time.

Both games of a pair start with the same random moves. In the first game, the first player plays one role (its *seat*)
and the second player plays all other roles. In the second game, they swap. The result of the pair compares the goals of
the seat in both games. So the same measure works for games of one role, of many roles, and for cooperative games, and
the time cost of a network counts.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.chance import is_chance
from reasoner.rules.points import in_percent
from search.clock import MonotonicClock
from search.minimax.learning import Evaluation
from search.minimax.lesson import Lesson
from search.minimax.mixing import leaf_model
from search.minimax.search import MinimaxSearch
from search.native.cost_model import Costs
from search.native.search import NativeSearch
from search.network.storage import Model
from search.options import SearchOptions
from search.subgames.compound import CompoundSearch
from search.subgames.split_detector import SplitDetector

MEMORY_MIB = 64
MIN_SECONDS = 0.005
"""Minimum processor seconds for a move."""
FACTORING_SECONDS = 60.0
"""Assumed start clock in seconds; finding subgames takes the usual share of it."""
HALF = 50.0
"""Result of a pair in which the seat got the same goal in both games."""

Player = Model | None
"""A player of match search, with the network of a study, or without one (then with an evaluation, if there is one)."""


def opening(machine: CircuitMachine, moves: int, pick: Callable[[Sequence[Term]], Term]) -> State:
    """Return the state after `moves` joint moves drawn by `pick`; fewer if the game would end."""
    state = machine.initial()
    for _ in range(moves):
        following = machine.next(state, tuple(map(pick, machine.legal(state))))
        if machine.terminal(following) or not all(machine.legal(following)):
            break
        state = following
    return state


class ThreadClock:
    """Processor time of the calling thread, so that other load on the machine does not count."""

    def now(self) -> float:
        """Return the time in seconds."""
        return time.thread_time()


@dataclass(frozen=True, slots=True)
class Pace:
    """Time and length of the games of a contest.

    seconds: thread time for a move. opening: maximum number of random moves at the start of a game, which never end the
    game. max_steps: joint moves after which the game stops, with the goals of its present state. shortest: least
    seconds for a move on a busy machine.
    """

    seconds: float
    opening: int = 2
    max_steps: int = 500
    seed: int = 0
    shortest: float = MIN_SECONDS


class Contest:
    """Plays pairs of games of one machine; pair number n of one seed has the same opening for all players.

    If a thread gets only a share of a processor, the time for moves of later pairs is reduced to this share. So the
    number of pairs in a given time stays the same. A player without a network uses the evaluation of `lesson` as in a
    match (`search.search`).
    """

    def __init__(self, machine: CircuitMachine, pace: Pace, lesson: Lesson | None = None) -> None:
        self._machine, self.pace = machine, pace
        self._evaluation: Evaluation | None = None  # by which a player without a network searches
        self._mixed: Model | None = None  # an evaluation that such a player uses beside playouts
        if lesson is not None and (lesson.pays or lesson.mixes):
            evaluation = lesson.evaluation_of(machine.circuit)
            if lesson.pays:
                self._evaluation = evaluation
            else:
                self._mixed = leaf_model(machine, evaluation, lesson.weight)
        self._seats = [role for role, name in enumerate(machine.roles) if not is_chance(name)]
        kinds = itertools.product((False, True), repeat=2)  # with a network or without, with playouts or without
        self._costs = {kind: Costs(plays=kind[1]) for kind in kinds}  # each shared by all searches of its kind
        self._compound = self._comes_apart()
        self._had = self._passed = 0.0  # processor seconds and clock seconds of all pairs so far

    @property
    def seconds(self) -> float:
        """Seconds for a move of the next pair."""
        pace, share = self.pace, self._had / self._passed if self._passed else 1.0
        return min(pace.seconds, max(pace.seconds * share, pace.shortest))

    def lengthen(self, seconds: float) -> None:
        """Set the seconds for each further move."""
        self.pace = replace(self.pace, seconds=seconds)

    def pairs(
        self, pool: ThreadPoolExecutor, matches: Sequence[tuple[Player, Player, int]], stopped: Callable[[], bool]
    ) -> list[float]:
        """Play pairs, each given by two players and a number; return the results, 0..100, of pairs not interrupted."""
        found = pool.map(lambda match: self.pair(*match, stopped=stopped), matches)
        return [result for result in found if result is not None]

    def pair(self, first: Player, second: Player, number: int, *, stopped: Callable[[], bool]) -> float | None:
        """Return the result of one pair for the first player, 0..100; None if the pair was interrupted."""
        seat, seconds = self._seats[number % len(self._seats)], self.seconds
        had, began = time.thread_time(), time.perf_counter()
        mine = self._goal(first, second, seat, number, seconds, stopped)
        theirs = self._goal(second, first, seat, number, seconds, stopped) if mine is not None else None
        self._had += time.thread_time() - had
        self._passed += time.perf_counter() - began
        return None if mine is None or theirs is None else HALF + (mine - theirs) / 2

    def _goal(
        self, own: Player, others: Player, seat: int, number: int, seconds: float, stopped: Callable[[], bool]
    ) -> float | None:
        """Play one game with `seconds` for a move, and return the goal of the seat, 0..100; None if interrupted."""
        rng, machine = Random(f"{self.pace.seed} {number}"), self._machine
        moves = rng.randint(min(2, self.pace.opening), self.pace.opening)
        state = opening(machine, moves, rng.choice)
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

    def _comes_apart(self) -> bool:
        """Return whether match search splits the game into subgames at the start."""
        machine, clock = self._machine, MonotonicClock()
        state = machine.initial()
        assert isinstance(state, bytes)
        looked = SplitDetector(machine.circuit, clock).split(state, clock.now() + FACTORING_SECONDS)
        return len(self._seats) > 1 and looked is not None

    def _player(self, role: int, state: State, model: Player) -> NativeSearch | CompoundSearch | MinimaxSearch:
        options = SearchOptions(threads=1, memory_mib=MEMORY_MIB, seed=self.pace.seed)
        clock = ThreadClock()
        if model is None and self._evaluation is not None:
            return MinimaxSearch(self._machine, role, state, options, clock, self._evaluation)
        model = model or self._mixed
        costs = self._costs[model is not None, model is None or model.weight < 1]
        whole = NativeSearch(self._machine, role, state, options, clock, model, costs)
        if not self._compound:
            return whole
        assert isinstance(state, bytes)
        compound = CompoundSearch(whole, self._machine, role, state, options, clock, model)
        compound.look(clock.now() + FACTORING_SECONDS)
        return compound
