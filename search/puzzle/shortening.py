"""Brief breadth-first search for a shorter line to a best end."""

from __future__ import annotations

from collections.abc import Callable

from reasoner.arrays import Bools
from reasoner.errors import LimitError
from reasoner.lanes.machine import CircuitMachine
from search.clock import Clock
from search.puzzle.breadth_first import BreadthFirst
from search.puzzle.method import Found

SECONDS = 0.5


class Shortening:
    """Search from a state of the bases [searched] from which `length` moves lead to an end worth `value` points."""

    def __init__(
        self,
        machine: CircuitMachine,
        state: Bools,
        memory: int,
        clock: Clock,
        known: tuple[int, int],
    ) -> None:
        self._clock, (self._length, self._value) = clock, known
        self._left = SECONDS
        self._search = BreadthFirst(machine, state, memory) if self._length > 1 else None

    @property
    def done(self) -> bool:
        """Whether it has found a line, proved that none exists, or used up its time."""
        search = self._search
        return search is None or search.done or search.depth >= self._length or self._left <= 0

    def look(self, deadline: float, stop: Callable[[], bool] | None, longest: float) -> Found | None:
        """Search until `deadline` or `stop`, if a turn takes `longest` seconds; return the shorter line, once found."""
        while not self.done and not (stop and stop()):
            now = self._clock.now()
            if now + 2 * longest >= deadline or self._search is None:
                break
            try:
                found = self._search.turn(self._value - 1)
            except (MemoryError, LimitError):
                self._search = None
                break
            self._left -= self._clock.now() - now
            if found is not None:
                self._search = None
                return found if len(found.moves) < self._length else None
        return None
