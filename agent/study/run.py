"""Run of a study: folder, processes, signals, display and report."""

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
    """Study until the time is up or a signal arrives. Raises StudyError or ReasonerError.

    A signal during the build of the circuit, before there is anything to save, stops it at once.
    """
    came: list[int] = []
    with folder.held():
        _check(folder, options, resume)
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
    if folder.headless():
        raise StudyError(f"{folder.path} has parts of a study without study.json: restore it, or give another --out")
    if not folder.exists():
        return
    if not resume:
        raise StudyError(f"{folder.path} already has a study: use --resume to continue it, or another --out")
    if (done := folder.load_record().seconds) >= options.seconds:
        raise StudyError(f"{folder.path} has already run {done / 60:.1f} minutes: use --resume with more --minutes")


def useful(folder: StudyFolder) -> bool:
    """Whether evaluation matches have shown that the network improves the search."""
    studied = folder.load_result()
    return studied is not None and "tuned" in studied.about and (studied.weight > 0 or studied.prior > 0)


def write_report(folder: StudyFolder, name: str) -> Path:
    """Write the report of a study; return its path."""
    with contextlib.suppress(StudyError):  # not fatal: the study is saved, and the report can be written again
        folder.save_report(as_html(name, folder.load_record()))
    return folder.report


@contextlib.contextmanager
def noting(came: list[int]) -> Iterator[None]:
    """Append the number of each SIGINT or SIGTERM to `came`; the second signal of a kind has its former effect."""

    def note(number: int, _frame: object) -> None:
        came.append(number)
        signal.signal(number, before[number])

    before: dict[int, Any] = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
