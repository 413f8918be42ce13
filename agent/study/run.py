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
    """Study until the time is up or a signal comes. Raises StudyError or ReasonerError."""
    if folder.exists() and not resume:
        raise StudyError(f"{folder.path} holds a study: --resume goes on with it, another --out begins a new one")
    with stopping() as stopped, contextlib.closing(actors()) as players, display:
        task = Task(sheet.text, sheet.name)
        study = Study(task, folder, players, MonotonicClock(), options, display, stopped)
        try:
            record = study.run()
        finally:
            write_report(folder, sheet.name)
    return record


def useful(folder: StudyFolder) -> bool:
    """Whether matches have shown that a search plays better with what was found than without."""
    studied = folder.load_result()
    return studied is not None and "tuned" in studied.about and (studied.weight > 0 or studied.prior > 0)


def write_report(folder: StudyFolder, name: str) -> Path:
    """The page of a study; where it lies."""
    page = folder.path / "report.html"
    with contextlib.suppress(OSError):  # the study itself is kept; its page can be made again
        page.write_text(as_html(name, folder.load_record()), encoding="utf-8")
    return page


@contextlib.contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """Whether SIGINT or SIGTERM has come; a second one ends the process as ever."""
    came: list[int] = []

    def note(number: int, _frame: object) -> None:
        came.append(number)
        signal.signal(number, before[number])

    before: dict[int, Any] = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
