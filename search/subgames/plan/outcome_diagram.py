"""Decision diagram of the whole's end over its subgames, one subgame a level.

Goals and termination are a graph over the signals of the subgames. Its residual at a time, once the step counter is
known, is a *root*; once the signals of the first k subgames are also known, a node of level k. Nodes with equal
residuals are merged, so that a game of many equal copies has a few nodes a level. The last level has *leaves*: whether
the game is over, and its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Ints, Longs
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.errors import LimitError
from search.subgames.plan.counter_schedule import OPEN, Values
from search.subgames.plan.errors import TooMuchError

Left = tuple[int, ...]
"""Residual outputs: literals for the end, and for each goal."""

DEAD = -1
"""In place of a node: the game is not over whatever the others show."""

MAX_EDGES = 300_000
MAX_GATES = 2_000_000
"""Limits: edges of the diagram, and gates made for it."""


@dataclass(frozen=True, eq=False)
class Diagram:
    """N nodes, level after level; those of the last level are leaves."""

    levels: Longs  # [K + 2] the first node of each level, and the end
    first: Longs  # [N] where a node's edges begin, one for each vector of the level's subgame
    edges: Ints  # nodes, or DEAD
    over: Bools  # [N] whether a leaf is an end; for an inner node, whether all leaves below are
    value: Ints  # [N] of a leaf 0..100; -1 for others
    roots: Ints  # [roots] nodes, or DEAD

    def best(self, stuck: bool) -> Ints:
        """Return the best value of an end under each node, -1 for none; if `stuck`, any leaf may be an end.  # [N]."""
        best = np.where(self.over | stuck, self.value, -1).astype(np.int32)
        for node in range(self.levels[-2] - 1, -1, -1):
            edges = self.edges_of(node)
            edges = edges[edges != DEAD]
            best[node] = best[edges].max(initial=-1)
        return best

    def edges_of(self, node: int) -> Ints:
        """Return the successors of an inner node, by vectors."""
        return self.edges[self.first[node] : self.first[node + 1]]

    def ending(self, level: int) -> Bools:
        """Return for each vector of a level's subgame whether it ends the game whatever the others show."""
        nodes = range(int(self.levels[level]), int(self.levels[level + 1]))
        before = self.edges[: self.first[self.levels[level]]]
        if DEAD in self.roots or DEAD in before:  # some vectors of the subgames before exclude an end
            return np.zeros(0, np.bool_)
        over = [(edges != DEAD) & self.over[edges] for edges in map(self.edges_of, nodes)]
        return np.logical_and.reduce(over) if over else np.zeros(0, np.bool_)


class OutcomeDiagram:
    """Collects the certain values at each time, and builds the diagram once the subgames' vectors are known."""

    def __init__(self, circuit: Circuit, signals: Sequence[tuple[int, ...]]) -> None:
        self.circuit, self.signals = circuit, signals
        self.first = 1 + len(circuit.bases) + len(circuit.legal)
        self.graph = Graph(sum(map(len, signals)), MAX_GATES)
        self.owner: list[int] = []  # by input of the graph its subgame
        self.inputs: dict[int, int] = {}  # by node of the circuit the literal of its signal
        for k, own in enumerate(signals):
            for literal in own:
                self.inputs.setdefault(literal >> 1, self.graph.input(len(self.owner)) ^ (literal & 1))
                self.owner.append(k)
        self.region = self._region()
        self.roots: list[Left] = []  # by time
        self._seen: dict[bytes, Left] = {}  # by the certain values of the region
        self._over: dict[int, int] = {}  # by node of the graph the set of subgames it reads
        self._spent = 0

    def _region(self) -> list[int]:
        """Return the nodes between the outputs and the signals in topological order."""
        waiting = [self.circuit.terminal >> 1, *(self.circuit.goals[:, 2] >> 1).tolist()]
        seen: set[int] = set()
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                if node >= self.first and node not in self.inputs:
                    gate = node - self.first
                    waiting += [int(self.circuit.left[gate]) >> 1, int(self.circuit.right[gate]) >> 1]
        return sorted(seen)

    def look(self, value: Values) -> None:
        """Add the circuit's values at the next time."""
        known = value[self.region].tobytes()
        if known not in self._seen:
            self._seen[known] = self._root(value)
        self.roots.append(self._seen[known])

    def _root(self, value: Values) -> Left:
        literal: dict[int, int] = {}
        for node in self.region:
            literal[node] = self._literal(node, int(value[node]), literal)
        of = [self.circuit.terminal, *self.circuit.goals[:, 2].tolist()]
        return tuple(literal[each >> 1] ^ (each & 1) for each in of)

    def _literal(self, node: int, value: int, known: dict[int, int]) -> int:
        if value != OPEN:
            return TRUE if value else FALSE
        if node in self.inputs:
            return self.inputs[node]
        if node < self.first:
            raise TooMuchError("goals or termination read facts outside all subgames")
        a, b = int(self.circuit.left[node - self.first]), int(self.circuit.right[node - self.first])
        return self._and(known[a >> 1] ^ (a & 1), known[b >> 1] ^ (b & 1))

    def _and(self, a: int, b: int) -> int:
        self._spent += 1
        try:
            return self.graph.and_(a, b)
        except LimitError:
            raise TooMuchError("goals and termination are too complex a combination of the subgames") from None

    def diagram(self, vectors: Sequence[Bools], stuck: bool) -> Diagram:
        """Build the diagram over the vectors that each subgame can show.  # vectors [K][vectors, signals].

        If the game may end for lack of moves (`stuck`), the value is also kept for states that are no end.
        """
        drawing = _Drawing(self, stuck)
        drawing.begin()
        for k, own in enumerate(vectors):
            drawing.descend(k, own)
        return drawing.finished()

    def reads(self, literal: int) -> int:
        """Return the set of subgames that a literal of the graph reads."""
        waiting = [literal >> 1]
        while waiting:
            node = waiting[-1]
            if node in self._over:
                waiting.pop()
            elif node < self.graph.first_gate:
                self._over[node] = 1 << self.owner[node - 1] if node else 0
            else:
                below = [each >> 1 for each in self.operands(node)]
                missing = [each for each in below if each not in self._over]
                waiting += missing
                if not missing:
                    self._over[node] = self._over[below[0]] | self._over[below[1]]
        return self._over[literal >> 1]

    def operands(self, node: int) -> tuple[int, int]:
        """Return the literals that a gate of the graph reads."""
        gate = node - self.graph.first_gate
        return int(self.graph.store.left[gate]), int(self.graph.store.right[gate])

    def given(self, literal: int, k: int, known: dict[int, int]) -> int:
        """Substitute `known` values of subgame k's inputs into a literal; results are added to `known`."""
        waiting = [literal >> 1]
        while waiting:
            node = waiting[-1]
            if node in known:
                waiting.pop()
            elif not self.reads(2 * node) >> k & 1:
                known[node] = 2 * node
            else:
                a, b = self.operands(node)
                missing = [each >> 1 for each in (a, b) if each >> 1 not in known]
                waiting += missing
                if not missing:
                    known[node] = self._and(known[a >> 1] ^ (a & 1), known[b >> 1] ^ (b & 1))
        if self._spent > MAX_GATES:
            raise TooMuchError("goals and termination are too complex a combination of the subgames")
        return known[literal >> 1] ^ (literal & 1)


