"""Match slots for new matches: matches that were left are dropped, and a START waits while one may become free."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping

from agent.server.match import Match
from search.clock import Clock

POLL = 0.01
"""Seconds between two looks at the running matches."""


class Room:
    """At most `limit` matches run. `matches` are the running ones by id; `drop` ends one of them."""

    def __init__(self, matches: Mapping[str, Match], limit: int, clock: Clock, drop: Callable[[str], object]) -> None:
        self._matches = matches
        self._limit = limit
        self._clock = clock
        self._drop = drop
        self._queue = asyncio.Lock()  # held by the first of the STARTs that wait

    @property
    def full(self) -> bool:
        """Whether all slots are in use."""
        return len(self._matches) >= self._limit

    async def free(self, due: float) -> bool:
        """Wait, in order of arrival and at most until `due`, for a free slot; return whether there is one.

        It waits while the rules of a running match may still be refused, or while a match may have been left: it gets
        no message from now on, and may be replaced before `due`.
        """
        quiet = {key: match.kept for key, match in self._matches.items() if match.overdue_from < due}

        def hopeful() -> bool:
            now = self._clock.now()
            for key in [key for key, match in self._matches.items() if match.overdue(now)]:
                if self.full:
                    self._drop(key)
            return self.full and any(
                match.undecided or quiet.get(key) == match.kept for key, match in self._matches.items()
            )

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(due - self._clock.now(), 0.0)):
                if hopeful():
                    async with self._queue:
                        while hopeful():
                            await asyncio.sleep(POLL)
        return not self.full
