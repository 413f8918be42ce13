"""Detection of a match's boards in a thread, one match at a time."""

from __future__ import annotations

import asyncio

from agent.page.history import MatchLog


class Drawing:
    """Finds boards without blocking the messages of game managers."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def draw(self, log: MatchLog) -> None:
        """Find the boards of a match, unless they are known."""
        async with self._lock:
            if (question := log.look_question()) is None:
                return
            size, find = question
            try:
                look = await asyncio.to_thread(find)
            except RuntimeError:  # no thread available: run on the event loop
                look = find()
            log.keep_look(size, look)
