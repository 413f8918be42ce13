"""Effects of a move on each base, as literals of one graph with equal conjunctions shared.

The graph has the inputs of the circuit: bases, then moves. In a phase of the step counter, if a role makes a certain
move, the next value of each base is a literal of this graph. If two moves give the same literals, they have the same
effect in all states and with all moves of the other roles. Structural hashing finds equal literals; it may miss equal
functions, but never reports different functions as equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from reasoner.arrays import Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_
from reasoner.circuit.restrict import copy, read
from reasoner.kernels import kernel
from search.factoring.limits import MAX_EFFECTS, Budget, TooLargeError
from search.factoring.retrial import CHANGED, VISITED, instead, readers_of
from search.factoring.step_counter import Phase

Effects = dict[int, list[tuple[int, int]]]
"""By move: the bases whose next value differs from the value after the role's first move, and this value's literal."""


class Trials:
    """Simulates the moves of a circuit, and builds the results in a graph, which several simulations may share."""

    def __init__(self, circuit: Circuit, graph: Graph, budget: Budget) -> None:
        self.circuit, self.graph, self.budget = circuit, graph, budget
        self.inputs = len(circuit.bases) + len(circuit.legal)
        self.first = 1 + self.inputs
        self.readers = readers_of(circuit, self.first)
        self.bases: dict[int, list[int]] = {}  # by node: the bases whose next value the node is
        for base, literal in enumerate(circuit.next[: circuit.searched].tolist()):
            self.bases.setdefault(literal >> 1, []).append(base)
        self.made = 0

    def under(self, fixed: Phase) -> Literals:
        """Return the circuit's nodes with some bases fixed and without the moves that are then illegal.  # [nodes]."""
        inputs = np.arange(self.first, dtype=np.int32) * 2
        for base, value in fixed:
            inputs[base + 1] = TRUE if value else FALSE
        node = self.copied(inputs)
        never = np.flatnonzero(read(node, self.circuit.legal) == FALSE)
        if not len(never):
            return node
        inputs[1 + len(self.circuit.bases) + never] = FALSE
        return self.copied(inputs)

    def effects(self, node: Literals, role: range, moves: Sequence[int]) -> tuple[Literals, Effects]:
        """Return the next values after the first of `moves`, and the differences from them after each move.

        If `moves` is empty, return the next values if the role makes no move. `node` is the circuit under a phase.
        """
        usual, row = self.after(node, role, moves[0] if moves else -1)
        return row, {move: list(self.instead(usual, row, moves[0], move)) for move in moves}

    def after(self, node: Literals, role: range, move: int) -> tuple[Literals, Literals]:
        """Return the nodes and the next values after a move of a role; move -1: no move.  # [nodes], [searched]."""
        inputs, moves = node[: self.first].copy(), 1 + len(self.circuit.bases)
        inputs[moves + np.arange(role.start, role.stop)] = FALSE
        if move >= 0:
            inputs[moves + move] = TRUE
        made = self.copied(inputs)
        return made, read(made, self.circuit.next[: self.circuit.searched])

    def instead(self, node: Literals, row: Literals, usual: int, move: int) -> Iterator[tuple[int, int]]:
        """Yield each base whose next value after `move` is not the one after `usual`, with its next value after `move`.

        `node` and `row` are the results of `after` for the move `usual`.
        """
        changed = self._changed(node, 1 + len(self.circuit.bases) + usual, 1 + len(self.circuit.bases) + move)
        bases = [base for each in changed.tolist() for base in self.bases.get(each, ())]
        found = read(node, self.circuit.next[bases])
        node[changed[::-1]] = self.readers.before[: len(changed)][::-1]
        self.made += len(bases)
        if self.made > MAX_EFFECTS:
            raise TooLargeError("the moves change too many facts to compare them")
        yield from sorted((base, new) for base, new in zip(bases, found.tolist(), strict=True) if new != row[base])

    def copied(self, inputs: Literals) -> Literals:
        """Return the circuit's nodes over other inputs.  # [1 + inputs] -> [nodes] literals."""
        gates = len(self.circuit.left)
        self.budget.spend(gates)
        node = np.zeros(self.first + gates, np.int32)
        node[: self.first] = inputs
        copy(self.graph.reserve(gates), self.circuit.left, self.circuit.right, self.first, node)
        return node

    def _changed(self, node: Literals, usual: int, move: int) -> Literals:
        """Make the node of `move` true instead of that of `usual`; return the changed nodes, these two first."""
        circuit, readers, most = self.circuit, self.readers, self.budget.room
        readers.changed[:2], readers.before[:2], readers.counts[CHANGED] = (usual, move), (TRUE, FALSE), 2
        node[usual], node[move] = FALSE, TRUE
        instead(self.graph.reserve(len(circuit.left)), circuit.left, circuit.right, self.first, node, readers, most)
        self.budget.spend(int(readers.counts[VISITED]))
        return readers.changed[: readers.counts[CHANGED]]


@kernel
def again(store: GateStore, left: Literals, right: Literals, first: int, node: Literals, cone: Literals) -> None:
    """Recompute the gates of a cone in order; `node` contains the values of the nodes outside the cone."""
    for at in cone:
        a, b = left[at - first], right[at - first]
        node[at] = and_(store, node[a >> 1] ^ (a & 1), node[b >> 1] ^ (b & 1))
