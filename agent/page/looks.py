"""Drawing data for matches of game managers.

A manager sends only rules and moves. When a visitor watches such a match, a low-priority process reads the rules and
plays a few random games, once per rulesheet, so that the match is drawn like games on the page.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict

from agent.page.errors import ProcessError, RefereeError, RulesFaultError
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.referee import Referee
from agent.worker.worker_messages import Position

KEPT = 8
"""Rulesheets whose data is cached."""
REST_SECONDS = 60.0
"""Pause after the end of a process without an answer; the machine may have too little memory."""


class Looks:
    """Finds the drawing data, for one match at a time."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._known: OrderedDict[str, Position | None] = OrderedDict()
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._next = -math.inf  # earliest time of the next search, in seconds of the event loop

    def want(self, log: MatchLog) -> None:
        """Start a search for the data of a watched match, unless one is running; the signal changes at its end."""
        if _lacks(log) and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self.find(log))

    async def find(self, log: MatchLog) -> None:
        """Find the data, and the cause of the result of a finished match; both stay unknown on errors."""
        async with self._lock:
            now = asyncio.get_running_loop().time()
            if not _lacks(log) or now < self._next:
                return
            referee = self._host.new_referee()
            try:
                await self._found(log, referee)
            except ProcessError:  # tells nothing about the rules
                self._next = now + REST_SECONDS
                return
            finally:
                referee.close()
        self._host.gallery.signal.change()

    def close(self) -> None:
        """Stop the search."""
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
    """Whether data of a match may still be found."""
    return bool(log.rules) and (not log.foreseen or log.unexplained)


async def _readable(referee: Referee, rules: str) -> bool:
    try:
        await referee.read(rules)
    except ProcessError:
        raise
    except (RefereeError, RulesFaultError):
        return False
    return True


async def _first(referee: Referee) -> Position | None:
    try:
        return await referee.begin(0, gently=True)
    except ProcessError:
        raise
    except RefereeError:
        return None


async def _cause(referee: Referee, log: MatchLog) -> tuple[str, ...]:
    """Find the facts that decided a match from its last two positions."""
    before, last = [(), *(moment.facts for moment in log.moments)][-2:]
    try:
        return tuple(await referee.explain(before, last))
    except ProcessError:
        raise
    except RefereeError:
        return ()
