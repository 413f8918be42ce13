"""End of matches without messages: the manager of such a match has probably gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent.protocol.messages import Start
from agent.settings import Settings

PLAYS = 10
"""A match is dropped after its start clock and this many play clocks without a message."""
WAITING_SECONDS = 1.0
"""Seconds to read the messages that wait in sockets: the machine may have been paused for longer than the silence."""


class Silence:
    """Calls `drop` with the id of each match that gets no message for its time."""

    def __init__(self, settings: Settings, drop: Callable[[str], object]) -> None:
        self._least = settings.clock.silence
        self._drop = drop
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def seconds(self, message: Start) -> float:
        """Return the time without a message after which the match of this START is dropped."""
        return max(message.start_clock + PLAYS * message.play_clock, self._least)

    def begin(self, message: Start, more: float = 0.0) -> None:
        """Begin the time of a match again, plus `more` seconds."""
        self._call(self.seconds(message) + more, message.match_id, self._listen)

    def end(self, match_id: str) -> None:
        """Forget a match."""
        self._timers.pop(match_id).cancel()

    def _listen(self, match_id: str) -> None:
        self._call(WAITING_SECONDS, match_id, self._drop)

    def _call(self, seconds: float, match_id: str, then: Callable[[str], object]) -> None:
        if timer := self._timers.get(match_id):
            timer.cancel()
        self._timers[match_id] = asyncio.get_running_loop().call_later(seconds, then, match_id)
