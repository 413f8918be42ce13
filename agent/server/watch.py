"""Who looks on: told of every match what can be seen of it. The page is one; nobody has to be."""

from __future__ import annotations

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
