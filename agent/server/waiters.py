"""Limit on the requests that wait for answers to START and PLAY."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agent.errors import CrowdedError
from agent.protocol.messages import ImperfectPlay, Play, Start

FOR_ONE_ANSWER = 8
"""Maximum requests that wait with the same message; a manager sends it once, or repeats it if no answer comes."""
BESIDE_MATCHES = 32
"""Maximum STARTs that wait (e.g. for compilation), besides two per match."""

Gone = Callable[[], bool]
"""Whether the connection of a message is closed."""
Waited = Start | Play | ImperfectPlay


class Waiters:
    """The waiting requests by message, without those whose client has left."""

    def __init__(self, matches: int, connections: int) -> None:
        """Set the limit: `BESIDE_MATCHES` plus two per match, but at most half of the `connections`."""
        self._most = max(1, min(connections // 2, BESIDE_MATCHES + 2 * matches))
        self._waiting: dict[Waited, dict[int, Gone]] = {}
        self._made = 0

    @contextmanager
    def place(self, message: Waited, gone: Gone) -> Iterator[None]:
        """Register a waiting request. Raises CrowdedError if there are too many."""
        self._check(message)
        self._made += 1
        number = self._made
        self._waiting.setdefault(message, {})[number] = gone
        try:
            yield
        finally:
            left = self._waiting[message]
            del left[number]
            if not left:
                del self._waiting[message]

    def _check(self, message: Waited) -> None:
        if _there(self._waiting.get(message, {})) >= min(FOR_ONE_ANSWER, self._most):
            raise CrowdedError(
                "too many connections already wait for the answer to this message; keep one of them open"
            )
        starts = [those for one, those in self._waiting.items() if isinstance(one, Start)]
        if isinstance(message, Start) and sum(map(_there, starts)) >= self._most:
            raise CrowdedError("too many STARTs are waiting; try again in a moment")


def _there(waiting: dict[int, Gone]) -> int:
    return sum(not gone() for gone in waiting.values())
