"""A lane graph as row operations: the order of its gates, the row of each, and the copies that the bases need.

A section's operations are one stream of 32-bit words: the number of runs, then each run as its pattern, its length and
its operations, three rows each. Besides the patterns of gates (`reasoner.lanes.portable.order`) there are

    UPDATE       out = source in the lanes that are not in `left`  (left: the row HOLD; right: the source)
    UPDATE_NOT   the same with ~source
    DRAW         out = the next random row  (left: the first row of the generators' state)

Rows from FREE on are used again once nobody reads them any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reasoner.lanes.emitted import Emitted, Ints, Layout, Rows
from reasoner.lanes.lane_graph import CHOOSE, DRAWN, GOAL, LEGAL, NEXT, REST, SECTIONS, LaneGraph
from reasoner.lanes.portable.order import ANDNOT, DRAW, NOR, UPDATE, UPDATE_NOT, Gates, Order

Operation = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class PortableCode:
    """The streams of the five sections, and where their results lie."""

    rows: int
    streams: tuple[Rows, ...]  # per section
    legal: Rows  # [M] literals over rows, as the other results
    able: Rows
    terminal: int
    goals: Ints

    def load(self) -> Emitted:
        """See `reasoner.lanes.emitted.Code`."""
        from reasoner.lanes.portable.run import section_address  # a process that only emits needs no compiler

        return Emitted(
            emitter="portable",
            rows=self.rows,
            entries=np.full(len(self.streams), section_address(), np.int64),
            operands=np.array([stream.ctypes.data for stream in self.streams], np.int64),
            legal=self.legal,
            able=self.able,
            terminal=self.terminal,
            goals=self.goals,
            keep=self.streams,
        )


def emit(graph: LaneGraph) -> PortableCode:
    """The operations of a lane graph."""
    return _Emitter(graph).code()


class _Emitter:
    """Places gate after gate; sections are placed in the order in which they run, so that REST is before NEXT."""

    def __init__(self, graph: LaneGraph) -> None:
        self.graph = graph
        self.gates = Gates.of(graph)
        circuit = graph.circuit
        self.layout = Layout(len(circuit.bases), len(graph.legal))
        self.inputs = self.layout.hold  # nodes below are false, bases and moves, each in the row of its number
        self.rows = self.layout.free + graph.randoms
        self.row = [*range(self.inputs), *range(self.layout.free, self.rows), *[0] * len(graph.left)]
        self.given = self._given_rows()
        self.uses = self._uses()
        self.free: list[int] = []

    def code(self) -> PortableCode:
        graph = self.graph
        streams: dict[int, Rows] = {}
        order = Order(self.gates)
        for section in (LEGAL, GOAL, CHOOSE, REST, NEXT):
            first_run = len(order.runs)
            order.section(graph.sections[section].tolist())
            stream = _Stream()
            if section == CHOOSE:
                draws = range(self.layout.free, self.layout.free + graph.randoms)
                stream.run(DRAW, [(row, self.layout.random, 0) for row in draws])
            for pattern, start, end in order.runs[first_run:]:
                stream.run(pattern, [self._placed(node) for node in order.gates[start:end]])
            self._finish(section, stream)
            streams[section] = stream.words()
        goals = [(role, value, self._literal(literal)) for role, value, literal in graph.goals.tolist()]
        return PortableCode(
            rows=self.rows,
            streams=tuple(streams[section] for section in SECTIONS),
            legal=self._literals(graph.legal.tolist()),
            able=self._literals(graph.able.tolist()),
            terminal=self._literal(graph.terminal),
            goals=np.array(goals, np.int32).reshape(-1, 3),
        )

    def _finish(self, section: int, stream: _Stream) -> None:
        """Put a section's results where they belong."""
        searched, bases = self.graph.circuit.searched, self.layout.bases
        if section == LEGAL:
            stream.copies([(self.layout.stop, self._literal(self.graph.stop))])
        elif section == CHOOSE:
            stream.copies(self._move_copies())
        elif section == REST:
            self._updates(stream, range(searched, bases))
        elif section == NEXT:
            self._updates(stream, range(searched))

    def _given_rows(self) -> dict[int, int]:
        """Gates of the choice that can be computed straight into the row of their move."""
        chooses = set(self.graph.sections[CHOOSE].tolist())
        given: dict[int, int] = {}
        for move, literal in enumerate(self.graph.chosen.tolist()):
            if not literal & 1 and literal >> 1 in chooses:
                given.setdefault(literal >> 1, 1 + self.layout.bases + move)
        return given

    def _uses(self) -> list[int]:
        """How often each node is read; an output is read once more than ever happens, so that it keeps its row."""
        graph = self.graph
        chosen = graph.chosen[graph.chosen != DRAWN]
        outputs = [graph.legal, graph.able, [graph.terminal, graph.stop], graph.goals[:, 2], chosen, graph.next]
        nodes = np.concatenate([graph.left, graph.right, *outputs]).astype(np.int64) >> 1
        counts: list[int] = np.bincount(nodes, minlength=len(self.row)).tolist()
        return counts

    def _placed(self, node: int) -> Operation:
        """The operation of a gate; its operands' rows become free with their last reading."""
        first = self.gates.first
        a, b = self.gates.left[node - first], self.gates.right[node - first]
        if b & 1 and not a & 1:
            a, b = b, a
        for operand in (a >> 1, b >> 1):
            self.uses[operand] -= 1
            if not self.uses[operand] and operand >= first:
                self.free.append(self.row[operand])
        self.row[node] = self.given[node] if node in self.given else self.free.pop() if self.free else self._new()
        return self.row[node], self.row[a >> 1], self.row[b >> 1]

    def _new(self) -> int:
        self.rows += 1
        return self.rows - 1

    def _literal(self, literal: int) -> int:
        placed: int = 2 * self.row[literal >> 1] + (literal & 1)
        return placed

    def _literals(self, literals: Iterable[int]) -> Rows:
        return np.array([self._literal(literal) for literal in literals], np.uint32)

    def _move_copies(self) -> list[tuple[int, int]]:
        """(row, literal) for the moves whose choice is not computed straight into their row."""
        start = 1 + self.layout.bases
        return [
            (start + move, self._literal(literal))
            for move, literal in enumerate(self.graph.chosen.tolist())
            if literal != DRAWN and (literal & 1 or self.given.get(literal >> 1) != start + move)
        ]

    def _updates(self, stream: _Stream, bases: range) -> None:
        """Give the bases their next values; where one becomes what another base was, that is copied first."""
        following = self.graph.next.tolist()
        sources: dict[int, int] = {}
        updates: dict[int, list[Operation]] = {UPDATE: [], UPDATE_NOT: []}
        for base in bases:
            literal = following[base]
            node = literal >> 1
            source = self.row[node]
            if 0 < node <= self.layout.bases and node != 1 + base:
                source = sources[node] if node in sources else sources.setdefault(node, self._new())
            if literal != 2 * (1 + base):
                pattern = UPDATE_NOT if literal & 1 else UPDATE
                updates[pattern].append((1 + base, self.layout.hold, source))
        stream.copies([(copy, 2 * node) for node, copy in sources.items()])
        for pattern, operations in updates.items():
            stream.run(pattern, operations)


class _Stream:
    """The words of a section."""

    def __init__(self) -> None:
        self.runs: list[tuple[int, list[Operation]]] = []

    def run(self, pattern: int, operations: list[Operation]) -> None:
        """Append a run, unless it is empty."""
        if operations:
            self.runs.append((pattern, operations))

    def copies(self, copies: list[tuple[int, int]]) -> None:
        """Set rows to literals: ``~false & x`` and ``~false & ~x``."""
        for pattern, flipped in ((ANDNOT, 0), (NOR, 1)):
            self.run(pattern, [(row, 0, literal >> 1) for row, literal in copies if literal & 1 == flipped])

    def words(self) -> Rows:
        """The stream."""
        parts = [np.array([len(self.runs)], np.uint32)]
        for pattern, operations in self.runs:
            parts += [np.array([pattern, len(operations)], np.uint32), np.array(operations, np.uint32).ravel()]
        return np.concatenate(parts)
