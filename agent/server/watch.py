"""Who looks on: told of every match what can be seen of it. The page is one; nobody has to be."""

from __future__ import annotations

from collections.abc import Callable

from agent.protocol.messages import Start
from agent.worker.messages import MatchEvent


class MatchWatcher:
    """Told everything and asked nothing; this one does nothing with it."""

    def began(self, message: Start) -> None:
        """A match begins."""

    def refused(self, match_id: str, reason: str) -> None:
        """A START was answered busy, for `reason`."""

    def asked(self, match_id: str, seconds: float) -> None:
        """A question of `seconds` begins: the start clock, or a play clock."""

    def heard(self, match_id: str, event: MatchEvent) -> None:
        """The match's worker has told something, also the last position after the match has ended."""

    def ended(self, match_id: str, reason: str) -> None:
        """The match is over."""


NOBODY = MatchWatcher()
"""Looks away."""


class HeldWatcher(MatchWatcher):
    """Keeps what is told of one match for `watcher` until it is decided that this match is played."""

    def __init__(self, watcher: MatchWatcher) -> None:
        self._watcher = watcher
        self._held: list[Callable[[], None]] | None = []

    def release(self) -> None:
        """Tell all that was kept, and from now on at once."""
        held, self._held = self._held or [], None
        for tell in held:
            tell()

    def asked(self, match_id: str, seconds: float) -> None:
        """See `MatchWatcher`."""
        self._tell(lambda: self._watcher.asked(match_id, seconds))

    def heard(self, match_id: str, event: MatchEvent) -> None:
        """See `MatchWatcher`."""
        self._tell(lambda: self._watcher.heard(match_id, event))

    def _tell(self, tell: Callable[[], None]) -> None:
        if self._held is None:
            tell()
        else:
            self._held.append(tell)
