"""Unrolled game of one role: a copy of its circuit for each step from a known state (Kautz & Selman 1992).

The copies share one graph in which constants are folded. So impossible facts cost nothing, and the SAT solver is never
asked about final values that folding excludes after some number of steps. Clauses that the SAT solver learns for one
number of steps remain useful for the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.restrict import copy, read
from reasoner.sat.solver import Solver
from search.puzzle.formula import Formula

MAX_GATES = 6_000_000
MAX_INPUTS = 1 << 20
"""Maximum of the number of moves times the number of steps."""


class Unrolled:
    """The steps that follow a state, sent one by one to the solver's process.  # state [S] searched bases."""

    def __init__(self, circuit: Circuit, state: Bools, solver: Solver) -> None:
        self._circuit, self._moves = circuit, len(circuit.legal)
        self.most = max(1, MAX_INPUTS // self._moves)
        self.graph = Graph(self.most * self._moves, MAX_GATES)
        self.formula = Formula(self.graph, solver)
        self._facts: Literals = np.where(state, TRUE, FALSE).astype(np.int32)
        self._over = FALSE
        self.steps = 0
        self.ends: list[tuple[int, int]] = []  # values, best first, with the literals that the game ends with them now
        self.stranded: set[int] = set()  # values of `ends` with which it can only end because no move is legal
        self.stuck = False  # no further step is possible

    def step(self) -> None:
        """Add a step: the game is not over before it, and exactly one legal move is made in it."""
        moves = [self.made(self.steps, move) for move in range(self._moves)]
        legal = self._legal(moves)
        self.formula.require([[self._over ^ 1]])
        self.formula.require([made ^ 1, allowed] for made, allowed in zip(moves, legal, strict=True) if allowed != TRUE)
        possible = [made for made, allowed in zip(moves, legal, strict=True) if allowed != FALSE]
        self.stuck = not possible
        self.formula.one_of(possible)
        inputs = [made if allowed != FALSE else FALSE for made, allowed in zip(moves, legal, strict=True)]
        following = read(self._copied(inputs), self._circuit.next[: self._circuit.searched])
        self._facts, self.steps = following, self.steps + 1
        self._look(self._copied([FALSE] * self._moves))

    def made(self, step: int, move: int) -> int:
        """Return the literal that is true if a move is made in a step; steps count from 0."""
        return 2 * (1 + step * self._moves + move)

    def line(self, true: Sequence[int]) -> list[int]:
        """Return the moves of an answer, step by step."""
        moves = sorted(variable - 1 for variable in true if variable <= self.steps * self._moves)
        return [move % self._moves for move in moves]

    def _legal(self, moves: list[int]) -> list[int]:
        found: list[int] = read(self._copied([FALSE] * len(moves)), self._circuit.legal).tolist()
        return found

    def _look(self, node: Literals) -> None:
        """Find the ends that are possible after the last step.

        A position without legal moves is an end, too. Such ends without points are left out: they improve nothing.
        """
        graph, goals = self.graph, self._circuit.goals
        self._over = int(read(node, np.array([self._circuit.terminal], np.int32))[0])
        ended = graph.any((self._over, graph.any(read(node, self._circuit.legal).tolist()) ^ 1))
        reached: dict[int, list[int]] = {}
        for (_, value, _), literal in zip(goals.tolist(), read(node, goals[:, 2]).tolist(), strict=True):
            reached.setdefault(value, []).append(literal)
        joined = [(value, graph.any(literals)) for value, literals in sorted(reached.items(), reverse=True)]
        ends = [(value, graph.and_(ended if value else self._over, literal)) for value, literal in joined]
        self.ends = [each for each in ends if each[1] != FALSE]
        self.stranded = {value for value, literal in joined if graph.and_(self._over, literal) == FALSE}
        self.stuck |= self._over == TRUE

    def _copied(self, moves: Sequence[int]) -> Literals:
        circuit = self._circuit
        bases, first = len(circuit.bases), 1 + len(circuit.bases) + self._moves
        node = np.zeros(first + len(circuit.left), np.int32)
        node[1 : 1 + circuit.searched] = self._facts
        node[1 + bases : first] = moves
        copy(self.graph.reserve(len(circuit.left)), circuit.left, circuit.right, first, node)
        self.graph.reserve(0)
        return node
