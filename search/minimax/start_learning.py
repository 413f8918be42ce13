"""Learning before the first move, and the decision whether to search by what was learned."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Protocol, TypeGuard

from reasoner.kernels.cache import all_kept
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance
from search.clock import Clock
from search.minimax.expansion import ROLES
from search.minimax.further_learning import FurtherLearning
from search.minimax.learner import Drawn, Learner
from search.minimax.lesson import Lesson
from search.minimax.mixing import mixing_weight
from search.options import SearchOptions
from search.report import Report

WARM = Path(__file__).parents[1] / "warm.py"
"""The source file under which the cache records that the kernels are compiled."""
SHARE = 0.5
"""Share of the start clock for learning."""
MAX_SECONDS, MIN_SECONDS = 12.0, 0.8
MEASURED_SHARE = 0.1
"""Share of the time for learning in which the playouts of the other search are counted."""


class Playing(Protocol):
    """A search whose playouts are counted."""

    def think(self, deadline: float, stop: Callable[[], bool] | None = None) -> None:
        """See `search.search.Search.think`."""

    def report(self) -> Report:
        """See `search.search.Search.report`."""


def learnable(machine: Machine, options: SearchOptions) -> TypeGuard[CircuitMachine]:
    """Whether a match learns an evaluation; not if kernels would have to be compiled in the start clock first."""
    return has_pieces(machine) and not options.simulations and all_kept(WARM)


def has_pieces(machine: Machine) -> TypeGuard[CircuitMachine]:
    """Whether a game of two roles has captures of pieces, or a circuit too large to find captures."""
    return (
        isinstance(machine, CircuitMachine)
        and len(machine.roles) == ROLES
        and not any(map(is_chance, machine.roles))
        and not machine.hides
        and (bool(machine.program.captures) or machine.program.captures_unknown)
    )


class StartLearning:
    """Learns in the time before the first move; `lesson` is the result, None if nothing was learned."""

    def __init__(self, machine: CircuitMachine, options: SearchOptions, clock: Clock) -> None:
        self._machine, self._clock, self._seed = machine, clock, options.seed
        self._learner: Learner | None = None
        self._playouts = 0.0
        self.finished = False
        self.lesson: Lesson | None = None

    @property
    def sample(self) -> Drawn | None:
        """The positions that the lesson was learned from."""
        return self._learner.sample if self._learner else None

    @property
    def fault(self) -> str | None:
        """Why the game cannot be learned; None: no reason is known."""
        return self._learner.fault if self._learner else None

    def further(self) -> FurtherLearning | None:
        """Return the learning that continues after `lesson`; None if nothing was learned."""
        if self._learner is None or self.lesson is None:
            return None
        return FurtherLearning(self._machine, self._learner, self.lesson, self._clock, self._seed)

    def run(self, other: Playing, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Learn until `deadline`, or until `stop` returns true; `other`: the search that would be used instead."""
        if self._learner is None:
            seconds = min(SHARE * (deadline - self._clock.now()), MAX_SECONDS)
            if deadline == inf or seconds < MIN_SECONDS:
                self.finished = True
                return
            self._playouts = playouts_per_second(other, self._clock, MEASURED_SHARE * seconds)
            self._learner = Learner(self._machine, (1 - MEASURED_SHARE) * seconds, self._seed)
        learner = self._learner
        learner.run(self._clock, deadline, stop)
        self.finished = learner.finished
        if self.finished and learner.lesson is not None:
            self.lesson = self._weighed(learner.lesson._replace(playouts=self._playouts))

    def _weighed(self, lesson: Lesson) -> Lesson:
        """Return the lesson with its weight beside playouts, unless matches search by the evaluation alone."""
        if lesson.pays or self.sample is None:
            return lesson
        bits, results = self.sample.bits, self.sample.results
        weight = mixing_weight(self._machine, lesson.evaluation, bits, results, self._playouts, self._seed)
        return lesson._replace(weight=weight)


def playouts_per_second(search: Playing, clock: Clock, seconds: float, stop: Callable[[], bool] | None = None) -> float:
    """Let a search think for `seconds`, and return its playouts per second."""
    search.think(clock.now() + seconds, stop)
    report = search.report()
    return report.playouts / max(report.seconds, 1e-9)
