"""Solver for the unrolled game (`unrolling`): tries increasing numbers of steps, and for each the best value first.

A question asks whether the game can end with a value after a number of steps. Each question has a time limit; questions
without an answer are asked again later with twice the limit. If the game must be over after some number of steps, a
value is unreachable once all questions about it were refuted. A position without legal moves that is not terminal does
not count as an end.
"""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from reasoner.sat.solver import Verdict
from search.puzzle.sat_solver import SatSolver
from search.puzzle.solver import Solution
from search.puzzle.unrolling import Unrolled

FIRST_SECONDS = 0.5
"""Time limit of a question when it is first asked."""


class HorizonSolver(SatSolver):
    """SAT solver of the unrolled game from a state; see `PuzzleSolver`. `memory` limits the solver's process."""

    name, alone, leads = "unrolled", 0.0, 0.0

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory)
        self._made = list[int]()  # moves made in the match since the first state
        self._game: Unrolled | None = None
        self._waiting = list[tuple[int, int, int]]()  # unanswered questions: steps, value, literal

    def advance(self, move: int, state: Bools) -> bool:  # noqa: ARG002 it continues from the first state
        """See `PuzzleSolver.advance`: the formula now requires the move; open questions are asked again."""
        if self._work is None or self._game is None or self._game.steps <= len(self._made):
            return False
        self._game.formula.require([[self._game.made(len(self._made), move)]])
        self._made.append(move)
        return True

    def _working(self) -> Iterator[None]:
        self._game = game = Unrolled(self._machine.circuit, self._bits, self._fresh_solver())
        while not game.stuck and game.steps < game.most:
            game.step()
            yield
            for value, literal in game.ends:
                yield from self._ask(game, (game.steps, value, literal), FIRST_SECONDS)
        self._settle(game)
        patience = FIRST_SECONDS
        while self._waiting and self._beaten < self.bound:
            patience *= 2
            for _ in range(len(self._waiting)):
                yield from self._ask(game, self._waiting.pop(0), patience)
            self._settle(game)

    def _settle(self, game: Unrolled) -> None:
        """Lower the bound once questions about all ends were asked: only found and open values remain reachable."""
        if game.stuck:
            open_ = [value for _, value, _ in self._waiting]
            self.bound = max([self._beaten, 0, *open_])

    def _ask(self, game: Unrolled, question: tuple[int, int, int], seconds: float) -> Iterator[None]:
        """Ask a question if its value would be an improvement; ask it again later if there is no answer."""
        steps, value, literal = question
        if value <= self._beaten or steps <= len(self._made):
            return
        answer = yield from self._asked(game.formula, literal, seconds)
        self.progress = f"{steps} steps for {value} points: {('yes', 'no', 'unknown')[answer.verdict]}"
        line, made = game.line(answer.true)[:steps], len(self._made)
        if answer.verdict == Verdict.YES and line[:made] == self._made:
            self._found, self._beaten = Solution(value, tuple(line[made:])), value
        elif answer.verdict != Verdict.NO:
            self._waiting.append(question)
