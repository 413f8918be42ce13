"""Warnings in the log if the folder of studied games is removed or replaced while the agent serves.

The folder is not created again here: a user who removes it and then moves another one to its place would get that one
inside the new one. What is stored next creates it (`agent.knowledge.folder`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from agent.errors import SettingsError
from agent.knowledge.access import check_folder
from agent.resources import knowledge_folder
from agent.settings import KnowledgeSettings

LOOK_SECONDS = 10.0
"""Seconds between two looks."""
EFFECT = "matches play without the games in it until it is back; a study stores its result there again"


class FolderWatch:
    """The folder of studied games as it was at the last look. Raises SettingsError if its path is not known."""

    def __init__(self, settings: KnowledgeSettings) -> None:
        self._settings = settings
        self._folder = Path(knowledge_folder(settings.folder))
        self._reason = self._unusable()  # reported at the start
        self._seen = self._identity()  # of the folder; None: there is none, or it was removed

    def look(self) -> None:
        """Log each change once."""
        reason, before, seen = self._unusable(), self._seen, self._identity()
        self._reason, changed = reason, reason != self._reason
        log = structlog.get_logger().bind(folder=str(self._folder))
        if reason:
            if changed:
                log.warning("studied games are not used", reason=reason)
            return
        self._seen = seen
        if before is not None and seen is None:
            log.warning("the folder of studied games was removed", effect=EFFECT)
        elif before not in (None, seen):
            log.warning("the folder of studied games was replaced", effect="matches use the games in the new one")

    def _identity(self) -> tuple[int, int] | None:
        try:
            status = self._folder.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _unusable(self) -> str:
        """Return why the folder cannot be read; it need not exist."""
        try:
            check_folder(self._settings)
        except SettingsError as error:
            return str(error)
        return ""


@contextmanager
def watched_folder(settings: KnowledgeSettings) -> Iterator[None]:
    """Watch the folder in a daemon thread, because a network drive may hang; nothing if matches do not use it."""
    ended = threading.Event()

    def run(watch: FolderWatch) -> None:
        while not ended.wait(LOOK_SECONDS):
            watch.look()

    try:
        if settings.use:
            threading.Thread(target=run, args=(FolderWatch(settings),), name="knowledge watch", daemon=True).start()
    except (SettingsError, RuntimeError) as error:  # no home folder, which was reported before, or no thread
        structlog.get_logger().debug("the folder of studied games is not watched", reason=str(error))
    try:
        yield
    finally:
        ended.set()
