"""Search for games that have a circuit: implements the interface of `search.search.Search` on the native engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from reasoner.kernels.memory import address
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from search.clock import Clock
from search.native.cost_model import Costs
from search.native.engine import Engine
from search.native.layout import CLOSED, MAX_DISTANCE, OVER
from search.native.numbering import Numbering
from search.native.proof import put_outcome
from search.native.transpositions import put_node
from search.native.tree import Tree
from search.native.tree_view import TreeView
from search.network.compiled_network import CompiledNetwork
from search.network.storage import Model
from search.options import SearchOptions
from search.report import MoveReport
from search.root.choice import BestLine
from search.root.searcher import Searcher
from search.root.statistics import Legal, Statistics
from search.root.summary import move_reports

MIN_TREE_MIB = 8


class NativeSearch(Searcher):
    """Search for the best move of one role; the circuit must be able to represent each given state.

    One thread calls `think` and `advance`; another may call `best` and `report` meanwhile. `costs` are costs measured
    by an earlier search with the same machine and network architecture, so that they need no new measurement.
    """

    def __init__(
        self,
        machine: CircuitMachine,
        role: int,
        state: State,
        options: SearchOptions,
        clock: Clock,
        studied: Model | None = None,
        costs: Costs | None = None,
    ) -> None:
        super().__init__(machine, role, options, clock)
        self._machine = machine
        self._numbering = Numbering(self._game, machine)
        self._fitted = self._fit(studied) if studied is not None else None
        legal = machine.legal(state)
        choosing = [len(own) for own in legal if len(own) > 1]
        branching = max(sum(choosing), 4)
        tree = self._tree(len(choosing) > 1, branching)
        self._engine = Engine(self._numbering, tree, options, clock, self._fitted, costs)
        self._view = TreeView(tree, self._numbering)
        self._line: list[int] = []  # moves from the root to the best known end of a one-player game
        self._line_value = -1.0
        self._committed: list[int] = []  # moves from the root to the node at which descents begin
        self._root_lock = self._engine.lock
        self._enter(state)

    @property
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""
        nodes = self._engine.tree.nodes
        with self._engine.lock:
            proven = nodes[self._engine.root]["proof"] or nodes[self._engine.start]["proof"]
        return bool(proven) or self._line_value >= 1 or self._solved_elsewhere()

    @property
    def known(self) -> float:
        """Points, 0..100, at the end of the best known line of a one-player game; -1 if there is none."""
        return 100 * self._line_value if self._line else -1.0

    @property
    def line(self) -> tuple[Term, ...]:
        """The moves of the best known line of a one-player game."""
        return tuple(map(self._numbering.term, self._line))

    @property
    def known_elsewhere(self) -> float:
        """Points, 0..100, of the best end that remote searches reported in a one-player game; -1 if there is none."""
        bests = (best for other in self._others() for own in other.moves.values() for _, _, best in own.values())
        return 100 * max(bests, default=-0.01)

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `search.search.Search.think`."""
        began = self._clock.now()
        if not self.solved and not (stop and stop()):
            self._engine.run(deadline, stop)
            self._take_line()
        self._seconds += self._clock.now() - began

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""
        others = [own for role, own in enumerate(self._legal) if role != self._game.role]
        if len(self._own) < 2 or move not in self._own or any(len(own) != 1 for own in others):
            return
        number = self._numbering.number(self._game.role, move)
        if self._committed:
            return
        state = self._machine.next(self._state, self._numbering.joint(move, self._legal))
        node = self._node(state, self._machine.legal(state))
        if node:
            self._committed = [number]
            self._engine.start_at(node)
            if self._line[:1] == [number]:
                self._engine.expect_line(self._line_value, len(self._line) - 1)

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """See `search.search.Search.advance`."""
        self._take_line()
        self._seconds = 0.0
        self._advances += 1
        follows = bool(self._line) and len(joint) == 1 and self._numbering.term(self._line[0]) == joint[0]
        self._line = self._line[1:] if follows else []
        self._line_value = self._line_value if follows else -1.0
        self._enter(state)

    def prove(self, moves: Collection[Term], goals: Sequence[int]) -> bool:
        """Enter a proof: the position has the value `goals`, which the only role that chooses keeps by each of `moves`.

        The most visited of these moves becomes the move to play. Without effect, and False, before the first visits.
        Call it only between calls of `think`.
        """
        tree, outcome = self._engine.tree, 0
        with self._engine.lock:
            root, found = self._engine.root, self._statistics()
            if not tree.nodes[root]["count"] or found.moves is None:
                return False
            kept = [index for index, move in enumerate(self._own) if move in moves]
            best = max(kept, key=lambda index: found.by_slot[0].visits[index])
            outcome = put_outcome(tree.record, address(np.array(self._game.values(goals))))
            if outcome:
                edge = self._view.edge(root, best)
                tree.edges[edge]["proof"] = tree.nodes[root]["proof"] = outcome
                tree.edges[edge]["distance"] = tree.nodes[root]["distance"] = MAX_DISTANCE
        return bool(outcome)

    def statistics(self) -> Statistics:
        """Return the local statistics of the root: visits and means of each role's moves, and proofs."""
        with self._engine.lock:
            return self._statistics()

    def _statistics(self) -> Statistics:
        return self._view.statistics(self._engine.root)

    def _variation(self) -> tuple[tuple[Term, ...], ...]:
        return self._view.variation(self._engine.root)

    def _variations(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        return self._view.variations(self._engine.root)

    def _counts(self) -> tuple[int, int]:
        return self._engine.count("simulations"), self._engine.count("playouts")

    def _figures(self) -> Mapping[str, Any]:
        engine = self._engine
        return {
            "nodes": engine.tree.count("node_count") - 1,
            "unevaluated": 0,
            "threads": len(engine.thread_lanes),
            "tree_bytes": engine.tree.bytes,
            "line": self.known,
            "network": self._fitted.summary if self._fitted else "",
        }

    def _solved_elsewhere(self) -> bool:
        return any(other.proof for other in self._others())

    def _best_line(self) -> BestLine | None:
        """The best line of a one-player game."""
        return BestLine(self._numbering.term(self._line[0]), self._line_value) if self._line else None

    def moves(self) -> tuple[MoveReport, ...]:
        """Return `report().moves` without following the principal variation."""
        with self._engine.lock:
            return move_reports(self._found(), self._game.role, self._own)

    def set_model(self, studied: Model) -> None:
        """Switch to a network that differs only in the bias of its first layer; call before `advance`."""
        if self._fitted is not None:
            self._fitted.renew(studied.network)

    def _tree(self, joint: bool, branching: int) -> Tree:
        """Allocate an empty tree with the configured memory, or with less if the system has less."""
        memory, options, fitted = self._options.memory_mib, self._options, self._fitted
        width = self._numbering.width + (fitted.words if fitted else 0)
        shape = width, self._game.size, joint, branching, options.max_nodes
        priors = fitted is not None and fitted.prior > 0
        while True:
            try:
                return Tree(*shape, memory_mib=memory, priors=priors)
            except MemoryError:
                if memory <= MIN_TREE_MIB:
                    raise
                memory //= 2

    def _fit(self, studied: Model) -> CompiledNetwork:
        return CompiledNetwork(studied, self._machine.circuit, self._numbering.state_words, self._numbering.width)

    def _enter(self, state: State) -> None:
        """Set the root to `state`."""
        self._state = state
        self._legal: Legal = self._machine.legal(state)
        self._committed = []
        root = self._node(state, self._legal)
        if not root:
            self._engine.recycle_all()  # no other part of the tree leads to the new root
            root = self._node(state, self._legal)
        with self._engine.lock:
            self._engine.root = root
            self._engine.start_at(root)
        self._engine.begin_position()
        if self._line:
            self._engine.expect_line(self._line_value, len(self._line))

    def _node(self, state: State, legal: Legal) -> int:
        """Return the node of a state, inserting it if needed; prove it if it is terminal. 0: memory is full."""
        tree, words, length = self._engine.tree, self._numbering.packed(state, legal), self._numbering.state_words
        words = self._fitted.noted(words) if self._fitted else words
        node = put_node(tree.record, address(words), length)
        if not node:
            return 0
        if tree.nodes[node]["kind"] == CLOSED:
            tree.nodes[node]["proof"] = 0  # a won state that was never expanded: its proof gives no move to make
        if not tree.nodes[node]["proof"] and (self._machine.terminal(state) or not all(legal)):
            values = np.array(self._game.values(self._machine.goal(state)))
            tree.nodes[node]["kind"] = OVER
            tree.nodes[node]["proof"] = put_outcome(tree.record, address(values))
        return int(node)

    def _take_line(self) -> None:
        """Keep the best line that the lanes have found."""
        value, moves = self._engine.best_line()
        longer = value == self._line_value < 1 and len(self._committed) + len(moves) > len(self._line)
        if moves and (value > self._line_value or longer):
            self._line_value, self._line = value, self._committed + moves
