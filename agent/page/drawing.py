"""How matches are drawn, found out beside the event loop, for one match at a time."""

from __future__ import annotations

import asyncio

from agent.page.history import MatchLog


class Drawing:
    """Keeps managers' messages from waiting for boards to be found."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def draw(self, log: MatchLog) -> None:
        """Find out how a match is drawn, unless that is known."""
        async with self._lock:
            if (question := log.look_question()) is None:
                return
            size, find = question
            try:
                look = await asyncio.to_thread(find)
            except RuntimeError:  # no room for a thread: all others wait meanwhile
                look = find()
            log.keep_look(size, look)
