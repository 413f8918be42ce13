"""Base class of the solvers that use a SAT solver in another process: turns, the process, and its answers."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from reasoner.arrays import Bools
from reasoner.circuit.graph import TRUE
from reasoner.errors import LimitError
from reasoner.lanes.machine import CircuitMachine
from reasoner.sat.solver import MIN_MEBIBYTES, Answer, LostError, Solver
from search.puzzle.formula import Formula
from search.puzzle.solver import Solution

MAX_PROCESS_SECONDS = 3600
"""Maximum processor time of a process."""


class SatSolver:
    """A solver for one state; see `PuzzleSolver`. Subclasses implement `_working`, which yields after each turn."""

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        self._machine, self._bits, self._memory = machine, state, max(MIN_MEBIBYTES, memory >> 20)
        self._solver: Solver | None = None
        self._found: Solution | None = None
        self._beaten = -1
        self.bound, self.waiting = machine.points, False
        self.progress = "not started"
        self._work: Iterator[None] | None = self._working()

    def _working(self) -> Iterator[None]:
        raise NotImplementedError

    @property
    def done(self) -> bool:
        """See `PuzzleSolver.done`."""
        return self._work is None

    def turn(self, beaten: int) -> Solution | None:
        """See `PuzzleSolver.turn`."""
        self._beaten, self._found = beaten, None
        try:
            if self._work is not None and next(self._work, self) is self:
                self.close()
        except (LimitError, MemoryError, LostError) as error:
            self.progress += "; the solver process was lost" if isinstance(error, LostError) else "; too large"
            self.close()
        return self._found

    def close(self) -> None:
        """See `PuzzleSolver.close`."""
        self._work = None
        if self._solver is not None:
            self._solver.close()

    def _fresh_solver(self) -> Solver:
        """Replace the solver process by a new one."""
        if self._solver is not None:
            self._solver.close()
        self._solver = Solver(self._memory, MAX_PROCESS_SECONDS)
        return self._solver

    def _asked(self, formula: Formula, literal: int, seconds: float) -> Generator[None, None, Answer]:
        """Ask whether the formula is satisfiable together with a literal, and wait for the answer."""
        assert self._solver is not None
        formula.ask(seconds, [] if literal == TRUE else [literal])
        self.waiting = True
        while (answer := self._solver.poll()) is None:
            if self._solver.lost:
                raise LostError
            yield
        self.waiting = False
        return answer
