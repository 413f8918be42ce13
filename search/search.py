"""Interface of a search: begin at a state, think until a deadline, advance, and return the best move at any time.

One thread calls `think` and `advance`; `best` and `report` only read, and another thread may call them meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.clock import Clock, stop_at
from search.minimax.further_learning import FurtherLearning
from search.minimax.learning import Evaluation
from search.minimax.lesson import Lesson
from search.minimax.mixing import leaf_model
from search.minimax.search import MinimaxSearch
from search.minimax.start_learning import StartLearning, learnable
from search.minimax.weighed_facts import weighed_facts
from search.native.search import NativeSearch
from search.network.storage import Model
from search.options import SearchOptions
from search.plain.search import PlainSearch
from search.puzzle.portfolio import PuzzleSearch
from search.report import Report
from search.root.remote import Elsewhere, RootStats
from search.solver.kept_proofs import KeptProofs
from search.subgames.compound import CompoundSearch

PONDERED_SECONDS = 0.05
"""Seconds of learning or search at a time in the opponents' time."""

Thinker = PlainSearch | NativeSearch | CompoundSearch | PuzzleSearch | MinimaxSearch
"""The implementations: `PlainSearch` or, with a circuit, `NativeSearch`, alone or beside searches of subgames;
`MinimaxSearch` where an evaluation was learned."""


