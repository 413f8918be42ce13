"""A circuit scheduled for lanes: which row is computed from which, in what order.

A *row* is 512 bits, one a lane. A program runs in sections, in this order:

    LEGAL   the legal moves and the end, from the bases; also what the other sections share
    GOAL    the goals, from the bases
    CHOOSE  one move of every role, from the legal moves and fresh random rows
    NEXT    the next values of the bases that play depends on, from the bases and the moves
    REST    the next values of the other bases

GOAL and REST may be left out where nobody asks; CHOOSE may be replaced by setting the rows of the moves. For a role
with more than CIRCUIT_MOVES moves there is no choice circuit: `reasoner.lanes.draw` sets the rows. Within a
section, operations come in *runs* of one pattern of complements, so that an emitter's inner loop has no branch:

    AND      out =  left &  right
    ANDNOT   out = ~left &  right
    NOR      out = ~left & ~right
    XOR      out =  left ^  right

A *literal* over rows is ``2 * row + complement``. Row 0 is false; then come the bases, the moves, the random rows;
rows from there on are re-used once nobody reads them any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import Graph
from reasoner.lanes.choose import BITS, choose
from reasoner.lanes.order import ANDNOT, NOR, Order

Rows = NDArray[np.uint32]
Ints = NDArray[np.int32]

LEGAL, GOAL, CHOOSE, NEXT, REST = range(5)

CIRCUIT_MOVES = 128
"""Up to this many moves a role chooses by circuit; measured, see docs/lanes.md."""


@dataclass(frozen=True, eq=False)
class LaneProgram:
    """The operations of all sections, and the rows that mean something; B bases, M moves."""

    circuit: Circuit  # what was scheduled
    rows: int  # how many rows the program needs
    bases: int  # B; rows 1 … B
    searched: int  # the first bases, those that play depends on
    randoms: int  # the random rows, B + M + 1 …
    drawn: Ints  # [roles without a choice circuit, 2] the first move and the end
    out: Rows  # [operations]
    left: Rows  # [operations]
    right: Rows  # [operations]
    runs: Ints  # [runs, 3] pattern, first operation, end
    sections: Ints  # [6] section s has the runs sections[s] … sections[s + 1]
    legal: Rows  # [M] literals
    able: Rows  # [roles] literals: the role has a legal move
    terminal: int  # literal
    goals: Ints  # [goals, 3] role, value, literal
    next: Rows  # [B] literals


def schedule(circuit: Circuit) -> LaneProgram:
    """The program of a circuit."""
    return _Scheduler(circuit).program()


class _Scheduler:
    """Adds the choice to the circuit's graph, orders all gates, and gives each a row."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.bases, self.moves = len(circuit.bases), len(circuit.legal)
        self.randoms = BITS * sum(1 < len(its) <= CIRCUIT_MOVES for its in circuit.moves)
        self.graph = Graph(self.bases + self.moves + self.randoms, max_gates=2**31)
        fan_in = np.sort([self._moved(circuit.left), self._moved(circuit.right)], axis=0)  # as the graph orders an AND
        self.graph.left, self.graph.right = fan_in.tolist()
        self.legal = self._moved(circuit.legal).tolist()
        self.next = self._moved(circuit.next).tolist()
        self.goals = [(role, value, int(self._moved(np.array(g)))) for role, value, g in circuit.goals.tolist()]
        self.terminal = int(self._moved(np.array(circuit.terminal)))
        ends = np.cumsum([0, *(len(its) for its in circuit.moves)]).tolist()
        self.of_role = list(pairwise(ends))
        self.able = self._able()
        self.able_end = len(self.graph.left)
        self.chosen = self._choice()

    def _moved(self, literals: NDArray[np.int32]) -> NDArray[np.int64]:
        """The circuit's literals in the graph, where the random rows stand between moves and gates."""
        wide = literals.astype(np.int64)
        return np.where(wide >> 1 > self.bases + self.moves, wide + 2 * self.randoms, wide)

    def _able(self) -> list[int]:
        """Per role whether it has a legal move."""
        return [self.graph.any(self.legal[start:end]) for start, end in self.of_role]

    def _choice(self) -> dict[int, int]:
        """For each move that a circuit chooses, the literal that says whether it is chosen."""
        chosen: dict[int, int] = {}
        random = self.bases + self.moves
        for start, end in self.of_role:
            if 0 < end - start <= CIRCUIT_MOVES:
                bits = BITS if end - start > 1 else 0
                draws = [self.graph.input(random + i) for i in range(bits)]
                chosen.update(zip(range(start, end), choose(self.graph, self.legal[start:end], draws), strict=True))
                random += bits
        return chosen

    def program(self) -> LaneProgram:
        """Order the gates section by section, and give them rows."""
        legal, goal, following, rest = self.circuit.stages
        parts = (
            [*range(legal), *range(rest, self.able_end)],
            range(legal, goal),
            range(self.able_end, len(self.graph.left)),
            range(goal, following),
            range(following, rest),
        )
        order = Order(self.graph)
        sections = [0]
        for gates in parts:
            order.section([self.graph.first_gate + gate for gate in gates])
            sections.append(len(order.runs))
        return _Rows(self, order).program(sections)


