"""A graph viewed as conjunctions of many literals.

A gate is part of the conjunction of another gate if that gate is its only reader and reads it uncomplemented. The
remaining gates are the *wide* gates. Each is the AND of its *leaves*, which are literals of inputs and of other wide
gates. An OR is the complement of a wide gate whose leaves are the complements of the OR's operands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Literals, Longs
from reasoner.circuit.graph import FALSE, GateStore, Graph, conjunction, sort_distinct
from reasoner.kernels import kernel


@dataclass(frozen=True, eq=False)
class Logic:
    """A graph and its output literals: the input and the result of a pass."""

    graph: Graph
    outputs: Literals

    @cached_property
    def wide(self) -> Wide:
        """The wide gates that the outputs need; cached, because many passes leave a graph unchanged."""
        graph = self.graph
        return _widened(graph.left, graph.right, graph.first_gate, np.ascontiguousarray(self.outputs, np.int32))


class Wide(NamedTuple):
    """W wide gates in topological order. Leaves are literals of the viewed graph."""

    nodes: Ints  # [W] the node of each gate in the graph
    number: Ints  # [nodes of the graph] the number of the node's wide gate, -1 if it has none
    start: Longs  # [W + 1] the leaves of gate g are leaves[start[g] : start[g + 1]]
    leaves: Literals  # sorted within a gate, without repetition
    readers: Ints  # [nodes of the graph] number of wide gates and outputs that read a node


@kernel
def _widened(left: Literals, right: Literals, first_gate: int, outputs: Literals) -> Wide:
    nodes = first_gate + len(left)
    reads = np.zeros(nodes, np.int32)
    whole = np.zeros(nodes, np.bool_)  # an output or a complemented operand reads the node
    for literal in outputs:
        reads[literal >> 1] += 1
        whole[literal >> 1] = True
    live = 0
    for node in range(nodes - 1, first_gate - 1, -1):
        if reads[node]:
            live += 1
            for literal in (left[node - first_gate], right[node - first_gate]):
                reads[literal >> 1] += 1
                if literal & 1:
                    whole[literal >> 1] = True
    kept = np.empty(live, np.int32)
    number = np.full(nodes, -1, np.int32)
    count = 0
    for node in range(first_gate, nodes):
        if reads[node] > 1 or (reads[node] and whole[node]):
            kept[count], number[node] = node, count
            count += 1
    start = np.zeros(count + 1, np.int64)
    leaves = np.empty(2 * live, np.int32)
    readers = np.zeros(nodes, np.int32)
    for literal in outputs:
        readers[literal >> 1] += 1
    stack = np.empty(live + 2, np.int32)
    end = 0
    for g in range(count):
        begin, height = end, 1
        stack[0] = 2 * kept[g]
        while height:
            height -= 1
            literal = stack[height]
            node = literal >> 1
            if node >= first_gate and (node == kept[g] or number[node] < 0):
                stack[height], stack[height + 1] = left[node - first_gate], right[node - first_gate]
                height += 2
            else:
                leaves[end] = literal
                end += 1
        end = begin + sort_distinct(leaves[begin:end])
        for i in range(begin, end - 1):
            if leaves[i] ^ 1 == leaves[i + 1]:
                leaves[begin], end = FALSE, begin + 1
                break
        for i in range(begin, end):
            readers[leaves[i] >> 1] += 1
        start[g + 1] = end
    return Wide(kept[:count].copy(), number, start, leaves[:end].copy(), readers)


def remade(logic: Logic, wide: Wide, start: Longs, leaves: Literals) -> Logic:
    """Return the graph with other leaves of the wide gates; those of gate g are leaves[start[g] : start[g + 1]]."""
    old = logic.graph
    graph = Graph(old.inputs, old.max_gates)
    literal = blank(old)
    fill(graph.reserve(len(leaves)), literal, wide.nodes, start, leaves)
    return Logic(graph, literal[logic.outputs])


def blank(graph: Graph) -> Literals:
    """Return an array for the new literal of each literal: inputs keep their literals, gates have -1."""
    literal = np.full(2 * (graph.first_gate + len(graph)), -1, np.int32)
    literal[: 2 * graph.first_gate] = np.arange(2 * graph.first_gate)
    return literal


@kernel
def fill(store: GateStore, literal: Literals, nodes: Ints, start: Longs, leaves: Literals) -> None:
    """Make, in order, the wide gates that have no new literal yet, and write their literals to `literal`."""
    for g in range(len(nodes)):
        if literal[2 * nodes[g]] < 0:
            made = conjunction(store, literal[leaves[start[g] : start[g + 1]]])
            literal[2 * nodes[g]], literal[2 * nodes[g] + 1] = made, made ^ 1


def gates(logic: Logic) -> int:
    """Return the number of gates that the outputs need."""
    graph = logic.graph
    return int(_needed(graph.left, graph.right, graph.first_gate, np.ascontiguousarray(logic.outputs, np.int32)))


@kernel
def _needed(left: Literals, right: Literals, first_gate: int, outputs: Literals) -> int:
    seen = np.zeros(first_gate + len(left), np.bool_)
    for literal in outputs:
        seen[literal >> 1] = True
    count = 0
    for node in range(first_gate + len(left) - 1, first_gate - 1, -1):
        if seen[node]:
            count += 1
            seen[left[node - first_gate] >> 1] = True
            seen[right[node - first_gate] >> 1] = True
    return count
