"""What a move does to each base, as literals of one graph with equal conjunctions shared.

The graph has the circuit's inputs: bases, then moves. Under a phase of the clock, with one move of a role made and its
others not, the next value of a base is a literal; where two moves give the same literals, no state and no move of the
other roles tells them apart. Structural hashing proves such equality and may miss it, never the other way.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph, Literals, Store, and_
from reasoner.kernels import kernel
from search.factoring.clock import Phase
from search.factoring.limits import MAX_EFFECTS, MAX_GATES, TooLargeError

Effects = dict[int, list[tuple[int, int]]]
"""By move: the bases it gives another next value than no move at all would, with the literal."""


class Trials:
    """Tries out moves on a circuit."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.inputs = len(circuit.bases) + len(circuit.legal)
        self.graph = Graph(self.inputs, 2 * MAX_GATES)
        self.first = 1 + self.inputs
        self.start, self.readers = _readers(circuit, self.first)
        self.tried = self.made = 0

    def under(self, fixed: Phase) -> Literals:
        """The circuit's nodes with some bases fixed, as literals of the graph.  # [nodes]."""
        inputs = np.arange(self.first, dtype=np.int32) * 2
        for base, value in fixed:
            inputs[base + 1] = TRUE if value else FALSE
        return self._copied(inputs)

    def effects(self, node: Literals, moves: range) -> Effects:
        """What each of a role's moves does, `node` holding the circuit under the phase."""
        none = node[: self.first].copy()
        none[1 + len(self.circuit.bases) + np.arange(moves.start, moves.stop)] = FALSE
        nothing = self._copied(none)
        return {move: list(self._effects(nothing, move)) for move in moves}

    def _copied(self, inputs: Literals) -> Literals:
        gates = len(self.circuit.left)
        self._count(gates)
        node = np.zeros(self.first + gates, np.int32)
        node[: self.first] = inputs
        _copy(self.graph.reserve(gates), self.circuit.left, self.circuit.right, self.first, node)
        return node

    def _effects(self, nothing: Literals, move: int) -> Iterator[tuple[int, int]]:
        circuit, source = self.circuit, 1 + len(self.circuit.bases) + move
        cone = _cone(self.start, self.readers, source, len(nothing), MAX_GATES - self.tried)
        self._count(len(cone))
        kept = nothing[cone]
        nothing[source] = TRUE
        _again(self.graph.reserve(len(cone)), circuit.left, circuit.right, self.first, nothing, cone)
        following = circuit.next[: circuit.searched]
        changed = nothing[following >> 1] ^ (following & 1)
        nothing[source], nothing[cone] = FALSE, kept
        without = nothing[following >> 1] ^ (following & 1)
        bases = np.flatnonzero(changed != without)
        self.made += len(bases)
        if self.made > MAX_EFFECTS:
            raise TooLargeError("the moves change too many facts to compare them")
        yield from zip(bases.tolist(), changed[bases].tolist(), strict=True)

    def _count(self, gates: int) -> None:
        self.tried += gates
        if self.tried >= MAX_GATES:
            raise TooLargeError("there are too many moves to try each of them out")


def _readers(circuit: Circuit, first: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The gates that read a node: ``readers[start[node] : start[node + 1]]``."""
    nodes = np.concatenate((circuit.left >> 1, circuit.right >> 1))
    order = np.argsort(nodes, kind="stable")
    start = np.zeros(first + len(circuit.left) + 1, np.int64)
    np.cumsum(np.bincount(nodes, minlength=len(start) - 1), out=start[1:])
    gates = np.tile(np.arange(len(circuit.left), dtype=np.int32) + np.int32(first), 2)
    return start, gates[order]


@kernel
def _copy(store: Store, left: Literals, right: Literals, first: int, node: Literals) -> None:
    for gate in range(len(left)):
        a, b = left[gate], right[gate]
        node[first + gate] = and_(store, node[a >> 1] ^ (a & 1), node[b >> 1] ^ (b & 1))


@kernel
def _again(store: Store, left: Literals, right: Literals, first: int, node: Literals, cone: Literals) -> None:
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
