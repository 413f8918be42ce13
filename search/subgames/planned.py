"""Search of a compound game of one role: a planner over its subgames' tables, and a search of the whole game.

Both get equal time, until the plan is proven, or nothing is left to plan. The move with the better expected end is
played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import schedule
from reasoner.language.terms import Term
from reasoner.machine import State
from search.clock import Clock
from search.native.search import NativeSearch
from search.options import SearchOptions
from search.report import MoveReport, Report
from search.root.choice import BestLine
from search.root.remote import RootStats, with_line
from search.root.summary import played_first
from search.subgames.plan import Planner
from search.subgames.split_detector import Split, SplitDetector

TURN = 0.02
"""Seconds of a turn."""
SEVERAL = 2


class PlannedSearch:
    """A `Thinker` for a machine that is a circuit; see `search.search.Search` for its methods."""

    def __init__(
        self, whole: NativeSearch, machine: CircuitMachine, state: bytes, options: SearchOptions, clock: Clock
    ) -> None:
        self._whole, self._machine = whole, machine
        self._state, self._options, self._clock = state, options, clock
        self._detector = SplitDetector(machine.circuit, clock)
        self._split: Split | None = None
        self._planner: Planner | None = None
        self._left: CircuitMachine | None = None  # the machine that the split is of
        self._longest = TURN  # seconds of the planner's longest turn: some of its steps are long

    @property
    def forced(self) -> bool:
        """See `search.search.Search.forced`."""
        return self._whole.forced

    @property
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""
        return self._whole.solved or (self._planner is not None and self._planner.proven)

    @property
    def planned(self) -> bool:
        """Whether the best known line is a plan of subgames."""
        return self._planner is not None and bool(self._planner.plan) and 100 * self._planner.value >= self._whole.known

    @property
    def known(self) -> float:
        """See `NativeSearch.known`."""
        return max(self._whole.known, 100 * self._planner.value if self._planner is not None else -1.0)

    @property
    def line(self) -> tuple[Term, ...]:
        """The moves of the best known line."""
        return self._planner.plan if self.planned and self._planner is not None else self._whole.line

    @property
    def known_elsewhere(self) -> float:
        """See `NativeSearch.known_elsewhere`."""
        return self._whole.known_elsewhere

    @property
    def split(self) -> tuple[CircuitMachine, Split] | None:
        """The remaining game, and its subgames, if there are several."""
        if self._left is None or self._split is None or len(self._split.factoring.subgames) < SEVERAL:
            return None
        return self._left, self._split

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `search.search.Search.think`."""
        if self._planner is None and not self._whole.solved:
            self._begin(deadline)
        while not self.solved and (now := self._clock.now()) < deadline and not (stop and stop()):
            if self._planner is None or self._planner.done or now + self._longest > deadline:
                self._whole.think(deadline, stop)
                continue
            self._planner.think(deadline, self._in_turn(stop))
            self._longest = max(self._longest, self._clock.now() - now)
            self._whole.think(deadline, self._in_turn(stop))

    def _in_turn(self, stop: Callable[[], bool] | None) -> Callable[[], bool]:
        end = self._clock.now() + TURN
        return lambda: self._clock.now() >= end or bool(stop and stop())

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""
        self._whole.commit(move)

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """See `search.search.Search.advance`."""
        self._whole.advance(joint, state)
        assert isinstance(state, bytes)
        self._state = state
        if self._planner is not None and self._split is not None:
            self._planner.advance(joint[0], self._split.part.state(state))

    def best(self) -> Term:
        """See `search.search.Search.best`."""
        planner = self._planner
        if planner is None or not planner.plan or self._whole.forced:
            return self._whole.best()
        seen = max((each.value for each in self._whole.moves()), default=0.0)
        return planner.plan[0] if planner.proven or 100 * planner.value >= seen else self._whole.best()

    def root_stats(self) -> RootStats:
        """See `search.search.Search.root_stats`."""
        found, planner = self._whole.root_stats(), self._planner
        if planner is None or not planner.plan:
            return found
        return with_line(found, planner.plan[0], self._machine.roles[0], planner.value)

    def report(self) -> Report:
        """See `search.search.Search.report`."""
        found = replace(self._whole.report(), looking=self._detector.spent)
        planner = self._planner
        if planner is None or self._split is None:
            return found
        return replace(
            found,
            moves=self._told(found.moves),
            simulations=found.simulations + planner.simulations,
            nodes=found.nodes + planner.states,
            solved=self.solved,
            factors=f"{self._split.told}; {planner.reason}" if planner.reason else self._split.told,
            planned=planner.states,
            line=self.known,
        )

    def _told(self, moves: tuple[MoveReport, ...]) -> tuple[MoveReport, ...]:
        """Return the reports with the move to play first, and with the plan's value."""
        planner = self._planner
        if planner is None or not planner.plan or not moves:
            return moves
        return played_first(moves, self.best(), BestLine(planner.plan[0], planner.value))

    def _begin(self, deadline: float) -> None:
        """Start planning, if the game has subgames here."""
        began = self._clock.now()
        split = self._detector.split(self._state, deadline)
        if split is None:
            return
        left = CircuitMachine(schedule(split.part.circuit, self._machine.emitter), self._machine.relational)
        self._split, self._left = split, left
        self._planner = Planner(left, split.factoring, left.initial(), self._options, self._clock)
        self._detector.note(began)
