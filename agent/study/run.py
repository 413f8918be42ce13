"""A study as the command runs it: folder, processes, signals, display and report."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from agent.gamemaster.rulesheet import Rulesheet
from agent.study.display import StudyDisplay
from agent.study.report import as_html
from search.clock import MonotonicClock
from search.errors import StudyError
from search.study.actors import Actors
from search.study.folder import Record, StudyFolder
from search.study.loop import Study, Task
from search.study.options import StudyOptions


def study_game(
    sheet: Rulesheet,
    folder: StudyFolder,
    options: StudyOptions,
    actors: Callable[[], Actors],
    display: StudyDisplay,
    resume: bool = False,
) -> Record:
    """Study until the time is up or a signal comes. Raises StudyError or ReasonerError.

    A signal that comes before there is anything to save, while the circuit is made, ends it at once.
    """
    _check(folder, options, resume)
    came: list[int] = []
    with contextlib.closing(actors()) as players, display:
        task = Task(sheet.text, sheet.name)
        study = Study(task, folder, players, MonotonicClock(), options, display, lambda: bool(came))
        with noting(came):
            try:
                record = study.run()
            finally:
                write_report(folder, sheet.name)
    return record


def _check(folder: StudyFolder, options: StudyOptions, resume: bool) -> None:
    if not folder.exists():
        return
    if not resume:
        raise StudyError(f"{folder.path} holds a study: --resume goes on with it, another --out begins a new one")
    if (done := folder.load_record().seconds) >= options.seconds:
        raise StudyError(f"{folder.path} has had {done / 60:.1f} minutes already: --resume goes on with more --minutes")


def useful(folder: StudyFolder) -> bool:
    """Whether matches have shown that a search plays better with what was found than without."""
    studied = folder.load_result()
    return studied is not None and "tuned" in studied.about and (studied.weight > 0 or studied.prior > 0)


def write_report(folder: StudyFolder, name: str) -> Path:
    """The page of a study; where it lies."""
    with contextlib.suppress(StudyError):  # the study itself is kept; its page can be made again
        folder.save_report(as_html(name, folder.load_record()))
    return folder.report


@contextlib.contextmanager
def noting(came: list[int]) -> Iterator[None]:
    """Put SIGINT and SIGTERM into the list as they come; a second one ends the process as ever."""

    def note(number: int, _frame: object) -> None:
        came.append(number)
        signal.signal(number, before[number])

    before: dict[int, Any] = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
