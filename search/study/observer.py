"""Who is told what a study does."""

from __future__ import annotations

from search.study.folder import Record
from search.study.losses import Losses
from search.study.rating import Step
from search.study.trial import Verdict
from search.study.tuning import Tuned


class StudyObserver:
    """Is told what happens; does nothing by itself."""

    def stage(self, text: str) -> None:
        """What is being done now."""

    def played(self, record: Record, window: int) -> None:
        """Games have come in."""

    def trained(self, record: Record, losses: Losses) -> None:
        """A part of training is over."""

    def renewed(self, record: Record, held: Losses, taken: bool) -> None:
        """Self-play has got a newer network, or kept its own."""

    def judged(self, record: Record, verdict: Verdict, rating: Step) -> None:
        """Matches have decided."""

    def tuned(self, tuned: Tuned) -> None:
        """It was found out how a search in matches uses the network best."""
