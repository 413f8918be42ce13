"""What is known of a game before it is played, for matches of managers that somebody looks at.

A manager sends rules and moves alone. A process of its own, which gives way to matches, reads the rules and plays a few
random games, once for each rulesheet: then such matches are drawn as those on the page are.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from agent.page.errors import RefereeError, RulesFaultError
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.worker.messages import Position

KEPT = 8
"""Rulesheets of which it is kept."""


class Looks:
    """Finds it for one match at a time."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._known: OrderedDict[str, Position | None] = OrderedDict()
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def want(self, log: MatchLog) -> None:
        """Find it for a match that is looked at, unless it is known or being found; who looks is told when it is."""
        if not log.foreseen and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self.find(log))

    async def find(self, log: MatchLog) -> None:
        """Find it, and wait for it; rules that cannot be evaluated leave it unknown."""
        async with self._lock:
            if log.foreseen or not log.rules:
                return
            if log.rules not in self._known:
                self._known[log.rules] = await self._asked(log.rules)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
            log.foresee(self._known.get(log.rules))
        self._host.gallery.signal.change()

    def close(self) -> None:
        """Leave it."""
        if self._task is not None:
            self._task.cancel()

    async def _asked(self, rules: str) -> Position | None:
        referee = self._host.new_referee()
        try:
            await referee.read(rules)
            return await referee.begin(0, gently=True)
        except (RefereeError, RulesFaultError):
            return None
        finally:
            referee.close()
