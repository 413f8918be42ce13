"""Who plays the games of self-play: processes of this machine, or nodes of a cluster."""

from __future__ import annotations

from typing import Protocol

from search.study.games import Games
from search.study.selfplay import SelfPlayJob


class Actors(Protocol):
    """Jobs go in, games come out, in any order. Who is lost costs only the job under way."""

    @property
    def width(self) -> int:
        """Jobs that are done at the same time."""

    @property
    def shared(self) -> bool:
        """Whether actors run on the processors that training needs, too."""

    @property
    def waiting(self) -> int:
        """Jobs submitted whose games have not been taken."""

    def submit(self, job: SelfPlayJob) -> None:
        """Give a job away."""

    def next_done(self, timeout: float) -> Games | None:
        """The games of some job that is done; None where there are none within the seconds given.

        Raises ReasonerError or StudyError where the job cannot be done at all.
        """

    def close(self) -> None:
        """End all actors; jobs under way are lost."""
