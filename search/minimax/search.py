"""Alpha-beta search as a search of two roles that take turns: implements the interface of `search.search.Search`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from reasoner.arrays import Words
from reasoner.lanes import play
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from search.clock import Clock
from search.minimax.alpha_beta import BEST, COMPLETE, FULL, Steps, deepen, new_progress, restart
from search.minimax.expansion import Game, new_pack
from search.minimax.learning import Evaluation
from search.minimax.positions import (
    EXPANDED,
    FAULT,
    SOLVED,
    UNEVEN,
    USED,
    keep_marked,
    mark_kept,
    position_bytes,
    positions,
)
from search.minimax.transpositions import remember_all
from search.minimax.weighed_facts import weighed_facts
from search.native.numbering import Numbering
from search.native.tree import pack
from search.options import SearchOptions
from search.root.choice import BestLine
from search.root.searcher import Searcher
from search.root.statistics import JointMoves, MoveStatistics, Proof, Statistics
from search.root.summary import VARIATIONS

MAX_QUIET_STEP = 1.0
"""Greatest change of the evaluation by a quiet move, as a multiple of the root mean square of all changes."""
MARGIN, TOLERANCE = 1.2, 0.5
"""As in `alpha_beta.Steps`, likewise."""
MOBILITY = 1.0
"""What a role adds to its logit if only it has legal moves, and in proportion if it has more of them."""
MAX_STEP_SAMPLE = 1 << 14
"""Maximum number of positions from which the root mean square is computed."""
MIN_GROWTH = 1.5
"""Growth of the number of these positions after which it is computed again."""
SLICE_SECONDS = 0.003
MAX_VARIATION_MOVES = 8
"""Maximum moves of a reported line; few, because each move is made on the circuit."""
MIN_POSITIONS = 1 << 14
MAX_POSITIONS = 1 << 21
"""Maximum number of positions in memory, so that making room for more takes a tenth of a second."""
ROOM_SECONDS = 5e-8
"""Time to make room, for each position in memory, before it was measured."""


class MinimaxSearch(Searcher):
    """Search for the best move of one role by an evaluation; `NativeSearch` says which threads may call it."""

    def __init__(
        self,
        machine: CircuitMachine,
        role: int,
        state: State,
        options: SearchOptions,
        clock: Clock,
        evaluation: Evaluation,
    ) -> None:
        super().__init__(machine, role, options, clock)
        self._machine, self._evaluation = machine, evaluation
        self._numbering = Numbering(self._game, machine)
        emitted = machine.program.code.load()
        self._emitted, self._program = emitted, play.lanes(machine.program, emitted)
        self._rules = Game(
            starts=np.array(self._numbering.starts, np.int32),
            weights=evaluation.weights.astype(np.float32),
            mobility=MOBILITY,
            points=float(self._game.points),
        )
        words = self._numbering.state_words
        size = options.max_nodes or (options.memory_mib << 20) // position_bytes(words)
        self._positions = positions(min(max(size, MIN_POSITIONS), MAX_POSITIONS), words)
        self._pack = new_pack(self._program, emitted.rows, options.seed)
        self._renumbered = np.zeros(len(self._positions.sizes), np.int32)
        self._pack_seconds, self._room_seconds = SLICE_SECONDS, ROOM_SECONDS * len(self._positions.sizes)
        self._counted = 0  # expansions before this position
        self._root = self._start = 0
        self._steps, self._sampled = Steps(0.0, 0.0, 0.0), 0
        self._progress = new_progress()
        self._grow(0)  # compiles or loads the kernel
        self._enter(state)

    def renew(self, evaluation: Evaluation) -> None:
        """Replace the evaluation; the next position that is not the current one begins a new tree."""
        with self._root_lock:
            self._evaluation = evaluation
            self._rules = self._rules._replace(weights=evaluation.weights.astype(np.float32))
            self._positions.sizes[self._root] = 0  # the values below it are those of the former evaluation

    @property
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""
        return self._is_proven(self._root) or self._is_proven(self._start)

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `search.search.Search.think`."""
        began = now = self._clock.now()
        self._pack_seconds = min(self._pack_seconds, (deadline - now) / 4)  # after a time without the processor
        while now + self._pack_seconds < deadline and not (stop and stop()):
            packs = max(int(min(SLICE_SECONDS, (deadline - now) / 2) / self._pack_seconds), 1)
            with self._root_lock:
                how = self._grow(packs if self._measure_steps() else 1)
                if how == COMPLETE or (how == FULL and not self._make_room_before(deadline)):
                    break
            if how == FULL:
                now = self._clock.now()
                continue
            before, now = now, self._clock.now()
            each = (now - before) / packs
            self._pack_seconds = max(each, self._pack_seconds + (each - self._pack_seconds) / 8)
        self._seconds += self._clock.now() - began

    def _make_room_before(self, deadline: float) -> bool:
        """Make room if there is time; False if not, or if the game cannot be searched."""
        began = self._clock.now()
        if began + self._room_seconds > deadline or not self.make_room():
            return False
        self._room_seconds = max(self._clock.now() - began, ROOM_SECONDS)
        return True

    def _grow(self, packs: int) -> int:
        tree, progress, steps = self._positions, self._progress, self._steps
        return int(deepen(self._program, self._rules, tree, self._pack, self._start, progress, steps, packs))

    def _measure_steps(self) -> bool:
        """Compute the step of a quiet move from the first positions of the tree; return whether there are any."""
        tree, used = self._positions, min(int(self._positions.counts[USED]), MAX_STEP_SAMPLE)
        if used > 1 and used > MIN_GROWTH * self._sampled:
            changes = tree.logits[1:used] - tree.logits[tree.parents[1:used]]
            step = float(np.sqrt(np.mean(changes * changes)))
            self._steps, self._sampled = Steps(MAX_QUIET_STEP * step, MARGIN * step, TOLERANCE * step), used
        return used > 1

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""
        if move not in self._own or len(self._own) < 2:
            return
        number = self._numbering.number(self._game.role, move)
        for child in self._children(self._root):
            if self._positions.moves[child] == number:
                self._start = child
                restart(self._progress)

    def advance(self, _joint: Sequence[Term], state: State) -> None:
        """See `search.search.Search.advance`."""
        self._seconds = 0.0
        self._advances += 1
        self._room_seconds /= 2  # it may have been measured while the process waited for a processor
        self._enter(state)

    @property
    def usable(self) -> bool:
        """Whether the game has been searched without a fault."""
        return not self._positions.counts[FAULT]

    def _enter(self, state: State) -> None:
        with self._root_lock:
            self._state, self._legal = state, self._machine.legal(state)
            words, found = self._packed(state), -1
            for child in self._children(self._root):
                if (self._positions.states[child] == words).all():
                    found = child
            self._root = self._start = found if found >= 0 else self._reset(words)
            restart(self._progress)
            self._sampled = 0
            self._counted = int(self._positions.counts[EXPANDED])

    def _packed(self, state: State) -> Words:
        assert isinstance(state, bytes)
        return pack(self._machine.bits(state)[: self._machine.circuit.searched])

    def _reset(self, words: Words) -> int:
        """Start a new tree."""
        tree, weights = self._positions, self._evaluation.weights
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")[: len(weights)]
        tree.states[0], tree.logits[0] = words, self._evaluation.bias + float(weights @ bits)
        tree.values[0] = 0.5
        tree.sizes[0] = tree.visits[0] = tree.marks[0] = tree.parents[0] = 0
        tree.leads[0] = 0.0
        tree.depths[0] = tree.horizons[0] = tree.busy[0] = 0
        tree.counts[USED] = 1
        return 0

    def _children(self, node: int) -> range:
        first, count = int(self._positions.first[node]), int(self._positions.sizes[node])
        return range(first, first + count)

    def make_room(self) -> bool:
        """Free half of the memory: drop the positions outside the subtree of the root, then the least visited ones.

        False if the game cannot be searched.
        """
        if self._positions.counts[FAULT]:
            return False
        visits, renumbered = 0, self._renumbered
        while mark_kept(self._positions, self._root, visits, renumbered) > len(renumbered) // 2:
            visits = 2 * visits + 1
        root, start, best = int(renumbered[self._root]), int(renumbered[self._start]), int(self._progress.counts[BEST])
        self._progress.counts[BEST] = renumbered[best] if best >= 0 else -1
        keep_marked(self._positions, self._root, renumbered)
        remember_all(self._positions)
        self._root, self._start = root, start
        return True

    def _best(self, found: Statistics) -> Term:
        best = self._best_child()
        if best < 0 or self._positions.movers[self._root] != self._game.role:
            return super()._best(found)
        return self._numbering.term(int(self._positions.moves[best]))

    def _best_child(self) -> int:
        """Return the child of the root that the last test found best, or else that has the best value.

        -1: the root was not expanded, or is proven.
        """
        tree, root, best = self._positions, self._root, int(self._progress.counts[BEST])
        if self._is_proven(root) or not tree.sizes[root]:
            return -1
        if best >= 0 and self._start == root and not tree.marks[root] & SOLVED:
            return best
        return max(self._children(root), key=lambda child: self._value(child, int(tree.movers[root])))

    def _statistics(self) -> Statistics:
        tree, root = self._positions, self._root
        moves = JointMoves.of(self._legal, self._game.chance)
        if not tree.sizes[root] or len(moves.roles) != 1:
            return Statistics(0, 0.0)
        mover = moves.roles[0]
        of_move = {int(tree.moves[child]): child for child in self._children(root)}
        own = [of_move[self._numbering.number(mover, move)] for move in self._legal[mover]]
        means = [self._value(child, mover) for child in own]
        visits = [int(tree.visits[child]) + 1 for child in own]
        return Statistics(
            visits=sum(visits),
            total=sum(visits) * self._value(root, self._game.role),
            proof=self._proof(root),
            moves=moves,
            by_slot=(MoveStatistics(visits, means, means),),
            proofs={index: proof for index, child in enumerate(own) if (proof := self._proof(child))},
        )

    def _value(self, node: int, role: int) -> float:
        value = float(self._positions.values[node])
        return value if role == 0 else 1 - value

    def _is_proven(self, node: int) -> bool:
        """Whether the value of a position is exact, and is the points of each role: one has all, or ends share all."""
        tree = self._positions
        return bool(tree.marks[node] & SOLVED and (not tree.counts[UNEVEN] or tree.values[node] in (0, 1)))

    def _proof(self, node: int) -> Proof | None:
        if not self._is_proven(node):
            return None
        return Proof((self._value(node, 0), self._value(node, 1)), int(self._positions.distances[node]))

    def _variation(self) -> tuple[tuple[Term, ...], ...]:
        return self._line(self._root, self._state)

    def _variations(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        tree, root, lines = self._positions, self._root, list[tuple[tuple[Term, ...], ...]]()
        if not tree.sizes[root] or tree.movers[root] != self._game.role:
            return ()
        for child in self._by_value(root)[:VARIATIONS]:
            joint = self._joint(child, self._legal)
            lines.append((joint, *self._line(child, self._machine.next(self._state, joint))[: MAX_VARIATION_MOVES - 1]))
        return tuple(lines)

    def _line(self, node: int, state: State) -> tuple[tuple[Term, ...], ...]:
        """Return the best line from a position as far as it is known."""
        line = list[tuple[Term, ...]]()
        while self._positions.sizes[node] and len(line) < MAX_VARIATION_MOVES:
            node = self._by_value(node)[0]
            line.append(self._joint(node, self._machine.legal(state)))
            state = self._machine.next(state, line[-1])
        return tuple(line)

    def _by_value(self, node: int) -> list[int]:
        """Return the children, the best one for the role that moves first."""
        tree, mover = self._positions, int(self._positions.movers[node])
        best = self._best_child() if node == self._root else -1
        return sorted(
            self._children(node),
            key=lambda child: (child != best, -self._value(child, mover), -int(tree.visits[child])),
        )

    def _joint(self, child: int, legal: Sequence[Sequence[Term]]) -> tuple[Term, ...]:
        """Return the joint move that leads to a child."""
        mover = int(self._positions.movers[self._positions.parents[child]])
        move = self._numbering.term(int(self._positions.moves[child]))
        return tuple(move if role == mover else own[0] for role, own in enumerate(legal))

    def _best_line(self) -> BestLine | None:
        return None

    def _counts(self) -> tuple[int, int]:
        return int(self._positions.counts[EXPANDED]) - self._counted, 0

    def _figures(self) -> Mapping[str, Any]:
        used = int(self._positions.counts[USED])
        return {
            "nodes": used,
            "unevaluated": 0,
            "tree_bytes": used * position_bytes(self._positions.states.shape[1]),
            "evaluation": weighed_facts(
                tuple(self._machine.circuit.bases),
                self._evaluation.weights,
                np.unpackbits(self._packed(self._state).view(np.uint8), bitorder="little"),
                self._game.role,
            ),
        }
