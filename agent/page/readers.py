"""Parsing of rulesheets sent to the page, each in its own process, a few at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import structlog

from agent.page.errors import LaterError
from agent.page.host import Host
from agent.page.referee import Referee
from agent.page.requests import asker
from agent.worker.worker_messages import Fault

RATE = (
    "more rulesheets were sent from your address within a minute than server.starts_per_minute allows; "
    "try again in a moment"
)
Read = tuple[Referee, Sequence[Fault], Sequence[str]]
"""A process that has read rules; the diagnostics of these rules; their roles."""


class Readers:
    """Queue of rulesheets. Raises RulesFaultError, RefereeError, and LaterError if the queue is full."""

    AT_ONCE = 3  # rulesheets parsed at the same time, each in a process
    OF_ONE_AT_ONCE = 2  # of them, those of one client address, so that another one need not wait for its large ones
    WAITING = 16  # maximum number of waiting rulesheets
    FOR_ONE = 9  # maximum rulesheets of one client address that are parsed or wait

    def __init__(self, host: Host) -> None:
        self._host = host
        self._readers = asyncio.Semaphore(self.AT_ONCE)
        self._asked: Counter[str] = Counter()  # rulesheets being parsed or waiting, by client address
        self._turns: dict[str, asyncio.Semaphore] = {}  # by client address that asks

    async def read(self, rules: str, *, kept: bool = True) -> Read:
        """Read a rulesheet in a new process; return this process, the diagnostics and the roles.

        If `kept` is true, the caller must close the process; if false, it is closed here, and the rulesheet does not
        count for `server.starts_per_minute`: an editor sends one after each change of the rules.
        """
        who = asker.get()
        full = self._asked.total() >= self.AT_ONCE + self.WAITING or self._asked[who] >= self.FOR_ONE
        if full:
            raise LaterError("too many rulesheets were sent to this agent; try again in a moment")
        if kept and not self._host.matches.admit(who):
            structlog.get_logger().warning("a request of the page is refused: server.starts_per_minute", client=who)
            raise LaterError(RATE)
        self._asked[who] += 1
        turns = self._turns.setdefault(who, asyncio.Semaphore(self.OF_ONE_AT_ONCE))
        try:
            async with turns, self._readers:
                referee, faults, roles = await self._read_by(self._host.new_referee(), rules, gently=not kept)
                if kept:
                    self._host.matches.admitted(who)
                else:  # the next process starts after this one has ended
                    await referee.ended()
                return referee, faults, roles
        finally:
            self._asked -= Counter({who: 1})
            if not self._asked[who]:
                del self._turns[who]

    async def _read_by(self, referee: Referee, rules: str, *, gently: bool) -> Read:
        try:
            return referee, *(await referee.read(rules, gently=gently))
        except BaseException:  # including cancellation, when the sender leaves
            referee.close()
            raise
