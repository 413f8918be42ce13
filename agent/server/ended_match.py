"""Listener for the worker of an ended match."""

from __future__ import annotations

from collections.abc import Callable

from agent.server.worker import Listener
from agent.worker.worker_messages import MatchEvent, PlayerFailed, RefereeEvent, Reported, Told


class EndedMatch(Listener):
    """Receives the last events of a worker after its match: search figures, and the last position."""

    def __init__(
        self, watch: Callable[[MatchEvent], None], reported: Callable[[Reported | PlayerFailed], None]
    ) -> None:
        self._watch = watch
        self._reported = reported

    def heard(self, event: Told) -> None:
        """Forward an event."""
        if isinstance(event, RefereeEvent):
            return
        self._watch(event)
        if isinstance(event, Reported | PlayerFailed):
            self._reported(event)

    def died(self) -> None:
        """Ignore the expected end of the process."""
