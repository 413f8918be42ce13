"""Solver for the unrolled game (`unrolling`): tries increasing numbers of steps, and for each the best value first.

A question asks whether the game can end with a value after a number of steps. Each question has a time limit; questions
without an answer are asked again later with twice the limit. If the game must be over after some number of steps, a
value is unreachable once all questions about it were refuted. Questions about ends that only a position without legal
moves can be are asked last: few games have such positions, and there are questions about each number of steps.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine
from reasoner.sat.solver import Verdict
from search.puzzle.sat_solver import SatSolver
from search.puzzle.solver import Solution
from search.puzzle.unrolling import Unrolled

FIRST_SECONDS = 0.5
"""Time limit of a question when it is first asked."""
LONG_SECONDS = 8.0
"""Time limit of the other questions before those about positions without legal moves are asked, too."""


class HorizonSolver(SatSolver):
    """SAT solver of the unrolled game from a state; see `PuzzleSolver`. `memory` limits the solver's process."""

    name, alone, leads = "unrolled", 0.0, 0.0

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        super().__init__(machine, state, memory)
        self._made = list[int]()  # moves made in the match since the first state
        self._game: Unrolled | None = None
        self._complete = False  # whether questions about all numbers of steps were asked
        self._waiting = list[tuple[int, int]]()  # steps and value of the questions that were not refuted
        self._stranded = list[tuple[int, int]]()  # questions about positions without legal moves, not asked so far

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
            for value, _ in game.ends:
                if value in game.stranded:
                    self._stranded.append((game.steps, value))
                else:
                    yield from self._ask(game.steps, value, FIRST_SECONDS)
        self._complete = game.stuck
        self._settle()
        patience = FIRST_SECONDS
        while self._open(self._waiting + self._stranded):
            patience *= 2
            for _ in range(len(self._waiting)):
                yield from self._ask(*self._waiting.pop(0), patience)
            if patience >= LONG_SECONDS or not self._open(self._waiting):
                self._waiting, self._stranded = self._waiting + self._stranded, []
            self._settle()
            yield

    def _open(self, questions: list[tuple[int, int]]) -> bool:
        return any(value > self._beaten for _, value in questions)

    def _settle(self) -> None:
        """Lower the bound once questions about all ends were asked: only found and open values remain reachable."""
        if self._complete:
            self.bound = max([self._beaten, 0, *(value for _, value in self._waiting + self._stranded)])

    def _ask(self, steps: int, value: int, seconds: float) -> Iterator[None]:
        """Ask whether the game can end with a value after some steps, if this would be an improvement.

        A question is kept unless the answer is no: there may be more time later, and the match may leave the line that
        is known now.
        """
        if steps <= len(self._made):
            return
        if value <= self._beaten:
            self._waiting.append((steps, value))
            return
        game = yield from self._unrolled(steps)
        answer = yield from self._asked(game.formula, dict(game.ends)[value], seconds)
        self.progress = f"{steps} steps for {value} points: {('yes', 'no', 'unknown')[answer.verdict]}"
        line, made = game.line(answer.true)[:steps], len(self._made)
        if answer.verdict != Verdict.NO:
            self._waiting.append((steps, value))
        if answer.verdict == Verdict.YES and line[:made] == self._made:
            self._found, self._beaten = Solution(value, tuple(line[made:])), value

    def _unrolled(self, steps: int) -> Generator[None, None, Unrolled]:
        """Return the game of so many steps: in a longer one it is not over before the last step."""
        if self._game is None or self._game.steps != steps:
            self._game = Unrolled(self._machine.circuit, self._bits, self._fresh_solver())
            while self._game.steps < steps:
                self._game.step()
                yield
            self._game.formula.require([[self._game.made(step, move)] for step, move in enumerate(self._made)])
        return self._game
