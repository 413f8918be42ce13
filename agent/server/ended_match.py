"""Listener for the worker of an ended match."""

from __future__ import annotations

from collections.abc import Callable

from agent.server.watch import MatchWatcher
from agent.server.worker import Listener
from agent.worker.worker_messages import PlayerFailed, RefereeEvent, Reported, Told


class EndedMatch(Listener):
    """Receives the last events of a worker after its match: search figures, and the last position."""

    def __init__(
        self, match_id: str, watcher: MatchWatcher, reported: Callable[[Reported | PlayerFailed], None]
    ) -> None:
        self._match_id = match_id
        self._watcher = watcher
        self._reported = reported

    def heard(self, event: Told) -> None:
        """Forward an event."""
        if isinstance(event, RefereeEvent):
            return
        self._watcher.heard(self._match_id, event)
        if isinstance(event, Reported | PlayerFailed):
            self._reported(event)

    def died(self) -> None:
        """Ignore the expected end of the process."""
