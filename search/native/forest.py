"""Searches of many positions of one game at once: each position has a tree, and all trees share one thread's lanes.

One position with a small number of simulations cannot keep 512 lanes busy, because only few of its descents may be
pending at a time. Here, each sweep serves the leaves of many positions.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints, Longs, Words
from reasoner.kernels import kernel
from reasoner.kernels.memory import address
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.play import lanes as lanes_of
from search.game import SearchedGame
from search.native.layout import CLOSED, TREE, Records, node_at
from search.native.numbering import Numbering
from search.native.recycling import recycle
from search.native.roots import Roots, read_roots
from search.native.thread_lanes import ThreadLanes
from search.native.transpositions import insert_node
from search.native.tree import Tree
from search.network.compiled_network import CompiledNetwork
from search.network.storage import Model
from search.options import SearchOptions, fixed_playouts

PENDING_PER_TREE = 4
"""Maximum number of pending batches of a tree."""
ENDED_LANES = 16
"""Ended lanes to wait for before results are collected."""
ENDLESS = 1 << 40


class Forest:
    """Searches of up to `count` positions at once, with `options.simulations` for each new position.

    `role` is the searching role. The values of other roles are those of their moves, as in every search.
    """

    def __init__(
        self, machine: CircuitMachine, role: int, count: int, options: SearchOptions, model: Model | None = None
    ) -> None:
        self._numbering = Numbering(SearchedGame(machine, role), machine)
        self.fitted: CompiledNetwork | None = None
        shown = width = self._numbering.width
        if model is not None:
            self.fitted = CompiledNetwork(model, machine.circuit, self._numbering.state_words, shown)
            width += self.fitted.words
        self._records: Records = np.zeros(count, TREE)
        legal = machine.legal(machine.initial())
        choosing = [len(own) for own in legal if len(own) > 1]
        priors = self.fitted is not None and self.fitted.prior > 0
        self._trees = [
            Tree(
                width,
                len(machine.roles),
                len(choosing) > 1,
                max(sum(choosing), 4),
                options.max_nodes,
                options.memory_mib,
                priors,
                self._records[number : number + 1],
            )
            for number in range(count)
        ]
        self._rules = self._numbering.rules(options)
        if self.fitted is not None:
            self._rules[0]["network"], self._rules[0]["width"] = address(self.fitted.record), width
        self._emitted = machine.program.code.load()
        program = lanes_of(machine.program, self._emitted)
        program = program._replace(decisive=int(options.decisive and machine.decisive))
        self.lanes = ThreadLanes(program, self._emitted.rows, self._records, False, options.seed, self.fitted)
        record = self.lanes.record
        share = 1.0 if self.fitted is None else self.fitted.share
        record["playouts_per_leaf"] = options.playouts if options.playouts and share else fixed_playouts(share)
        record["max_batches"], record["min_ended"] = PENDING_PER_TREE, ENDED_LANES
        record["max_steps"] = options.max_steps

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self._trees)

    def put(self, numbers: Longs, words: Words, simulations: int, *, keep: bool = True) -> None:
        """Set the positions of some trees, and allow the simulations; `keep` keeps what leads from the new position.

        words: [D, width] states and legal moves, as by `Numbering.packed`. No tree may have pending descents.
        """
        whole = np.zeros((len(numbers), int(self._records[0]["width"])), np.uint64)
        whole[:, : words.shape[1]] = words
        if self.fitted is not None:
            self.fitted.note_all(whole)
        for number in numbers[self._records["full"][numbers] > 0].tolist():
            self._trees[number].grow()
        if not keep:
            for number in numbers.tolist():
                self._trees[number].clear()
        missed = put_starts(self._records, numbers, address(whole), self._numbering.state_words, simulations)
        for number, row in zip(numbers[missed], whole[missed], strict=True):
            self._trees[number].clear()
            put_starts(self._records, np.array([number]), address(row), self._numbering.state_words, simulations)
        self._recycle(numbers)

    def run(self, enough: int) -> Longs:
        """Search until at least `enough` positions are finished, or all; return the numbers of their trees."""
        waiting = int(np.count_nonzero(self._records["start"]))
        self.lanes.record["enough"] = max(min(enough, waiting), 1)
        if waiting:
            self.lanes.record["needs_update"] = 1
            self.lanes.drive(self._rules, ENDLESS, ENDLESS)
        return finished_trees(self._records, self.lanes.pending)

    def roots(self, numbers: Longs) -> Roots:
        """Read the statistics of the positions of these trees."""
        return read_roots(self._records, self._rules, numbers)

    def drop(self, numbers: Longs) -> None:
        """Remove the positions of these trees; no descent may be pending there."""
        self._records["start"][numbers] = 0

    def _recycle(self, numbers: Longs) -> None:
        """Free memory in crowded trees."""
        own = self._records[numbers]
        crowded = (
            (own["full"] > 0) | (2 * own["node_count"] > own["max_nodes"]) | (2 * own["edge_count"] > own["max_edges"])
        )
        for number in numbers[crowded].tolist():
            record = self._records[number : number + 1]
            start, nodes, edges = (int(record[0][name]) for name in ("start", "max_nodes", "max_edges"))
            record[0]["start"] = recycle(record, start, start, nodes // 4, edges // 4)[1]


@kernel
def put_starts(trees: Records, numbers: Longs, words: int, state_words: int, simulations: int) -> Longs:
    """Set the starts of trees to states; return the places in `numbers` of those without memory for the state.

    words: address of [D, width] words.
    """
    missed, count = np.zeros(len(numbers), np.int64), 0
    for place in range(len(numbers)):
        tree = trees[numbers[place]]
        node = insert_node(tree, words + 8 * tree.width * place, state_words)
        if not node:
            missed[count] = place
            count += 1
            continue
        record = node_at(tree.nodes, node)
        if record.kind == CLOSED:
            record.proof = 0  # a won state that was never expanded: its proof gives no move to make
        tree.start = node
        tree.allowed = simulations
    return missed[:count]


@kernel
def finished_trees(trees: Records, pending: Ints) -> Longs:
    """Return the numbers of the trees whose search is finished."""
    found, count = np.zeros(len(trees), np.int64), 0
    for number in range(len(trees)):
        tree = trees[number]
        if tree.start and pending[number] == 0 and (tree.allowed == 0 or node_at(tree.nodes, tree.start).proof):
            found[count] = number
            count += 1
    return found[:count]
