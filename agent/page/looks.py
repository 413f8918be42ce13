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
from agent.page.referee import Referee
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
        if _lacks(log) and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self.find(log))

    async def find(self, log: MatchLog) -> None:
        """Find it, and why a match that is over ended so; rules that cannot be evaluated leave both unknown."""
        async with self._lock:
            if not _lacks(log):
                return
            referee = self._host.new_referee()
            try:
                await self._found(log, referee)
            finally:
                referee.close()
        self._host.gallery.signal.change()

    def close(self) -> None:
        """Leave it."""
        if self._task is not None:
            self._task.cancel()

    async def _found(self, log: MatchLog, referee: Referee) -> None:
        rules = log.rules
        readable = (rules in self._known and not log.unexplained) or await _readable(referee, rules)
        if rules not in self._known:
            self._known[rules] = await _first(referee) if readable else None
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        if not log.foreseen:
            log.foresee(self._known.get(rules))
        if log.unexplained:
            log.cause = await _cause(referee, log) if readable else ()


def _lacks(log: MatchLog) -> bool:
    """Whether anything may still be found of a match."""
    return bool(log.rules) and (not log.foreseen or log.unexplained)


async def _readable(referee: Referee, rules: str) -> bool:
    try:
        await referee.read(rules)
    except (RefereeError, RulesFaultError):
        return False
    return True


async def _first(referee: Referee) -> Position | None:
    try:
        return await referee.begin(0, gently=True)
    except RefereeError:
        return None


async def _cause(referee: Referee, log: MatchLog) -> tuple[str, ...]:
    """Why a match ended, by its last two positions."""
    before, last = [(), *(moment.facts for moment in log.moments)][-2:]
    try:
        return tuple(await referee.explain(before, last))
    except RefereeError:
        return ()
