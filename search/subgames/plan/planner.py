"""Planner of a compound game of one role, from a state of the whole to its end.

It works in rounds: explore the subgames up to a number of states each, combine them, search for an end of the best
value, then of the next best, until nothing better is left. The round in which all subgames are completely explored is
the last, and its result is proven. Each plan is played on the whole game before it is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from reasoner.errors import LimitError
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.points import worth
from search.clock import Clock
from search.factoring.factors import Factoring
from search.options import SearchOptions
from search.subgames.plan.best_first import FULL, STATUS, BestFirst
from search.subgames.plan.errors import ContradictionError, TooMuchError
from search.subgames.plan.plan_check import played
from search.subgames.plan.preparation import Preparation
from search.subgames.plan.product_game import ProductGame, assembled

SHARE = 4
"""The planner gets the memory of the options divided by this, in thirds: states, distances and search."""

ROUNDS = (30_000, 1_000_000, 1 << 40)
"""States of each subgame, round by round."""

NOTHING = -1
"""In place of a value: no plan is known."""

BATCH = 1 << 15
"""States of a subgame to expand between looks at the clock."""


class Planner:
    """Plans from `state` to the end. One thread thinks and advances; another may read the results meanwhile."""

    def __init__(
        self, machine: CircuitMachine, factoring: Factoring, state: State, options: SearchOptions, clock: Clock
    ) -> None:
        if len(machine.roles) != 1 or not isinstance(state, bytes):
            raise ValueError("plans are for games of one role, from a state that the circuit can represent")
        self._machine, self._factoring = machine, factoring
        self._options, self._clock = options, clock
        self._memory = options.memory_mib * 2**20 // SHARE // 3
        self.reason = ""  # why there is no plan, or where the subgames contradict the whole
        self.simulations = 0  # states of the whole evaluated from the present one
        self._best, self._proven = NOTHING, False
        self._plan: tuple[Term, ...] = ()
        self._state = state
        self._preparation: Preparation | None = None
        self._work: Iterator[None] | None = self._working()

    @property
    def value(self) -> float:
        """The value, 0..1, of the best plan known from the present state; -1 for none."""
        return worth(self._best, self._machine.points) if self._best != NOTHING else -1.0

    @property
    def proven(self) -> bool:
        """Whether no plan is better."""
        return self._proven

    @property
    def plan(self) -> tuple[Term, ...]:
        """The moves of the best plan."""
        return self._plan

    @property
    def states(self) -> int:
        """The number of visited states of all subgames."""
        return self._preparation.states if self._preparation else 0

    @property
    def done(self) -> bool:
        """Whether further thinking is useless."""
        return self._proven or self._work is None

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """Work until `deadline` in the clock's seconds, until `stop` returns True, or until nothing is left to do."""
        while self._work is not None and self._clock.now() < deadline and not (stop and stop()):
            try:
                if next(self._work, self) is self:
                    self._work = None
            except (TooMuchError, ContradictionError, LimitError, MemoryError) as error:
                self.reason, self._work = str(error) or "there is not enough memory", None
                if isinstance(error, ContradictionError):
                    self._best, self._plan, self._proven = NOTHING, (), False

    def advance(self, move: Term, state: State) -> None:
        """Continue from `state`, reached by `move`; a plan that begins with it is kept."""
        assert isinstance(state, bytes)  # no move leads out of the circuit's states
        if self._plan and self._plan[0] == move:
            self._plan = self._plan[1:]
        else:
            self._best, self._plan, self._proven = NOTHING, (), False
        self._state, self.simulations = state, 0
        if self.reason:
            return
        if self._preparation is not None and not self._preparation.advance(state):
            self._preparation = None
        if not self._proven:
            self._work = self._working()

    def _working(self) -> Iterator[None]:
        """Do all the work, step by step."""
        if self._machine.terminal(self._state) or not self._machine.legal(self._state)[0]:
            self._best, self._proven = self._machine.goal(self._state)[0] or 0, True
            return
        if self._preparation is None:
            preparation = Preparation(self._machine, self._factoring, self._state)
            yield from preparation.steps()
            self._preparation = preparation
        preparation = self._preparation
        for limit in ROUNDS:
            whole = preparation.whole
            if whole is None:
                yield from self._explore(limit)
                whole = yield from self._assembled()
                if preparation.complete:
                    preparation.whole = whole
            yield from self._search(whole)
            if self._proven or preparation.complete or preparation.spent >= self._memory:
                break

    def _assembled(self) -> Generator[None, None, ProductGame]:
        """Combine the subgames as far as they are explored."""
        preparation = self._preparation
        assert preparation is not None
        parts = []
        for k in range(len(preparation.explored)):
            parts.append(preparation.known(k))
            yield
        return (yield from assembled(parts, preparation.rows, preparation.clockwork, preparation.ends, self._memory))

    def _explore(self, limit: int) -> Iterator[None]:
        """Explore the subgames up to so many states each."""
        preparation = self._preparation
        assert preparation is not None
        for k, each in enumerate(preparation.explored):
            while each.grow(BATCH // max(1, each.classes), limit) and (
                preparation.spent < self._memory or preparation.modest(k)
            ):
                yield

    def _search(self, whole: ProductGame) -> Iterator[None]:
        """Search for the best end, then for the next best."""
        preparation = self._preparation
        assert preparation is not None
        missed = not preparation.complete
        most = int(self._machine.circuit.goals[:, 1].max(initial=0))
        for value in whole.values:
            if value <= self._best:
                break
            hunt = BestFirst(whole.board, whole.target(value), preparation.here, self._memory)
            while hunt.running:
                hunt.go_on()
                self.simulations += hunt.children
                if hunt.best_value > self._best:
                    self._take(hunt)
                yield
            missed |= bool(hunt.counts[STATUS] == FULL)
        self._proven = self._best != NOTHING and (not missed or self._best >= most)

    def _take(self, hunt: BestFirst) -> None:
        """Check a plan and keep it."""
        preparation = self._preparation
        assert preparation is not None
        rows = [preparation.rows.members[row] for row in hunt.line()]
        self._plan = played(self._machine, self._state, rows, hunt.best_value)
        self._best = hunt.best_value
