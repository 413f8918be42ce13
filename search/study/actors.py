"""Interface to the actors that play self-play games: local processes, or nodes of a cluster."""

from __future__ import annotations

from typing import Protocol

from search.study.games import Games
from search.study.selfplay import SelfPlayJob


class Actors(Protocol):
    """Processes that play the games of submitted jobs, in any order. A lost actor costs only its current job."""

    @property
    def width(self) -> int:
        """Number of jobs that run at the same time."""

    @property
    def shared(self) -> bool:
        """Whether the actors use the same processors as training."""

    @property
    def waiting(self) -> int:
        """Number of submitted jobs that are not finished; if many games have not been taken, their jobs count too."""

    def submit(self, job: SelfPlayJob) -> None:
        """Submit a job."""

    def next_done(self, timeout: float) -> Games | None:
        """Return the games of a finished job; None if no job finishes within `timeout` seconds.

        Raises ReasonerError or StudyError if a job cannot be done at all.
        """

    def close(self) -> None:
        """End all actors; unfinished jobs are lost."""
