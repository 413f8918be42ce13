"""Encoding of an and-inverter graph for the solver's process: only the necessary gates, each one once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.traversal import mark
from reasoner.sat.solver import Solver


class Formula:
    """The part of `graph` that was sent to the process of `solver`; an input is free unless `count` defines it.

    The SAT variable of a node is the number of the node. All literals here are literals of the graph.
    """

    def __init__(self, graph: Graph, solver: Solver) -> None:
        self.graph, self.solver = graph, solver
        self._known = np.zeros(graph.first_gate, np.bool_)
        self._known[0] = True

    def require(self, clauses: Iterable[Sequence[int]]) -> None:
        """Require that at least one literal of each clause is true."""
        wanted = [[each for each in clause if each != FALSE] for clause in clauses if TRUE not in clause]
        self.add([each for clause in wanted for each in clause])
        self.solver.clauses([[signed(each) for each in clause] for clause in wanted])

    def count(self, literal: int, least: int, literals: Sequence[int]) -> None:
        """Define the input `literal`: it is true if at least `least` of `literals` are true."""
        self.add(literals)
        self._known[literal >> 1] = True
        self.solver.at_least(signed(literal), least, [signed(each) for each in literals])

    def never(self, count: int, literals: Sequence[int]) -> None:
        """Forbid that `count` of the literals are true at the same time."""
        self.add(literals)
        self.solver.at_least(0, count, [signed(each) for each in literals])

    def one_of(self, literals: Sequence[int]) -> None:
        """Require that exactly one of the literals is true."""
        self.require([literals])
        self.never(2, [each for each in literals if each != FALSE])

    def add(self, literals: Sequence[int]) -> None:
        """Send these literals, and the gates they depend on, to the process."""
        graph = self.graph
        first, nodes = graph.first_gate, graph.first_gate + len(graph)
        seen = np.zeros(nodes, np.bool_)
        seen[: len(self._known)] = self._known
        mark(graph.left, graph.right, first, np.array(literals, np.int32), seen)
        fresh = np.flatnonzero(seen[: len(self._known)] != self._known).astype(np.int32)
        later = np.flatnonzero(seen[len(self._known) :]) + len(self._known)
        fresh = np.concatenate((fresh, later.astype(np.int32)))
        self._known = seen
        inputs, gates = fresh[fresh < first], fresh[fresh >= first]
        self.solver.free(inputs)
        operands = np.stack((graph.left[gates - first], graph.right[gates - first]), axis=1)
        self.solver.gates(np.column_stack((gates, np.where(operands & 1, -(operands >> 1), operands >> 1))))

    def ask(self, seconds: float, assumed: Sequence[int]) -> None:
        """Ask whether the formula is satisfiable with the `assumed` literals, none of which is constant."""
        self.add(assumed)
        self.solver.solve(seconds, [signed(each) for each in assumed])


def signed(literal: int) -> int:
    """Return a graph's literal in the solver's signed form."""
    return -(literal >> 1) if literal & 1 else literal >> 1
