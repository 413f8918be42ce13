"""Solver of small games of two roles: in each state the equilibrium mixtures, by linear programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.chance import is_chance

Matrix = NDArray[np.float64]
"""The first role's payoff, 0..1, by its moves and the other's."""
MOST_STATES = 300_000
ENOUGH = 1e-9


def payoff(goals: Sequence[int | None]) -> float:
    """Return the first role's payoff, 0..1: its goal minus the other's, scaled, so that all games are zero-sum."""
    return (100 + (goals[0] or 0) - (goals[1] or 0)) / 200


def mixture(matrix: Matrix) -> tuple[float, NDArray[np.float64]]:
    """Return the value of a matrix game, and a mixture of the rows that guarantees it (von Neumann 1928)."""
    floor, ceiling = matrix.min(1), matrix.max(0)
    if floor.max() >= ceiling.min() - ENOUGH:
        return float(floor.max()), np.eye(len(matrix))[int(floor.argmax())]
    from scipy.optimize import linprog  # a second to load, and most matrices need none

    rows, columns = matrix.shape
    found = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack((-matrix.T, np.ones((columns, 1)))),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(0, 1)],
    )
    return float(found.x[-1]), np.maximum(found.x[:rows], 0) / np.maximum(found.x[:rows], 0).sum()


def loss(matrix: Matrix, row: Sequence[float], column: Sequence[float]) -> float:
    """Return the exploitability of two mixtures together, 0..1: 0 in an equilibrium (NashConv)."""
    best_row = float((matrix @ np.array(column)).max())
    best_column = float((np.array(row) @ matrix).min())
    return best_row - best_column


class Solution:
    """All states of a game and their values. Raises ValueError if it is too large, or its states form cycles."""

    def __init__(self, machine: Machine, most: int = MOST_STATES) -> None:
        if len(machine.roles) != 2 or any(map(is_chance, machine.roles)):
            raise ValueError("only games of two roles without chance are solved: name another game")
        self.machine = machine
        self.values: dict[State, float] = {}
        self._children: dict[State, list[State]] = {}
        self._solve(machine.initial(), most)

    def matrix(self, state: State) -> Matrix:
        """Return the values of joint moves under optimal play of both afterwards."""
        own, other = self.machine.legal(state)
        return np.array([self.values[child] for child in self._children[state]]).reshape(len(own), len(other))

    def joint_states(self) -> Iterator[State]:
        """Yield the states in which both have a choice and no pure move is optimal."""
        for state in self._children:
            if all(len(own) > 1 for own in self.machine.legal(state)):
                matrix = self.matrix(state)
                if matrix.min(1).max() < matrix.max(0).min() - ENOUGH:
                    yield state

    def _solve(self, root: State, most: int) -> None:
        waiting: list[State] = [root]
        while waiting:
            state = waiting[-1]
            if state in self.values:
                waiting.pop()
            elif self.machine.terminal(state):
                self.values[state] = payoff(self.machine.goal(state))
            elif state in self._children:
                self.values[state] = self._value(state)
            else:
                self._children[state] = [self.machine.next(state, joint) for joint in self._joint(state)]
                waiting += [child for child in self._children[state] if child not in self.values]
                if len(self._children) > most:
                    raise ValueError(f"the game has more than {most:,} states")

    def _value(self, state: State) -> float:
        if any(child not in self.values for child in self._children[state]):
            raise ValueError("the states of the game form cycles")
        return mixture(self.matrix(state))[0]

    def _joint(self, state: State) -> Iterator[tuple[Term, ...]]:
        return product(*self.machine.legal(state))
