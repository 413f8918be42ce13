"""Progress display of a study: a bar with the remaining time on a terminal, and a line per promotion match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from search.study.observer import StudyObserver
from search.study.rating import forecast

if TYPE_CHECKING:
    from search.minimax.lesson import Lesson
    from search.network.storage import Model
    from search.study.folder import Record
    from search.study.rating import Step
    from search.study.trial import Verdict
    from search.study.validation import Losses

FORECAST_SECONDS = 600


class StudyDisplay(StudyObserver):
    """Shows progress on `out`. The context manager removes the bar. `seconds` is the length of the study."""

    def __init__(self, out: Console, seconds: float) -> None:
        self._out, self._seconds = out, seconds
        self._losses = self._held = ""
        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=out, disable=not (out.is_terminal or out.is_jupyter))

    def __enter__(self) -> StudyDisplay:
        self._bar.start()
        self._task = self._bar.add_task("", total=self._seconds)
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def stage(self, text: str) -> None:
        """See `StudyObserver`."""
        self._bar.update(self._task, description=text)

    def played(self, record: Record, window: int) -> None:
        """See `StudyObserver`."""
        text = f"{record.games} games, {record.positions} positions, {window} in the replay buffer{self._losses}"
        self._bar.update(self._task, description=text, completed=record.seconds)

    def taught(self, record: Record, lesson: Lesson) -> None:
        """See `StudyObserver`."""
        verdict = "learned" if lesson.trusted else "not used, because it predicts results worse than their mean does"
        self._bar.update(self._task, completed=record.seconds)
        self._out.print(
            f"{record.seconds / 60:.1f} min: evaluation of {lesson.games} games, gain of {lesson.gain:.3f} nats: "
            f"{verdict}"
        )

    def trained(self, record: Record, losses: Losses) -> None:
        """See `StudyObserver`."""
        self._losses = f", loss {losses.value:.3f} + {losses.policy:.3f}"
        self._bar.update(self._task, completed=record.seconds)

    def renewed(self, record: Record, held: Losses, taken: bool) -> None:  # noqa: ARG002 not shown
        """See `StudyObserver`."""
        self._held = f", held-out loss {held.value:.3f} + {held.policy:.3f}"

    def judged(self, record: Record, verdict: Verdict, rating: Step) -> None:
        """See `StudyObserver`."""
        low, high = rating.interval
        what = f"generation {record.generation}" if verdict.not_worse else "not promoted"
        self._out.print(
            f"{record.seconds / 60:.1f} min: {record.games} games{self._held}; {verdict.mean:.1f}% of "
            f"{len(verdict.results)} pairs: {what}; rating {rating.points:+.0f} ({low:+.0f} .. {high:+.0f})"
            f"{_forecast(record)}"
        )

    def tuned(self, verdict: Verdict, chosen: Model) -> None:
        """See `StudyObserver`."""
        how = "used" if verdict.shown else "no significant improvement"
        self._out.print(
            f"{verdict.mean:.1f}% of {len(verdict.results)} pairs against the search without a network, "
            f"{verdict.seconds:.3f} s per move: {how} with weight {chosen.weight:g} and prior {chosen.prior:g}"
        )


def _forecast(record: Record) -> str:
    """Return what the ratings so far let expect, for the end of a line; empty after the first rating."""
    points = forecast(record.matches, FORECAST_SECONDS)
    return "" if points is None else f"; about {points:+.0f} in the next {FORECAST_SECONDS // 60} minutes"