class _Drawing:
    """A diagram under construction."""

    def __init__(self, ends: OutcomeDiagram, stuck: bool) -> None:
        self.ends, self.stuck = ends, stuck
        self.numbers: list[dict[Left, int]] = []  # by level
        self.edges: list[int] = []
        self.first: list[int] = []
        self.roots: list[int] = []

    def begin(self) -> None:
        level: dict[Left, int] = {}
        self.roots = [self._number(level, self._reduced(root)) for root in self.ends.roots]
        self.numbers.append(level)

    def descend(self, k: int, vectors: Bools) -> None:
        """Add the edges from level k."""
        level: dict[Left, int] = {}
        inputs = [1 + i for i, owner in enumerate(self.ends.owner) if owner == k]
        known = [dict(zip(inputs, np.where(vector, TRUE, FALSE).tolist(), strict=True)) for vector in vectors]
        for left in self.numbers[-1]:
            self.first.append(len(self.edges))
            if len(self.edges) + len(vectors) > MAX_EDGES:
                raise TooMuchError("the subgames have too many distinct outcomes to combine them")
            if any(self.ends.reads(literal) >> k & 1 for literal in left):
                after = [tuple(self.ends.given(literal, k, each) for literal in left) for each in known]
                self.edges += [self._number(level, self._reduced(each)) for each in after]
            else:
                self.edges += [self._number(level, left)] * len(vectors)
        self.numbers.append(level)

    def _reduced(self, left: Left) -> Left:
        """Simplify a residual if goals do not matter before the end."""
        if self.stuck:
            return left
        return (left[0], *(self.ends._and(left[0], literal) for literal in left[1:]))

    def _number(self, level: dict[Left, int], left: Left) -> int:
        """Return the node's number in its level."""
        return DEAD if left[0] == FALSE and not self.stuck else level.setdefault(left, len(level))

    def finished(self) -> Diagram:
        levels = np.cumsum([0, *map(len, self.numbers)])
        leaves = list(self.numbers[-1])
        values = self.ends.circuit.goals[:, 1].tolist()
        value, over = np.full(levels[-1], -1, np.int32), np.zeros(levels[-1], np.bool_)
        for node, left in enumerate(leaves, int(levels[-2])):
            held = {value for value, literal in zip(values, left[1:], strict=True) if literal == TRUE}
            value[node], over[node] = held.pop() if len(held) == 1 else 0, left[0] == TRUE
        first = np.array([*self.first, len(self.edges)], np.int64)
        edges = np.array(self.edges, np.int32)
        for k in range(len(levels) - 3, -1, -1):
            own = edges[first[levels[k]] : first[levels[k + 1]]]
            own[own != DEAD] += levels[k + 1]
            for node in range(int(levels[k]), int(levels[k + 1])):
                after = edges[first[node] : first[node + 1]]
                over[node] = bool(((after != DEAD) & over[after]).all())
        return Diagram(levels, first, edges, over, value, np.array(self.roots, np.int32))
