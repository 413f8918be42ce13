"""What a move does to each base, as literals of one graph with equal conjunctions shared.

The graph has the circuit's inputs: bases, then moves. Under a phase of the clock, with one move of a role made and its
others not, the next value of a base is a literal; where two moves give the same literals, no state and no move of the
other roles tells them apart. Structural hashing proves such equality and may miss it, never the other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_
from reasoner.circuit.restrict import copy, read
from reasoner.kernels import kernel
from search.factoring.limits import MAX_EFFECTS, Budget, TooLargeError
from search.factoring.step_counter import Phase

Effects = dict[int, list[tuple[int, int]]]
"""By move: the bases it gives another next value than no move at all would, with the literal."""


class Trials:
    """Tries out moves on a circuit, into a graph that several may share."""

    def __init__(self, circuit: Circuit, graph: Graph, budget: Budget) -> None:
        self.circuit, self.graph, self.budget = circuit, graph, budget
        self.inputs = len(circuit.bases) + len(circuit.legal)
        self.first = 1 + self.inputs
        self.start, self.readers = _readers(circuit, self.first)
        self.made = 0

    def under(self, fixed: Phase) -> Literals:
        """The circuit's nodes with some bases fixed and moves that are illegal then not made.  # [nodes] literals."""
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
        """The next values where a role makes no move, and what each of `moves` of the role does instead.

        `node` holds the circuit under a phase.
        """
        none = node[: self.first].copy()
        none[1 + len(self.circuit.bases) + np.arange(role.start, role.stop)] = FALSE
        nothing = self.copied(none)
        without = read(nothing, self.circuit.next[: self.circuit.searched])
        return without, {move: list(self._effects(nothing, without, move)) for move in moves}

    def copied(self, inputs: Literals) -> Literals:
        """The circuit's nodes over other inputs.  # [1 + inputs] -> [nodes] literals."""
        gates = len(self.circuit.left)
        self.budget.spend(gates)
        node = np.zeros(self.first + gates, np.int32)
        node[: self.first] = inputs
        copy(self.graph.reserve(gates), self.circuit.left, self.circuit.right, self.first, node)
        return node

    def _effects(self, nothing: Literals, without: Literals, move: int) -> Iterator[tuple[int, int]]:
        circuit, source = self.circuit, 1 + len(self.circuit.bases) + move
        cone = _cone(self.start, self.readers, source, len(nothing), self.budget.gates)
        self.budget.spend(len(cone) + len(without))
        kept = nothing[cone]
        nothing[source] = TRUE
        again(self.graph.reserve(len(cone)), circuit.left, circuit.right, self.first, nothing, cone)
        changed = read(nothing, circuit.next[: circuit.searched])
        nothing[source], nothing[cone] = FALSE, kept
        bases = np.flatnonzero(changed != without)
        self.made += len(bases)
        if self.made > MAX_EFFECTS:
            raise TooLargeError("the moves change too many facts to compare them")
        yield from zip(bases.tolist(), changed[bases].tolist(), strict=True)


def _readers(circuit: Circuit, first: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The gates that read a node: ``readers[start[node] : start[node + 1]]``."""
    nodes = np.concatenate((circuit.left >> 1, circuit.right >> 1))
    order = np.argsort(nodes, kind="stable")
    start = np.zeros(first + len(circuit.left) + 1, np.int64)
    np.cumsum(np.bincount(nodes, minlength=len(start) - 1), out=start[1:])
    gates = np.tile(np.arange(len(circuit.left), dtype=np.int32) + np.int32(first), 2)
    return start, gates[order]


@kernel
def again(store: GateStore, left: Literals, right: Literals, first: int, node: Literals, cone: Literals) -> None:
    """Make the gates of a cone anew, in order, from what `node` says of the nodes outside it."""
    for at in cone:
        a, b = left[at - first], right[at - first]
        node[at] = and_(store, node[a >> 1] ^ (a & 1), node[b >> 1] ^ (b & 1))


@kernel
def _cone(start: NDArray[np.int64], readers: Literals, source: int, nodes: int, most: int) -> Literals:
    """The gates that a node reaches, in order; at most about `most` of them."""
    seen = np.zeros(nodes, np.bool_)
    found, at = [np.int32(source)], 0
    while at < len(found) and at <= most:
        node = found[at]
        at += 1
        for i in range(start[node], start[node + 1]):
            if not seen[readers[i]]:
                seen[readers[i]] = True
                found.append(readers[i])
    cone = np.array(found[1:], np.int32)
    cone.sort()
    return cone
