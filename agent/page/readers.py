"""Parsing of rulesheets sent to the page, each in its own process, a few at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from agent.page.errors import PageError
from agent.page.host import Host
from agent.page.referee import Referee
from agent.page.requests import asker
from agent.worker.worker_messages import Fault

Read = tuple[Referee, Sequence[Fault], Sequence[str]]
"""A process that has read rules; the diagnostics of these rules; their roles."""


class Readers:
    """Queue of rulesheets. Raises RulesFaultError, RefereeError, and PageError if the queue is full."""

    AT_ONCE = 2  # rulesheets parsed at the same time, each in a process
    WAITING = 16  # maximum number of waiting rulesheets
    FOR_ONE = 9  # maximum rulesheets of one client address that are parsed or wait

    def __init__(self, host: Host) -> None:
        self._host = host
        self._readers = asyncio.Semaphore(self.AT_ONCE)
        self._asked: Counter[str] = Counter()  # rulesheets being parsed or waiting, by client address

    async def read(self, rules: str, *, kept: bool = True) -> Read:
        """Read a rulesheet in a new process; return this process, the diagnostics and the roles.

        If `kept` is true, the caller must close the process; if false, it is closed here.
        """
        who = asker.get()
        full = self._asked.total() >= self.AT_ONCE + self.WAITING or self._asked[who] >= self.FOR_ONE
        if full or not self._host.matches.admit(who):
            raise PageError("too many rulesheets were sent to this agent; try again in a moment")
        self._asked[who] += 1
        try:
            async with self._readers:
                referee, faults, roles = await self._read_by(self._host.new_referee(), rules, gently=not kept)
                self._host.matches.admitted(who)
                if not kept:  # the next process starts after this one has ended
                    await referee.ended()
                return referee, faults, roles
        finally:
            self._asked -= Counter({who: 1})

    async def _read_by(self, referee: Referee, rules: str, *, gently: bool) -> Read:
        try:
            return referee, *(await referee.read(rules, gently=gently))
        except BaseException:  # including cancellation, when the sender leaves
            referee.close()
            raise
