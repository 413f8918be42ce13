"""Emit a lane graph as row operations: order the gates, allocate their rows, and copy results to fixed rows.

A section's operations are one stream of 32-bit words: the number of runs, then each run as its pattern, its length and
its operations, three rows each. Besides the patterns of gates (`reasoner.lanes.portable.order`) there are

    UPDATE       out = source in the lanes that are not in `left`  (left: the row HOLD; right: the source)
    UPDATE_NOT   the same with ~source
    DRAW         out = the next random row  (left: the first row of the generators' state)

Rows from FREE on are reused when they have no more readers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Ints, Rows
from reasoner.kernels.memory import address
from reasoner.lanes.lane_graph import CHOOSE, DRAWN, GOAL, LEGAL, NEXT, PREFER, REST, SECTIONS, LaneGraph
from reasoner.lanes.loaded import Code, Emitted, Layout, rows_of
from reasoner.lanes.portable.order import ANDNOT, DRAW, NOR, UPDATE, UPDATE_NOT, Gates, Order
from reasoner.lanes.portable.place import NO_ROW, ROWS, Places, place, take_new
from reasoner.lanes.section_contract import ANYWHERE, Contract, contract_of

Operation = tuple[int, int, int]


@dataclass(frozen=True, eq=False, kw_only=True)
class PortableCode(Code):
    """The streams of the sections, and the places of their results."""

    streams: tuple[Rows, ...]  # one for each section

    def load(self) -> Emitted:
        """See Code."""
        from reasoner.lanes.portable.run import section_address  # emitting alone needs no compiler

        entries = np.full(len(self.streams), section_address(), np.int64)
        operands = np.array([address(stream) for stream in self.streams], np.int64)
        return self.loaded("portable", entries, operands, self.streams)


def emit(graph: LaneGraph) -> PortableCode:
    """Emit the operations of a lane graph."""
    return _Emitter(graph).code()


class _Emitter:
    """Emitter that allocates rows gate after gate, in the order in which the sections run: PREFER before GOAL."""

    def __init__(self, graph: LaneGraph) -> None:
        self.graph = graph
        self.gates = Gates.of(graph)
        circuit = graph.circuit
        self.layout = Layout(len(circuit.bases), len(graph.legal))
        rows = self.layout.free + graph.randoms
        nodes = graph.first_gate + len(graph.left)
        row = np.zeros(nodes, np.int32)
        row[: self.layout.hold] = np.arange(self.layout.hold)  # false, bases and moves: the row is the node's number
        row[self.layout.hold : graph.first_gate] = np.arange(self.layout.free, rows)
        self.places = Places(
            row, self._given_rows(nodes), self._uses(nodes), np.zeros(nodes, np.int32), np.array([rows, 0], np.int32)
        )

    def code(self) -> PortableCode:
        graph = self.graph
        streams: dict[int, Rows] = {}
        order = Order(self.gates)
        for section in (LEGAL, PREFER, GOAL, CHOOSE, REST, NEXT):
            first_run = len(order.runs)
            order.section(graph.sections[section])
            stream = _Stream()
            contract = contract_of(graph, self.layout, section)
            if contract.draws:
                draws = np.zeros((graph.randoms, 3), np.uint32)
                draws[:, 0] = np.arange(self.layout.free, self.layout.free + graph.randoms)
                draws[:, 1] = self.layout.random
                stream.run(DRAW, draws)
            for pattern, start, end in order.runs[first_run:]:
                stream.run(pattern, self._placed(order.gates[start:end]))
            stream.copies(self._copies(contract))
            self._updates(stream, contract.updates)
            if section == LEGAL:
                left = rows_of(self._literals(graph.left_by_legal()).astype(np.int32), self.layout)
            streams[section] = stream.words()
        goals = graph.goals.copy()
        goals[:, 2] = self._literals(goals[:, 2])
        return PortableCode(
            rows=int(self.places.counts[ROWS]),
            left=left,
            streams=tuple(streams[section] for section in SECTIONS),
            legal=self._literals(graph.legal),
            able=self._literals(graph.able),
            terminal=self._literal(graph.terminal),
            won=self._literal(graph.won),
            goals=goals,
        )

    def _placed(self, nodes: Ints) -> Rows:
        words = np.empty(3 * len(nodes), np.uint32)
        place(self.gates, self.places, nodes, words)
        return words

    def _given_rows(self, nodes: int) -> Ints:
        """The fixed row of each gate of a choice that can be computed directly in the row of its move; else NO_ROW."""
        given = np.full(nodes, NO_ROW, np.int32)
        for section in (CHOOSE, PREFER):
            contract, in_choice = contract_of(self.graph, self.layout, section), np.zeros(nodes, np.bool_)
            in_choice[self.graph.sections[section]] = True
            literals, rows = contract.roots, contract.rows
            direct = (rows != ANYWHERE) & (literals & 1 == 0) & in_choice[literals >> 1]
            given[literals[direct][::-1] >> 1] = rows[direct][::-1]  # of moves that share a gate, the first's row
        return given

    def _uses(self, nodes: int) -> Ints:
        """The number of readers of each node; an output has one more reader, so that its row is not reused."""
        graph = self.graph
        chosen = np.concatenate((graph.chosen, graph.preferred))
        ends = [graph.terminal, graph.stop, graph.won]
        outputs = [graph.legal, graph.able, ends, graph.goals[:, 2], chosen[chosen != DRAWN], graph.next]
        read = np.concatenate([graph.left, graph.right, *outputs]).astype(np.int64) >> 1
        return np.bincount(read, minlength=nodes).astype(np.int32)

    def _literal(self, literal: int) -> int:
        return 2 * int(self.places.row[literal >> 1]) + (literal & 1)

    def _literals(self, literals: Ints) -> Rows:
        placed: Ints = 2 * self.places.row[literals >> 1] + (literals & 1)
        return placed.astype(np.uint32)

    def _copies(self, contract: Contract) -> list[tuple[int, int]]:
        """(row, literal) of each result with a fixed row that is not computed directly in this row."""
        literals, rows = contract.roots, contract.rows
        straight = (literals & 1 == 0) & (self.places.given[literals >> 1] == rows)
        copied = np.flatnonzero((rows != ANYWHERE) & ~straight).tolist()
        return [(int(rows[i]), self._literal(int(literals[i]))) for i in copied]

    def _updates(self, stream: _Stream, bases: range) -> None:
        """Update the bases to their next values; a base that is the next value of another base is copied first."""
        following = self.graph.next.tolist()
        sources: dict[int, int] = {}
        updates: dict[int, list[Operation]] = {UPDATE: [], UPDATE_NOT: []}
        for base in bases:
            literal = following[base]
            node = literal >> 1
            source = int(self.places.row[node])
            if 0 < node <= self.layout.bases and node != 1 + base:
                if node not in sources:
                    sources[node] = take_new(self.places)
                source = sources[node]
            if literal != 2 * (1 + base):
                pattern = UPDATE_NOT if literal & 1 else UPDATE
                updates[pattern].append((1 + base, self.layout.hold, source))
        stream.copies([(copy, 2 * node) for node, copy in sources.items()])
        for pattern, operations in updates.items():
            stream.run(pattern, np.array(operations, np.uint32))


class _Stream:
    """The stream of a section under construction."""

    def __init__(self) -> None:
        self.parts: list[Rows] = []
        self.runs = 0

    def run(self, pattern: int, operations: Rows) -> None:
        """Append a run, unless it is empty."""
        if operations.size:
            self.parts += [np.array([pattern, operations.size // 3], np.uint32), operations.ravel()]
            self.runs += 1

    def copies(self, copies: list[tuple[int, int]]) -> None:
        """Append copies of literals to rows, as the gates ``~false & x`` and ``~false & ~x``."""
        for pattern, flipped in ((ANDNOT, 0), (NOR, 1)):
            operations = [(row, 0, literal >> 1) for row, literal in copies if literal & 1 == flipped]
            self.run(pattern, np.array(operations, np.uint32))

    def words(self) -> Rows:
        """Return the stream: the number of runs, then the runs."""
        return np.concatenate([np.array([self.runs], np.uint32), *self.parts])
