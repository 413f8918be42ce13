"""The handle of a search: begin at a state, think until a moment, move on, ask for the best move at any time.

One thread thinks and advances; `best` and `report` only read, and may be called from another thread meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.clock import Clock
from search.evaluation.evaluation import Evaluation
from search.native.search import NativeSearch
from search.network.storage import Studied
from search.options import SearchOptions
from search.plain.search import PlainSearch
from search.puzzle.portfolio import PuzzleSearch
from search.report import Report
from search.root.elsewhere import Elsewhere, RootFound
from search.subgames.compound import CompoundSearch
from search.subgames.planned import PlannedSearch


class Thinker(Protocol):
    """What does the work: `PlainSearch` or, on a circuit, `NativeSearch`, by itself or beside searches of subgames."""

    @property
    def forced(self) -> bool:
        """See `Search.forced`."""

    @property
    def solved(self) -> bool:
        """See `Search.solved`."""

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `Search.think`."""

    def commit(self, move: Term) -> None:
        """See `Search.commit`."""

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """See `Search.advance`."""

    def best(self) -> Term:
        """See `Search.best`."""

    def report(self) -> Report:
        """See `Search.report`."""

    def told(self) -> RootFound:
        """See `Search.told`."""


class Search:
    """A search for the best move of one role.

    `role` is an index into `machine.roles`; `state` the position to begin with. Raises SearchError on a role that
    does not exist, and what the machine raises when even the first position cannot be evaluated. An `evaluation` of
    this machine scores playouts that `options.cutoff` ends; without one, and without a circuit, none are cut off.
    What was `studied` of the game, a network, says in its place what states and moves are worth where the machine is a
    circuit, in subgames while the others stand still; NetworkError where it is of another game. What is found
    `elsewhere` is added to what is found here.
    """

    def __init__(
        self,
        machine: Machine,
        role: int,
        state: State,
        options: SearchOptions,
        clock: Clock,
        evaluation: Evaluation | None = None,
        studied: Studied | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self._machine = machine
        self._role = role
        self._options = options
        self._clock = clock
        self._evaluation = evaluation
        self._studied = studied
        self._elsewhere = elsewhere
        self._thinker = self._begun(state)
        self._tell(state, None)

    @property
    def forced(self) -> bool:
        """Whether the searching role has no choice here, so that nothing is gained by thinking before the answer."""
        return self._thinker.forced

    @property
    def solved(self) -> bool:
        """Whether nothing is left to find out about the position, or about the move that was committed to."""
        return self._thinker.solved

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """Search until `deadline` in the clock's seconds (``math.inf``: none).

        Returns earlier when `stop` says so, asked every few milliseconds or before each simulation, when the position
        is solved, or when `options.simulations` are done in this position. Nothing is begun that may not end in time.
        Give the real deadline, and use `stop` to come back early: how much a slow machine may play out depends on it.
        """
        self._thinker.think(deadline, stop)

    def commit(self, move: Term) -> None:
        """Tell that `move` was answered: until `advance`, think only on what can follow it.

        Without effect where other roles choose at the same time, or on a move that is not legal here.
        """
        self._thinker.commit(move)
        if self._elsewhere is not None:
            self._elsewhere.commit(move)

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """Go on from `state`, reached by the moves `joint`, one a role; what is known of it is kept."""
        if not isinstance(self._thinker, PlainSearch) and not self._native(state):
            self._thinker = self._begun(state)
        else:
            self._thinker.advance(joint, state)
        self._tell(state, joint)

    def best(self) -> Term:
        """The move to play now; legal also before any thinking. Raises NoLegalMoveError where there is none."""
        return self._thinker.best()

    def report(self) -> Report:
        """What is known of the position, and what it took since the last `advance`."""
        return self._thinker.report()

    def told(self) -> RootFound:
        """What is known of the position here, as it is told to searches elsewhere."""
        return self._thinker.told()

    def _tell(self, state: State, joint: Sequence[Term] | None) -> None:
        """Have the position searched elsewhere, too."""
        if self._elsewhere is not None:
            self._elsewhere.go_to(self._machine.facts(state), joint)

    def _native(self, state: State) -> bool:
        """Whether the lanes of a circuit can hold the state."""
        return isinstance(self._machine, CircuitMachine) and isinstance(state, bytes)

    def _begun(self, state: State) -> Thinker:
        if isinstance(self._machine, CircuitMachine) and isinstance(state, bytes):
            known = self._evaluation, self._studied
            whole = NativeSearch(self._machine, self._role, state, self._options, self._clock, *known)
            whole.elsewhere = self._elsewhere
            if self._options.simulations:
                return whole
            if len(self._machine.roles) == 1:
                return self._puzzle(whole, self._machine, state)
            if not self._options.factoring:
                return whole
            return CompoundSearch(whole, self._machine, self._role, state, self._options, self._clock, self._studied)
        plain = PlainSearch(self._machine, self._role, state, self._options, self._clock)
        plain.elsewhere = self._elsewhere
        return plain

    def _puzzle(self, whole: NativeSearch, machine: CircuitMachine, state: bytes) -> Thinker:
        """The search of a game of one role."""
        inner: NativeSearch | PlannedSearch = whole
        if self._options.factoring:
            inner = PlannedSearch(whole, machine, state, self._options, self._clock)
        if not self._options.ideas:
            return inner
        return PuzzleSearch(inner, machine, state, self._options, self._clock)
