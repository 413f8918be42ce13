"""Sizes of self-play jobs: the games of a job, and the simulations of a move."""

from __future__ import annotations

from search.network.storage import Model, to_bytes
from search.study.options import StudyOptions
from search.study.probe import Probe
from search.study.selfplay import SelfPlayJob

JOB_SECONDS = 5.0
"""Target duration of a job."""
MAX_GAMES = 1000
"""Maximum number of games of a job."""
TARGET_POSITIONS, MIN_SIMULATIONS = 100_000, 64
"""Positions that a study aims at. To reach this number, a move gets fewer simulations, but at least MIN_SIMULATIONS."""


class Jobs:
    """Creates the jobs of one study; their size depends on the rate of positions so far."""

    def __init__(self, rules: str, options: StudyOptions, probe: Probe) -> None:
        self._rules, self._options, self._probe = rules, options, probe
        self._games_a_second = 0.0  # of one actor
        self.simulations = options.simulations  # simulations of a move
        self._worked = 0  # simulations spent on positions that arrived after `_counted`
        self._counted: float | None = None  # time of the first arrival; the time before includes the start of processes

    def job(self, number: int, model: Model | None) -> SelfPlayJob:
        """Return the next job."""
        steps = self._probe.steps
        return SelfPlayJob(
            rules=self._rules,
            network=None if model is None else to_bytes(model),
            games=min(max(int(self._games_a_second * JOB_SECONDS), 1), MAX_GAMES),
            simulations=self.simulations,
            early=max(int(steps / 4), 2),
            opening=max(int(steps / 16), 2),
            max_steps=max(4 * self._probe.longest, 200),
            seed=self._options.seed * 1_000_003 + number,
        )

    def note(self, positions: int, games: int, seconds: float, width: int) -> None:
        """Record new positions. All `games` so far took `seconds` on `width` actors; without actors `width` is 0."""
        self._games_a_second = games / max(seconds, 1e-3) / max(width, 1)
        if self._counted is None:  # the time until now includes the start of processes
            self._counted = seconds
            return
        self._worked += positions * self.simulations
        self._afford(self._worked / max(seconds - self._counted, 1e-3))

    def _afford(self, rate: float) -> None:
        """Set the simulations of a move so that the study gets enough positions, if the rate stays the same."""
        most = self._options.simulations
        fewer = int(rate * self._options.seconds / TARGET_POSITIONS)
        self.simulations = max(min(fewer, most), min(MIN_SIMULATIONS, most))
