"""How many may wait for answers that a clock gives time for: START and PLAY."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agent.errors import CrowdedError
from agent.protocol.messages import ImperfectPlay, Play, Start

FOR_ONE_ANSWER = 8
"""Senders of the same message that may wait at the same time; a manager sends one, or again what was not answered."""
BESIDE_MATCHES = 32
"""STARTs that may wait at the same time, as for kernels to be compiled, beside two for each match."""

Gone = Callable[[], bool]
Waited = Start | Play | ImperfectPlay


class Waiters:
    """Those who wait, by message, with what tells whether they have left; these keep no other out."""

    def __init__(self, matches: int, connections: int) -> None:
        """For so many matches and connections, at most half of which wait."""
        self._most = max(1, min(connections // 2, BESIDE_MATCHES + 2 * matches))
        self._waiting: dict[Waited, dict[int, Gone]] = {}
        self._made = 0

    @contextmanager
    def place(self, message: Waited, gone: Gone) -> Iterator[None]:
        """Be one of them. Raises CrowdedError where there are too many."""
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
            raise CrowdedError("this message is waited for on too many connections; wait for one of the answers")
        starts = [those for one, those in self._waiting.items() if isinstance(one, Start)]
        if isinstance(message, Start) and sum(map(_there, starts)) >= self._most:
            raise CrowdedError("too many STARTs wait for this agent's answers; try again in a moment")


def _there(waiting: dict[int, Gone]) -> int:
    return sum(not gone() for gone in waiting.values())
