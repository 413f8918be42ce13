"""What a worker still tells when its match is over."""

from __future__ import annotations

from collections.abc import Callable

from agent.server.watch import MatchWatcher
from agent.server.worker import Listener
from agent.worker.messages import PlayerFailed, RefereeEvent, Reported, Told


class EndedMatch(Listener):
    """Hears a worker out whose match is over: its last thoughts and figures, and the last position."""

    def __init__(
        self, match_id: str, watcher: MatchWatcher, reported: Callable[[Reported | PlayerFailed], None]
    ) -> None:
        self._match_id = match_id
        self._watcher = watcher
        self._reported = reported

    def heard(self, event: Told) -> None:
        """The worker tells something more."""
        if isinstance(event, RefereeEvent):
            return
        self._watcher.heard(self._match_id, event)
        if isinstance(event, Reported | PlayerFailed):
            self._reported(event)

    def died(self) -> None:
        """As it should."""