class Search:
    """Search for the best move of one role.

    `role` is an index into `machine.roles`; `state` is the first position. If the machine has a circuit, a
    `studied` network evaluates states and moves; in the search of a subgame, its inputs from the other subgames stay
    constant. Results of remote searches (`elsewhere`) are added to the local results. If the search `learns`, it may
    use a part of the time before the first move to learn an evaluation (`search.minimax`). A `lesson` of an earlier
    search of the same game replaces this.

    Raises SearchError if there is no such role, NetworkError if the network is for another game, and the machine's
    errors if the first position cannot be evaluated.
    """

    def __init__(
        self,
        machine: Machine,
        role: int,
        state: State,
        options: SearchOptions,
        clock: Clock,
        studied: Model | None = None,
        elsewhere: Elsewhere | None = None,
        lesson: Lesson | None = None,
        learns: bool = True,
    ) -> None:
        self._machine = machine
        self._role = role
        self._options = options
        self._clock = clock
        self._studied = studied
        self._elsewhere = elsewhere
        self._proofs: KeptProofs | None = None
        self._state = state
        self.lesson = lesson
        """What was learned before the first move; None: nothing yet."""
        self._learning: StartLearning | None = None
        self._further: FurtherLearning | None = None
        self._waiting = False  # whether a move was sent to the game manager, and the answer is not known
        self._searched = 0.0  # seconds of search while waiting
        self._mixed: Evaluation | None = None  # used beside playouts
        self._thinker: Thinker = self._begin(state)
        if (
            learns
            and studied is None
            and elsewhere is None
            and isinstance(self._thinker, NativeSearch | CompoundSearch)
        ):
            if lesson is None and learnable(machine, options) and state == machine.initial():
                self._learning = StartLearning(machine, options, clock)
            self._use_lesson()
        self._send_position(state, None)

    @property
    def forced(self) -> bool:
        """Whether the searching role has only one move, so that thinking cannot change the answer."""
        return self._thinker.forced

    @property
    def solved(self) -> bool:
        """Whether nothing is left to search in the position, or after the committed move (`commit`)."""
        return self._thinker.solved

    def think(
        self,
        deadline: float,
        stop: Callable[[], bool] | None = None,
        interrupted: Callable[[], bool] | None = None,
    ) -> None:
        """Search until `deadline` in the clock's seconds (``math.inf``: none).

        Returns earlier when `stop`, called every few milliseconds or before each simulation, returns true, when the
        position is solved, or when `options.simulations` are done in this position. A step starts only if it is
        expected to end in time. Pass the real deadline, and use `stop` to return early: on a slow machine, the deadline
        limits the length of playouts. If `interrupted` is true, the detection of subgames is abandoned, too; `stop`
        lets it end, so that the next call continues after it.
        """
        if self._learning is not None:
            self._learn(self._learning, deadline, stop)
        if self._waiting and self._further is not None and self._further.active:
            self._ponder(self._further, deadline, stop)
        if isinstance(self._thinker, CompoundSearch):
            self._thinker.think(deadline, stop, interrupted)
        else:
            self._thinker.think(deadline, stop)
        if isinstance(self._thinker, MinimaxSearch) and not self._thinker.usable:
            self.lesson = self._further = None
            self._thinker = self._begin(self._state)
            self._thinker.think(deadline, stop)

    def use_proofs(self, proofs: KeptProofs) -> None:
        """Use what a solver has proven in this game before, in games of two opposed roles; else without effect."""
        self._proofs = proofs
        if isinstance(self._thinker, CompoundSearch):
            self._thinker.use_proofs(proofs)

    def commit(self, move: Term) -> None:
        """Search only positions after `move`, which was sent to the game manager, until `advance`.

        Without effect if other roles choose at the same time, or if the move is not legal here.
        """
        self._waiting = True
        self._thinker.commit(move)
        if self._elsewhere is not None:
            self._elsewhere.commit(move)

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """Go to `state`, reached by the moves `joint`, one per role; keep the results of earlier searches of it."""
        self._learning, self._waiting, self._state = None, False, state
        if self._further is not None and (lesson := self._further.take()) is not None:
            self.lesson = lesson
            if isinstance(self._thinker, MinimaxSearch):
                self._thinker.renew(lesson.evaluation)  # of the same circuit
        if not isinstance(self._thinker, PlainSearch) and not self._native(state):
            self._thinker = self._begin(state)
        else:
            self._thinker.advance(joint, state)
        self._send_position(state, joint)

    def best(self) -> Term:
        """Return the move to play now; legal even before any thinking. Raises NoLegalMoveError if there is none."""
        return self._thinker.best()

    def report(self) -> Report:
        """Return the report of the position, with the counts since the last `advance`."""
        report = self._thinker.report()
        machine, state = self._machine, self._state
        if self._mixed is None or not isinstance(machine, CircuitMachine) or not isinstance(state, bytes):
            return report
        facts, bits = tuple(machine.circuit.bases), machine.bits(state)
        return replace(report, network="", evaluation=weighed_facts(facts, self._mixed.weights, bits, self._role))

    def root_stats(self) -> RootStats:
        """Return the local root statistics, to send to remote searches."""
        return self._thinker.root_stats()

    def _send_position(self, state: State, joint: Sequence[Term] | None) -> None:
        """Send the position to the remote searches."""
        if self._elsewhere is not None:
            self._elsewhere.go_to(self._machine.facts(state), joint)

    def _learn(self, learning: StartLearning, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Learn in the time before the first move, and search by what was learned if that pays."""
        learning.run(self._thinker, deadline, stop)
        if learning.finished:
            self._learning, self.lesson = None, learning.lesson
            self._use_lesson()
            if self.lesson is not None and isinstance(self._thinker, MinimaxSearch):
                self._further = learning.further()

    def _ponder(self, further: FurtherLearning, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Learn in a part of the opponents' time, and search in the rest of it."""
        while not (stop and stop()) and (now := self._clock.now()) < deadline and further.active:
            until = min(now + PONDERED_SECONDS, deadline)
            if self.solved or further.due(self._searched):
                further.run(until, stop)
            else:
                self._thinker.think(deadline, stop_at(until, self._clock, stop))
                self._searched += until - now  # also if nothing was left to search

    def _use_lesson(self) -> None:
        lesson, machine = self.lesson, self._machine
        if lesson is None or not isinstance(machine, CircuitMachine):
            return
        evaluation = lesson.evaluation_of(machine.circuit)
        if lesson.pays:
            self._thinker = MinimaxSearch(machine, self._role, self._state, self._options, self._clock, evaluation)
        elif lesson.mixes:
            self._mixed, self._studied = evaluation, leaf_model(machine, evaluation, lesson.weight)
            self._thinker = self._begin(self._state)

    def _native(self, state: State) -> bool:
        """Whether the machine has a circuit whose lanes can represent the state."""
        return isinstance(self._machine, CircuitMachine) and isinstance(state, bytes)

    def _begin(self, state: State) -> Thinker:
        if isinstance(self._machine, CircuitMachine) and isinstance(state, bytes):
            whole = NativeSearch(self._machine, self._role, state, self._options, self._clock, self._studied)
            whole.elsewhere = self._elsewhere
            if self._options.simulations:
                return whole
            if len(self._machine.roles) == 1:
                puzzle = PuzzleSearch(whole, self._machine, state, self._options, self._clock)
                return puzzle if self._options.solvers else whole
            if not (self._options.factoring or self._options.solvers):
                return whole
            own = self._machine, self._role, state, self._options, self._clock
            compound = CompoundSearch(whole, *own, self._studied)
            if self._proofs is not None:
                compound.use_proofs(self._proofs)
            return compound
        plain = PlainSearch(self._machine, self._role, state, self._options, self._clock)
        plain.elsewhere = self._elsewhere
        return plain