class _Rows:
    """Gives the ordered gates rows, and adds the copies that move values into the rows of moves and bases."""

    def __init__(self, scheduler: _Scheduler, order: Order) -> None:
        self.scheduler = scheduler
        self.order = order
        graph = scheduler.graph
        self.row = [*range(graph.first_gate), *[0] * len(graph.left)]
        self.rows = graph.first_gate
        self.operations: list[tuple[int, int, int]] = []

    def program(self, sections: list[int]) -> LaneProgram:
        """The finished program."""
        scheduler, order = self.scheduler, self.order
        given = self._given_rows()
        uses = self._uses()
        free: list[int] = []
        runs: list[tuple[int, int, int]] = []
        ends = [0]
        for section in range(REST + 1):
            for pattern, start, end in order.runs[sections[section] : sections[section + 1]]:
                before = len(self.operations)
                for node in order.gates[start:end]:
                    self._place(node, given, uses, free)
                runs.append((pattern, before, len(self.operations)))
            if section == CHOOSE:
                runs += self._copies(self._move_copies(given))
            if section == NEXT:
                following, copies = self._base_copies()
                runs += self._copies(copies)
            ends.append(len(runs))
        table = np.array(self.operations, np.uint32).reshape(-1, 3)
        row = np.array(self.row, np.int64)

        def literals(nodes: list[int]) -> Rows:
            wide = np.array(nodes, np.int64)
            placed: Rows = (2 * row[wide >> 1] + (wide & 1)).astype(np.uint32)
            return placed

        base_rows = literals(scheduler.next)
        for base, copy in following.items():
            base_rows[base] = copy
        return LaneProgram(
            circuit=scheduler.circuit,
            rows=self.rows,
            bases=scheduler.bases,
            searched=scheduler.circuit.searched,
            randoms=scheduler.randoms,
            drawn=np.array([(a, b) for a, b in scheduler.of_role if b - a > CIRCUIT_MOVES], np.int32).reshape(-1, 2),
            out=np.ascontiguousarray(table[:, 0]),
            left=np.ascontiguousarray(table[:, 1]),
            right=np.ascontiguousarray(table[:, 2]),
            runs=np.array(runs, np.int32).reshape(-1, 3),
            sections=np.array(ends, np.int32),
            legal=literals(scheduler.legal),
            able=literals(scheduler.able),
            terminal=int(literals([scheduler.terminal])[0]),
            goals=np.array([(r, v, literals([g])[0]) for r, v, g in scheduler.goals], np.int32).reshape(-1, 3),
            next=base_rows,
        )

    def _given_rows(self) -> dict[int, int]:
        """Gates of the choice that can be computed straight into the row of their move."""
        scheduler = self.scheduler
        given: dict[int, int] = {}
        old = scheduler.graph.first_gate + len(scheduler.circuit.left)
        for move, literal in scheduler.chosen.items():
            if not literal & 1 and literal >> 1 >= old:
                given.setdefault(literal >> 1, 1 + scheduler.bases + move)
        return given

    def _uses(self) -> list[int]:
        """How often each node is read; an output is read once more than ever happens, so that it keeps its row."""
        scheduler, graph = self.scheduler, self.scheduler.graph
        outputs = [*scheduler.legal, *scheduler.able, scheduler.terminal, *scheduler.chosen.values(), *scheduler.next]
        outputs += [literal for _, _, literal in scheduler.goals]
        fan_in = np.array([graph.left, graph.right], np.int64).ravel() >> 1
        nodes = np.concatenate((fan_in, np.array(outputs, np.int64) >> 1))
        counts: list[int] = np.bincount(nodes, minlength=len(self.row)).tolist()
        return counts

    def _place(self, node: int, given: dict[int, int], uses: list[int], free: list[int]) -> None:
        """Append the operation of a gate; its operands' rows become free with their last reading."""
        graph, first = self.scheduler.graph, self.scheduler.graph.first_gate
        a, b = graph.left[node - first], graph.right[node - first]
        if b & 1 and not a & 1:
            a, b = b, a
        for operand in (a >> 1, b >> 1):
            uses[operand] -= 1
            if not uses[operand] and operand >= first:
                free.append(self.row[operand])
        self.row[node] = given[node] if node in given else free.pop() if free else self._new()
        self.operations.append((self.row[node], self.row[a >> 1], self.row[b >> 1]))

    def _new(self) -> int:
        self.rows += 1
        return self.rows - 1

    def _move_copies(self, given: dict[int, int]) -> list[tuple[int, int]]:
        """(row, literal) for the moves whose choice is not computed straight into their row."""
        start = 1 + self.scheduler.bases
        return [
            (start + move, 2 * self.row[literal >> 1] + (literal & 1))
            for move, literal in self.scheduler.chosen.items()
            if literal & 1 or given.get(literal >> 1) != start + move
        ]

    def _base_copies(self) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Bases that become what a base or move was; copied first, because the bases are updated one by one."""
        following: dict[int, int] = {}
        copies: dict[int, int] = {}
        for base, literal in enumerate(self.scheduler.next):
            node = literal >> 1
            if 0 < node < self.scheduler.graph.first_gate and node != 1 + base:
                copy = copies.setdefault(node, self.rows + len(copies))
                following[base] = 2 * copy + (literal & 1)
        self.rows += len(copies)
        return following, [(copy, 2 * node) for node, copy in copies.items()]

    def _copies(self, copies: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """Runs that set rows to literals: ``~false & x`` and ``~false & ~x``."""
        runs = []
        for pattern, flipped in ((ANDNOT, 0), (NOR, 1)):
            chosen = [(row, 0, literal >> 1) for row, literal in copies if literal & 1 == flipped]
            if chosen:
                runs.append((pattern, len(self.operations), len(self.operations) + len(chosen)))
                self.operations += chosen
        return runs
