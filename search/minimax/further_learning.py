"""Learning that goes on while the match is played, in the opponents' time: each lesson takes longer than the last."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from reasoner.lanes.machine import CircuitMachine
from search.clock import Clock, stop_at
from search.minimax.learner import Learner
from search.minimax.lesson import Lesson

GROWTH = 4
"""The seconds for a lesson, as a multiple of those for the lesson before."""
MAX_SECONDS = 200.0
"""Maximum seconds for a lesson; after it, learning ends."""
SHARE = 0.5
"""Share of the opponents' time for learning, while there is something to learn."""


class FurtherLearning:
    """Learns lessons to replace `lesson`, the one that `first` learned, and by which the match is searched alone."""

    def __init__(self, machine: CircuitMachine, first: Learner, lesson: Lesson, clock: Clock, seed: int) -> None:
        self._machine, self._clock, self._seed = machine, clock, seed
        self._kinds, self._lesson, self._seconds = first.kinds, lesson, first.seconds
        self._learner: Learner | None = None
        self._new: Lesson | None = None
        self._spent = 0.0

    @property
    def active(self) -> bool:
        """Whether there is something to learn."""
        return self._new is None and GROWTH * self._seconds <= MAX_SECONDS

    def due(self, seconds: float) -> bool:
        """Whether to learn next, after `seconds` of search in the opponents' time."""
        return self.active and self._spent <= SHARE / (1 - SHARE) * seconds

    def run(self, until: float, stop: Callable[[], bool] | None) -> None:
        """Learn until `until`, or until `stop` returns true."""
        began = self._clock.now()
        if self._learner is None:
            self._seed += 1
            self._learner = Learner(self._machine, GROWTH * self._seconds, self._seed, self._kinds)
        learner = self._learner
        learner.run(self._clock, inf, stop_at(until, self._clock, stop))
        self._spent += self._clock.now() - began
        if learner.finished:
            self._seconds *= GROWTH
            self._learner = None
            self._new = self._better(learner.lesson)

    def _better(self, found: Lesson | None) -> Lesson | None:
        """Return a lesson with the rates of the one before; None if the match cannot be searched by it alone."""
        if found is None:
            return None
        found = found._replace(positions=self._lesson.positions, playouts=self._lesson.playouts)
        return found if found.pays else None

    def take(self) -> Lesson | None:
        """Return a new lesson once, which is used from now on; None if there is none."""
        taken, self._new = self._new, None
        self._lesson = taken or self._lesson
        return taken
