"""Observer interface for matches; the page implements it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from agent.protocol.messages import Start
from agent.worker.worker_messages import MatchEvent


class MatchWatcher:
    """Observer of all matches; this base class ignores all events."""

    def began(self, message: Start) -> None:
        """A match starts."""

    def refused(self, match_id: str, reason: str) -> None:
        """A START was answered busy, for `reason`."""

    def asked(self, match_id: str, seconds: float) -> None:
        """A clock of `seconds` starts: the start clock or a play clock."""

    def heard(self, match_id: str, event: MatchEvent) -> None:
        """The match's worker sent an event."""

    def receiver(self, match_id: str) -> Callable[[MatchEvent], None]:
        """Return the receiver of the events that the match's worker sends after the end, such as the last position.

        Another match may have the same id by then.
        """
        return partial(self.heard, match_id)

    def ended(self, match_id: str, reason: str) -> None:
        """The match is over."""


NOBODY = MatchWatcher()
"""The observer that ignores everything."""


class HeldWatcher(MatchWatcher):
    """Buffers the events of one match for `watcher` until the match is accepted."""

    def __init__(self, watcher: MatchWatcher) -> None:
        self._watcher = watcher
        self._held: list[Callable[[], None]] | None = []

    def release(self) -> None:
        """Forward the buffered events, and all further ones at once."""
        held, self._held = self._held or [], None
        for tell in held:
            tell()

    def asked(self, match_id: str, seconds: float) -> None:
        """See `MatchWatcher`."""
        self._tell(lambda: self._watcher.asked(match_id, seconds))

    def heard(self, match_id: str, event: MatchEvent) -> None:
        """See `MatchWatcher`."""
        self._tell(lambda: self._watcher.heard(match_id, event))

    def receiver(self, match_id: str) -> Callable[[MatchEvent], None]:
        """See `MatchWatcher`."""
        return self._watcher.receiver(match_id) if self._held is None else super().receiver(match_id)

    def _tell(self, tell: Callable[[], None]) -> None:
        if self._held is None:
            tell()
        else:
            self._held.append(tell)
