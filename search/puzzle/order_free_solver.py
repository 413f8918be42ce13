"""Solver that searches for all moves at once (`order_free`): first for the best value, then for the next best.

If no set of moves, legal or not, ends the game with a value, this value is unreachable. If all better values
are unreachable, the best value found is the maximum.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from reasoner.sat.solver import Answer, Verdict
from search.puzzle.effects import Effects, effects_of
from search.puzzle.move_order import ordered
from search.puzzle.order_free import OrderFree, OrderFreeGame, begin
from search.puzzle.sat_solver import SatSolver
from search.puzzle.solver import Solution

FIRST_SECONDS = 2.0
"""Seconds for a value before the next value is tried; doubled after all values were tried."""
MAX_ROUNDS = 8
PROOF_SECONDS = 600.0
"""Seconds for a proof."""


class OrderFreeSolver(SatSolver):
    """Order-free solver from a state; see `PuzzleSolver`. `memory` limits the solver's process."""

    name, alone, leads = "without-order", 3.0, 1.0

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory)
        self._effects: Effects | None = None
        self._senseless = False  # the order of moves matters in this game

    def advance(self, move: int, state: Bools) -> bool:  # noqa: ARG002 the state is enough
        """See `PuzzleSolver.advance`: build the question again, unless the order of moves matters in this game."""
        if self._senseless:
            return True
        self.close()
        self._bits, self._work, self.waiting = state, self._working(), False
        return True

    def _working(self) -> Iterator[None]:
        if self._effects is None:
            self._effects = yield from effects_of(self._machine.circuit)
        kind = begin(self._effects, self._bits) if self._effects is not None else None
        if kind is None:
            self._senseless, self.progress = True, "the order of moves matters"
            return
        question = yield from self._question(kind, loose=False)
        yield from self._solve(question, MAX_ROUNDS if self._beaten < 0 else 1)
        if kind.closed and self._beaten < self.bound:
            yield from self._prove(kind)

    def _question(self, kind: OrderFreeGame, *, loose: bool) -> Generator[None, None, OrderFree]:
        """Build a question in a new process."""
        question = OrderFree(kind, self._fresh_solver(), loose=loose)
        yield from question.send()
        return question

    def _solve(self, question: OrderFree, rounds: int) -> Iterator[None]:
        """Ask for the best value, then for the next best; repeat unanswered questions with longer time limits."""
        refused = set[int]()
        for round_ in range(rounds):
            for value, literal in question.targets:
                if value <= self._beaten or value in refused:
                    continue
                answer = yield from self._asked(question.formula, literal, FIRST_SECONDS * 2**round_)
                if answer.verdict == Verdict.YES:
                    yield from self._ordered(question, value, answer)
                if answer.verdict == Verdict.NO:
                    refused.add(value)

    def _ordered(self, question: OrderFree, value: int, answer: Answer) -> Iterator[None]:
        """Look for an order of the moves in the answer."""
        bits = np.zeros(len(self._machine.circuit.bases), np.bool_)
        bits[: len(self._bits)] = self._bits
        for line in ordered(self._machine, np.packbits(bits).tobytes(), *question.moves(answer.true)):
            if line:
                self._found = Solution(value, line)
                self.progress = f"{value} points in {len(line)} moves"
            yield

    def _prove(self, kind: OrderFreeGame) -> Iterator[None]:
        """Try to refute all values better than the best found."""
        question = yield from self._question(kind, loose=True)
        for value, literal in question.targets:
            if value <= self._beaten:
                break
            answer = yield from self._asked(question.formula, literal, PROOF_SECONDS)
            if answer.verdict != Verdict.NO:
                return
        self.bound = max([value for value, _ in question.targets if value <= self._beaten], default=0)
        self.progress += f"; no more than {self.bound}"
