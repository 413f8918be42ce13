"""State machines of one match: the relational engine first, and the circuit when a child process has built it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog

from agent.knowledge.lookup import Lookup, look_up, nothing
from agent.settings import Settings
from reasoner.compilation import BuildLimits, CircuitBuild
from reasoner.errors import ReasonerError
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import LaneProgram
from reasoner.loading import playing
from reasoner.machine import Machine
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.percepts import hides
from reasoner.rules.program import Program
from search.clock import MonotonicClock
from search.warm import first_ready, rest_kept

MIN_BASELINE_GATES = 100_000
"""Gates above which baseline code plays until the optimised circuit is built, some seconds later."""

NICENESS = 5
"""Niceness of a build. Where processors are scarce, a build of normal priority makes moves late in large games."""
IDLE_NICENESS = 19
"""Niceness of a build for a player that gains little from a circuit: it takes only time that nobody else needs."""
LOOK = 0.02
"""Seconds between two checks whether kernels are compiled."""
TOLD_AFTER = 1.0
"""Seconds after which a build's stages are logged."""


class Engines:
    """The current machine, and the build of a faster one, with a higher niceness unless the build is `urgent`.

    Raises ReasonerError if the relational machine cannot be created, or if the setting demands a circuit and it
    cannot be built.
    """

    def __init__(self, program: Program, settings: Settings, *, urgent: bool = True) -> None:
        self._niceness = NICENESS if urgent else IDLE_NICENESS
        self._build: CircuitBuild | None = None
        self._postponed: Callable[[], None] | None = None  # starts the build, once its kernels are compiled
        self._baseline_taken = False
        self._missing = ""  # reason why there will be no circuit
        self._hides = hides(program)
        self.studied: Lookup = nothing
        """Stored knowledge of the game, once found."""
        self._relational = RelationalMachine(program, EvaluationLimits(max_seconds=settings.worker.evaluation))
        self.machine: Machine = self._relational
        if settings.worker.engine == "relational":
            return
        if first_ready() or settings.worker.engine == "circuit":
            self._begin_build(program, settings)
        else:
            self._postponed = partial(self._begin_build, program, settings)
        if not self._hides:  # games with hidden information are searched without a network
            self.studied = look_up(program, settings.knowledge)

    def _begin_build(self, program: Program, settings: Settings) -> None:
        try:
            build = CircuitBuild(program, _limits(settings, self._niceness), _Progress().tell)
            if settings.worker.engine == "circuit":
                self.machine = playing(build.result(), self._relational)
            else:
                self._build = build
        except ReasonerError as error:
            if settings.worker.engine == "circuit":
                raise
            self._missing = str(error)
            structlog.get_logger().warning("no circuit; the relational engine plays", reason=str(error))

    @property
    def building(self) -> bool:
        """Whether a faster machine is still being built."""
        return self._build is not None or self._postponed is not None

    @property
    def told(self) -> dict[str, Any]:
        """Figures for the page: the engine, whether a faster one is being built, and why there is no circuit."""
        return {"engine": self.machine.engine, "building": self.building, "missing": self._missing}

    def upgrade(self, wait: float = 0.0) -> bool:
        """Switch `machine` to a new circuit, waiting up to `wait` seconds for it; return whether it changed.

        A large game gets baseline code first, and an optimised circuit later.
        """
        if self.building and not self.compiled:
            wait = self._kernels_within(wait)
        self._begin_postponed()
        build = self._build
        if build is None or not self.compiled:
            return False
        if not self._baseline_taken:
            baseline, wait = build.baseline_code(wait), 0.0
            if baseline is not None and not build.ready():
                return self._play(baseline, "baseline code built")
        return (build.ready() or wait > 0) and self._take(build, wait)

    def _kernels_within(self, wait: float) -> float:
        """Wait at most `wait` seconds for the kernels; return the seconds left."""
        clock = MonotonicClock()
        end = clock.now() + wait
        while not self.compiled and clock.now() < end:
            time.sleep(min(LOOK, wait))
        return max(end - clock.now(), 0.0)

    def _begin_postponed(self) -> None:
        """Start the build once its kernels are compiled."""
        if self._postponed is not None and first_ready():
            begin, self._postponed = self._postponed, None
            begin()

    def _take(self, build: CircuitBuild, wait: float) -> bool:
        """Take the result of the build, waiting up to `wait` seconds; return whether there is a circuit."""
        over = build.ready()  # read first: the build may finish just after `result` stops waiting
        try:
            built = build.result(wait)
        except ReasonerError as error:
            if over:
                self._build, baseline = None, build.baseline_code()
                plays = "relational engine" if baseline is None else "baseline code"
                self._missing = str(error) if baseline is None else ""
                structlog.get_logger().warning(f"no circuit; the {plays} plays", reason=str(error))
                if baseline is not None and not self._baseline_taken:
                    return self._play(baseline, "baseline code built")
            return False
        self._build = None
        return self._play(built, "circuit built")

    def _play(self, program: LaneProgram, event: str) -> bool:
        """Switch to a circuit."""
        self.machine, self._baseline_taken = playing(program, self._relational), True
        sizes = self.machine.sizes
        structlog.get_logger().info(event, gates=sizes.gates, bases=sizes.bases, inputs=sizes.inputs)
        return True

    @property
    def compiled(self) -> bool:
        """Whether the kernels for this game are compiled; until then the relational machine plays.

        The kernels for hidden information are compiled only after the agent is ready.
        """
        return first_ready() and (not self._hides or rest_kept())

    def close(self) -> None:
        """End a build that is still running."""
        self._postponed = None
        if self._build is not None:
            self._build.cancel()
            self._build = None


class _Progress:
    """Logs the stages of a long build."""

    def __init__(self) -> None:
        self._clock = MonotonicClock()
        self._began = self._clock.now()

    def tell(self, stage: str) -> None:
        """Log the start of a stage."""
        seconds = self._clock.now() - self._began
        if seconds >= TOLD_AFTER:
            structlog.get_logger().info("building the circuit", stage=stage, seconds=round(seconds, 1))


def _limits(settings: Settings, niceness: int) -> BuildLimits:
    build = settings.build
    emitter = None if build.emitter == "auto" else build.emitter
    sizes = (build.seconds, build.memory_mib, build.ground_rules, build.gates)
    return BuildLimits(*sizes, emitter, settings.rules.rewritings, MIN_BASELINE_GATES, niceness)


def lanes_of(machine: Machine) -> dict[str, str]:
    """Return the emitter of a circuit as a figure; nothing for other machines."""
    return {"lanes": machine.emitter} if isinstance(machine, CircuitMachine) else {}
