"""The jobs of self-play: how many games each has, and how many simulations a move gets."""

from __future__ import annotations

from search.network.storage import Studied, to_bytes
from search.study.options import StudyOptions
from search.study.probe import Probe
from search.study.selfplay import SelfPlayJob

JOB_SECONDS = 5.0
"""That a job should take."""
MOST_GAMES = 1000
"""Of a job."""
ENOUGH, LEAST = 100_000, 64
"""Positions that a study should see, and the simulations of a move that are not given up for more of them."""


class Jobs:
    """Makes jobs for one study, by how fast positions came so far."""

    def __init__(self, rules: str, options: StudyOptions, probe: Probe) -> None:
        self._rules, self._options, self._probe = rules, options, probe
        self._games_a_second = 0.0  # of one actor
        self.simulations = options.simulations  # that a move gets
        self._worked = 0  # simulations of positions that came after ...
        self._counted: float | None = None  # ... this second

    def job(self, number: int, studied: Studied | None) -> SelfPlayJob:
        """The next one."""
        steps = self._probe.steps
        return SelfPlayJob(
            rules=self._rules,
            network=None if studied is None else to_bytes(studied),
            games=min(max(int(self._games_a_second * JOB_SECONDS), 1), MOST_GAMES),
            simulations=self.simulations,
            early=max(int(steps / 4), 2),
            opening=max(int(steps / 16), 2),
            max_steps=max(4 * self._probe.longest, 200),
            seed=self._options.seed * 1_000_003 + number,
        )

    def note(self, positions: int, games: int, seconds: float, width: int) -> None:
        """Positions have come in; so many games came in all these seconds from `width` actors, 0 if they are gone."""
        self._games_a_second = games / max(seconds, 1e-3) / max(width, 1)
        if self._counted is None:  # processes were started before
            self._counted = seconds
            return
        self._worked += positions * self.simulations
        self._afford(self._worked / max(seconds - self._counted, 1e-3))

    def _afford(self, rate: float) -> None:
        """Let moves have so many simulations that a study of this length sees enough positions, by those so far."""
        most = self._options.simulations
        fewer = int(rate * self._options.seconds / ENOUGH)
        self.simulations = max(min(fewer, most), min(LEAST, most))
