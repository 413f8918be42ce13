"""The search in plain Python, over any machine: for games without a circuit, or until it is built.

One thread thinks and advances; `best` and `report` only read, and may be called from another thread meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from random import Random

from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.clock import Clock
from search.errors import NoLegalMoveError
from search.game import SearchedGame
from search.options import SearchOptions
from search.plain.budget import Budget
from search.plain.calibration import Calibration, price_of_calls
from search.plain.collector import collector_paused
from search.plain.expansion import Expander
from search.plain.mcts import Mcts
from search.plain.tree import TURN, Node, Tree
from search.report import MoveReport, Report
from search.root.choice import choose, greedy
from search.root.summary import mixed, move_reports, played_first, principal_variation, worth_of


class PlainSearch:
    """A search for the best move of one role; see `search.search.Search`."""

    def __init__(self, machine: Machine, role: int, state: State, options: SearchOptions, clock: Clock) -> None:
        self._game = SearchedGame(machine, role)
        self._options = options
        self._clock = clock
        self._seconds = 0.0
        self._advances = 0
        self._priced = False
        rng = Random(options.seed)
        self._expander = Expander(self._game, options, rng)
        self._root = self._start = self._expander.fresh(state)
        self._legal: tuple[Term, ...] = ()
        self._mcts = Mcts(self._game, Tree(self._root), self._expander, clock, rng)
        self._enter(self._root)

    @property
    def forced(self) -> bool:
        """See `search.search.Search.forced`."""
        return len(self._legal) <= 1

    @property
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""
        return self._start.proof is not None or self._root.proof is not None or self._mcts.line.value >= 1

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `search.search.Search.think`; `stop` is asked before each simulation."""
        began = self._clock.now()
        with collector_paused():
            budget = self._budget(began, deadline)
            if not self.solved and not (stop and stop()) and self._calibrated(budget):
                self._simulate(budget, stop)
        self._seconds += self._clock.now() - began

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""
        expansion = self._root.expansion
        if (
            expansion is None
            or expansion.kind != TURN
            or expansion.roles[0] != self._game.role
            or move not in self._legal
        ):
            return
        key = self._legal.index(move)
        child = expansion.children.get(key) or self._expander.child(self._mcts.tree, self._root, expansion, key)
        self._mcts.tree.reroot(child)
        self._start = child

    def advance(self, joint: Sequence[Term], state: State) -> None:  # noqa: ARG002 the state tells all a tree needs
        """See `search.search.Search.advance`."""
        self._seconds = 0.0
        self._advances += 1
        root = self._mcts.tree.table.get(state) or self._expander.fresh(state)
        self._enter(root)
        self._mcts.leave(root)

    def best(self) -> Term:
        """See `search.search.Search.best`."""
        if not self._legal:
            raise NoLegalMoveError(self._game.machine.roles[self._game.role])
        expansion = self._root.expansion
        if expansion is None or len(self._legal) == 1:
            return self._legal[0]
        planned = self._mcts.line.moves.get(self._root.state)
        if planned is not None and self._mcts.line.value >= max(expansion.edges[0].bests):
            return planned
        if self._game.single:
            return self._legal[greedy(expansion.edges[0])]
        # Drawn anew for each position, yet the same however often it is asked for.
        rng = Random(self._options.seed + self._advances)
        return self._legal[choose(expansion, self._game.role, self._options, rng, self._worth)]

    def report(self) -> Report:
        """See `search.search.Search.report`."""
        mcts, root = self._mcts, self._root
        return Report(
            simulations=mcts.simulations,
            playouts=mcts.playouts,
            seconds=self._seconds,
            nodes=len(mcts.tree),
            moves=self._moves(),
            principal_variation=principal_variation(root, self._game.role),
            solved=self.solved,
            unevaluated=self._expander.unevaluated,
            mixed=mixed(root, self._game.role, self._options, self._worth),
        )

    def _worth(self, key: int) -> tuple[float, float]:
        return worth_of(self._root.expansion.children.get(key) if self._root.expansion else None, self._game.role)

    def _moves(self) -> tuple[MoveReport, ...]:
        found = move_reports(self._root, self._game.role, self._legal)
        return played_first(found, self.best(), 100 * self._planned()) if self._legal else found

    def _planned(self) -> float:
        """What the line that `best` follows from here leads to, 0..1; below 0 where it follows none."""
        line = self._mcts.line
        return line.value if line.moves.get(self._root.state) == self.best() else -1.0

    def _enter(self, root: Node) -> None:
        """Make `root` the position: its legal moves are asked for now, so that `best` never calls the machine."""
        self._root = self._start = root
        if root.expansion is None and root.proof is None:
            self._expander.open(root)
        self._legal = root.expansion.legal[self._game.role] if root.expansion else self._loose_moves(root.state)
        if not self._priced and root.expansion is not None:
            # At first, and where nothing could be done last time for the price: it may have been one slow moment.
            self._mcts.pace.guess(price_of_calls(self._game, root.expansion, root.state, self._clock))
            self._priced = True

    def _loose_moves(self, state: State) -> tuple[Term, ...]:
        """The moves of the searching role where the game is over or another role has none."""
        return self._game.machine.legal(state)[self._game.role]

    def _budget(self, now: float, deadline: float) -> Budget:
        if not self._priced:
            self._mcts.pace.relax()
        # A fixed number of simulations must not depend on how much time there happens to be.
        return Budget(self._mcts.pace, now, deadline, shared=not self._options.simulations)

    def _calibrated(self, budget: Budget) -> bool:
        """Whether the first prices are known; measures what is not known when there is time for it."""
        pace, most = self._mcts.pace, self._options.max_steps
        calibration = Calibration(self._game, self._root.state, pace, self._clock)
        if not pace.length:
            calibration.run(budget, most)
            self._priced = pace.length > 0
        elif not pace.slope and not self._options.simulations:
            calibration.again(budget, most)
        return pace.length > 0

    def _simulate(self, budget: Budget, stop: Callable[[], bool] | None) -> None:
        mcts, options = self._mcts, self._options
        most, before = options.simulations or inf, mcts.simulations
        while mcts.simulations < most and not self.solved and not (stop and stop()):
            now = self._clock.now()
            if not budget.allows(now, mcts.wanted) or not mcts.make_room(budget):
                self._priced = mcts.simulations > before
                return
            mcts.work(self._start, budget, now)
