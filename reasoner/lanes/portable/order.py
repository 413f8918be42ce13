"""The order of gates within a section: list scheduling into long runs of one pattern.

The pattern with most gates ready is taken up, and kept as long as any is ready. Among ready gates the latest are
taken first, which keeps what was just computed in use and few rows alive; but a gate waits until DELAY others have
been computed after its operands, so that an operation seldom waits for the one just before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from reasoner.lanes.lane_graph import LaneGraph

AND, ANDNOT, NOR, XOR, UPDATE, UPDATE_NOT, DRAW = range(7)
"""Patterns: of an AND the number of complemented operands, and the exclusive or; then those that are no gates."""

DELAY = 6


def pattern_of(left: int, right: int) -> int:
    """The pattern of a gate with these operands."""
    return XOR if left > right else (left & 1) + (right & 1)


@dataclass(frozen=True)
class Gates:
    """The operands of all gates, as literals; gate ``i`` is node ``first + i``."""

    first: int
    left: list[int]
    right: list[int]

    @classmethod
    def of(cls, graph: LaneGraph) -> Gates:
        """Those of a lane graph."""
        return cls(graph.first_gate, graph.left.tolist(), graph.right.tolist())


class Order:
    """The gates scheduled so far, and the runs they form."""

    def __init__(self, graph: Gates) -> None:
        self.graph = graph
        self.gates: list[int] = []  # nodes in the order they are computed
        self.runs: list[tuple[int, int, int]] = []  # pattern, first gate, end
        self._done = bytearray(graph.first + len(graph.left))

    def section(self, nodes: Sequence[int]) -> None:
        """Schedule `nodes`; what else they read was scheduled before."""
        ready = _Ready(self.graph)
        waiting, readers = self._dependencies(nodes, ready)
        while ready.any():
            pattern = ready.longest()
            start = len(self.gates)
            while (node := ready.take(pattern)) is not None:
                self.gates.append(node)
                for reader in readers.get(node, ()):
                    waiting[reader] -= 1
                    if not waiting[reader]:
                        ready.add(reader)
            self.runs.append((pattern, start, len(self.gates)))
        for node in nodes:
            self._done[node] = 1

    def _dependencies(self, nodes: Sequence[int], ready: _Ready) -> tuple[dict[int, int], dict[int, list[int]]]:
        """How many unscheduled operands each node waits for, and who reads each; the others are ready."""
        graph, first, done = self.graph, self.graph.first, self._done
        waiting: dict[int, int] = {}
        readers: dict[int, list[int]] = {}
        for node in reversed(nodes):
            fan_in = {graph.left[node - first] >> 1, graph.right[node - first] >> 1}
            unread = [operand for operand in fan_in if operand >= first and not done[operand]]
            waiting[node] = len(unread)
            for operand in unread:
                readers.setdefault(operand, []).append(node)
            if not unread:
                ready.add(node)
        return waiting, readers


class _Ready:
    """The gates whose operands are computed, by pattern: fresh ones wait in a queue, the others lie on a stack."""

    def __init__(self, graph: Gates) -> None:
        self.graph = graph
        self.stacks: tuple[list[int], ...] = ([], [], [], [])  # AND, ANDNOT, NOR, XOR
        self.fresh: deque[int] = deque()

    def add(self, node: int) -> None:
        self.fresh.append(node)
        if len(self.fresh) > DELAY:
            self._settle()

    def take(self, pattern: int) -> int | None:
        """A ready gate of the pattern, if there is any."""
        while not self.stacks[pattern] and self.fresh:
            self._settle()
        return self.stacks[pattern].pop() if self.stacks[pattern] else None

    def any(self) -> bool:
        return bool(self.fresh) or any(self.stacks)

    def longest(self) -> int:
        while self.fresh:
            self._settle()
        return max(range(len(self.stacks)), key=lambda pattern: len(self.stacks[pattern]))

    def _settle(self) -> None:
        node = self.fresh.popleft()
        gate = node - self.graph.first
        self.stacks[pattern_of(self.graph.left[gate], self.graph.right[gate])].append(node)
