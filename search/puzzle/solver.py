"""Protocol of the solvers that solve a game of one role, and the form of their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from reasoner.arrays import Bools
from reasoner.errors import LimitError
from reasoner.lanes.machine import CircuitMachine
from search.factoring.limits import TooLargeError


@dataclass(frozen=True, slots=True)
class Solution:
    """Moves, as numbers in the circuit, from the given state to an end worth `value` points."""

    value: int
    moves: tuple[int, ...]


class PuzzleSolver(Protocol):
    """A search for the best end from one state. It works in turns of a few milliseconds each, if possible.

    state: [searched] the values of the bases in a state that is not terminal; memory: in bytes.
    """

    name: str

    @property
    def alone(self) -> float:
        """Seconds after the start; until then, only solvers within their own `alone` seconds get turns."""

    @property
    def leads(self) -> float:
        """Seconds after the start; until then, no other solver gets turns unless this one is `waiting`."""

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None: ...

    @property
    def done(self) -> bool:
        """Whether further turns are useless."""

    @property
    def waiting(self) -> bool:
        """Whether the solver only waits for another process."""

    @property
    def bound(self) -> int:
        """Upper bound on the points of any end from the state; the machine's maximum if no less is known."""

    @property
    def progress(self) -> str:
        """Description of the progress, for people."""

    def turn(self, beaten: int) -> Solution | None:
        """Work for one turn; return a solution worth more than `beaten` points, if this turn found one."""

    def advance(self, move: int, state: Bools) -> bool:
        """Continue from `state`, the result of a move; return False if a new solver must be started."""

    def close(self) -> None:
        """Release processes and memory."""


def turn_of(solver: PuzzleSolver, beaten: int) -> Solution | None:
    """Give a solver a turn; end it if it exceeds a limit."""
    try:
        return None if solver.done else solver.turn(beaten)
    except (MemoryError, LimitError, TooLargeError):
        solver.close()
        return None
