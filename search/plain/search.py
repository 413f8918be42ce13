"""Tree search in plain Python, over any machine: for games without a circuit, or until the circuit is built.

One thread calls `think` and `advance`; `best` and `report` only read, and another thread may call them meanwhile.
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
from search.plain.calibration import calibrate, price_of_calls
from search.plain.collector import collector_paused
from search.plain.expansion import Expander
from search.plain.mcts import Mcts
from search.plain.tree import Node, Tree
from search.report import Report
from search.root.choice import BestLine, best
from search.root.remote import Elsewhere, RootStats, added, improved, told
from search.root.statistics import TURN, Statistics
from search.root.summary import mixed, move_reports, played_first, principal_variation


class PlainSearch:
    """Search for the best move of one role; see `search.search.Search`."""

    def __init__(self, machine: Machine, role: int, state: State, options: SearchOptions, clock: Clock) -> None:
        self._game = SearchedGame(machine, role)
        self._options = options
        self._clock = clock
        self._seconds = 0.0
        self._advances = 0
        self._priced = False
        self.elsewhere: Elsewhere | None = None  # searches of the same position by other processes
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
        """See `search.search.Search.think`; `stop` is called before each simulation."""
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
        found = self._found()
        return best(
            found, self._game.role, self._legal, self._best_line(), self._options, self._options.seed + self._advances
        )

    def report(self) -> Report:
        """See `search.search.Search.report`."""
        mcts, role = self._mcts, self._game.role
        found = self._found()
        others = self.elsewhere.found() if self.elsewhere is not None else ()
        moves = move_reports(found, role, self._legal)
        return Report(
            simulations=mcts.simulations + sum(other.simulations for other in others),
            playouts=mcts.playouts + sum(other.playouts for other in others),
            seconds=self._seconds,
            nodes=len(mcts.tree),
            moves=played_first(moves, self.best(), self._best_line()) if moves else (),
            principal_variation=principal_variation(self._root, lambda node: node.statistics(role), _child, role),
            solved=self.solved,
            unevaluated=self._expander.unevaluated,
            mixed=mixed(found, role, self._options.mix_tolerance),
            elsewhere=len(others),
        )

    def told(self) -> RootStats:
        """Return the root statistics to send to remote searches."""
        roles = self._game.machine.roles
        found = self._root.statistics(self._game.role)
        line = self._best_line()
        plain = told(found, roles, self._mcts.simulations, self._mcts.playouts)
        return improved(plain, line.move, roles[0], line.value) if line is not None else plain

    def _found(self) -> Statistics:
        """Return the local and remote statistics of the root."""
        found = self._root.statistics(self._game.role)
        if self.elsewhere is None or self._root.expansion is None:
            return found
        legal, roles = self._root.expansion.legal, self._game.machine.roles
        return added(found, self.elsewhere.found(), roles, legal, self._game.chance)

    def _best_line(self) -> BestLine | None:
        """The best line of a one-player game, if it passes through the root."""
        line = self._mcts.line
        move = line.moves.get(self._root.state)
        return None if move is None else BestLine(move, line.value)

    def _enter(self, root: Node) -> None:
        """Set the root. Its legal moves are computed now, so that `best` never calls the machine."""
        self._root = self._start = root
        if root.expansion is None and root.proof is None:
            self._expander.open(root)
        self._legal = root.expansion.legal[self._game.role] if root.expansion else self._loose_moves(root.state)
        if not self._priced and root.expansion is not None:
            # At first, and after a turn without time for a simulation: the estimate may come from one slow call.
            self._mcts.pace.guess(price_of_calls(self._game, root.expansion, root.state, self._clock))
            self._priced = True

    def _loose_moves(self, state: State) -> tuple[Term, ...]:
        """Return the moves of the searching role where the game is over or another role has none."""
        return self._game.machine.legal(state)[self._game.role]

    def _budget(self, now: float, deadline: float) -> Budget:
        if not self._priced:
            self._mcts.pace.relax()
        # A fixed number of simulations must not depend on the available time.
        return Budget(self._mcts.pace, now, deadline, shared=not self._options.simulations)

    def _calibrated(self, budget: Budget) -> bool:
        """Whether the initial costs are known; measures them if time allows."""
        pace = self._mcts.pace
        if not pace.length:
            calibrate(self._game, self._root.state, pace, self._clock, budget, self._options.max_steps)
            self._priced = pace.length > 0
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


def _child(node: Node, key: int) -> Node | None:
    return node.expansion.children.get(key) if node.expansion is not None else None
