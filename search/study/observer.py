"""Observer interface for the events of a study."""

from __future__ import annotations

from search.minimax.lesson import Lesson
from search.network.storage import Model
from search.study.folder import Record
from search.study.rating import Step
from search.study.trial import Verdict
from search.study.validation import Losses


class StudyObserver:
    """Receives the events of a study; the methods of this base class do nothing."""

    def stage(self, text: str) -> None:
        """Report the current activity."""

    def taught(self, record: Record, lesson: Lesson) -> None:
        """Report that an evaluation was learned."""

    def played(self, record: Record, window: int) -> None:
        """Report that games have arrived."""

    def trained(self, record: Record, losses: Losses) -> None:
        """Report that a round of training has ended."""

    def renewed(self, record: Record, held: Losses, taken: bool) -> None:
        """Report that self-play uses a newer network (`taken`), or keeps its network."""

    def judged(self, record: Record, verdict: Verdict, rating: Step) -> None:
        """Report that matches have decided about a network."""

    def tuned(self, verdict: Verdict, chosen: Model) -> None:
        """Report the matches of the best weight and prior against the search without a network."""
