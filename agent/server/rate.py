"""How often something may begin: at most so many times in any minute."""

from __future__ import annotations

from collections import deque

MINUTE = 60.0


class Rate:
    """Counts beginnings; times are seconds of one clock."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._times: deque[float] = deque()

    def full(self, now: float) -> bool:
        """Whether no more may begin at `now`."""
        while self._times and self._times[0] < now - MINUTE:
            self._times.popleft()
        return len(self._times) >= self._limit

    def count(self, now: float) -> None:
        """Something begins."""
        self._times.append(now)
