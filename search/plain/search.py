"""Tree search in plain Python, over any machine: for games without a circuit, or until the circuit is built.

One thread calls `think` and `advance`; `best` and `report` only read, and another thread may call them meanwhile.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from random import Random
from typing import Any

from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.clock import Clock
from search.options import SearchOptions
from search.plain.budget import Budget
from search.plain.expansion import Expander
from search.plain.mcts import Mcts, calibrate, cost_of_calls
from search.plain.tree import Node, Tree
from search.root.choice import BestLine
from search.root.searcher import Searcher
from search.root.statistics import TURN, Statistics
from search.root.summary import principal_variation, variations


@contextmanager
def collector_paused() -> Iterator[None]:
    """Disable the garbage collector of this process for the block, without a pause at its end.

    The collector may walk the tree at any moment. With 100,000 nodes this takes a tenth of a second or more, enough to
    miss a deadline. Nodes are freed by reference counts (`Tree` breaks cycles itself). Objects alive at the end of the
    block are frozen, because the collector would otherwise walk the whole tree after the deadline. Without effect if
    the collector is already disabled.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()


class PlainSearch(Searcher):
    """Search for the best move of one role; see `search.search.Search`."""

    def __init__(self, machine: Machine, role: int, state: State, options: SearchOptions, clock: Clock) -> None:
        super().__init__(machine, role, options, clock)
        self._cost_known = False
        rng = Random(options.seed)
        self._expander = Expander(self._game, options, rng)
        self._root = self._start = self._expander.fresh(state)
        self._mcts = Mcts(self._game, Tree(self._root), self._expander, clock, rng)
        self._enter(self._root)

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
            or move not in self._own
        ):
            return
        key = self._own.index(move)
        child = expansion.children.get(key) or self._expander.child(self._mcts.tree, self._root, expansion, key)
        self._mcts.tree.reroot(child)
        self._start = child

    def advance(self, joint: Sequence[Term], state: State) -> None:  # noqa: ARG002 a tree needs only the state
        """See `search.search.Search.advance`."""
        self._seconds = 0.0
        self._advances += 1
        root = self._mcts.tree.table.get(state) or self._expander.fresh(state)
        self._enter(root)
        self._mcts.leave(root)

    def _statistics(self) -> Statistics:
        return self._root.statistics(self._game.role)

    def _variation(self) -> tuple[tuple[Term, ...], ...]:
        role = self._game.role
        return principal_variation(self._root, lambda node: node.statistics(role), _child, role)

    def _variations(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        role = self._game.role
        return variations(self._root, lambda node: node.statistics(role), _child, role)

    def _counts(self) -> tuple[int, int]:
        return self._mcts.simulations, self._mcts.playouts

    def _figures(self) -> Mapping[str, Any]:
        return {"nodes": len(self._mcts.tree), "unevaluated": self._expander.unevaluated}

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
        # there is no expansion if the game is over or a role has no move
        self._legal = root.expansion.legal if root.expansion else self._game.machine.legal(root.state)
        if not self._cost_known and root.expansion is not None:
            # The first estimate, or a new one after a turn without time for a simulation, because of a slow call.
            self._mcts.pace.guess(cost_of_calls(self._game, root.expansion, root.state, self._clock))
            self._cost_known = True

    def _budget(self, now: float, deadline: float) -> Budget:
        if not self._cost_known:
            self._mcts.pace.relax()
        # A fixed number of simulations must not depend on the available time.
        return Budget(self._mcts.pace, now, deadline, shared=not self._options.simulations)

    def _calibrated(self, budget: Budget) -> bool:
        """Measure the initial costs if they are unknown and time allows; return whether they are known."""
        pace = self._mcts.pace
        if not pace.length:
            calibrate(self._game, self._root.state, pace, self._clock, budget, self._options.max_steps)
            self._cost_known = pace.length > 0
        return pace.length > 0

    def _simulate(self, budget: Budget, stop: Callable[[], bool] | None) -> None:
        mcts, options = self._mcts, self._options
        most, before = options.simulations or inf, mcts.simulations
        while mcts.simulations < most and not self.solved and not (stop and stop()):
            now = self._clock.now()
            if not budget.allows(now, mcts.wanted) or not mcts.make_room(budget):
                self._cost_known = mcts.simulations > before
                return
            mcts.work(self._start, budget, now)


def _child(node: Node, key: int) -> Node | None:
    return node.expansion.children.get(key) if node.expansion is not None else None
