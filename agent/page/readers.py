"""Rulesheets that are sent to the page, each read by a process of its own, a few at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from agent.page.errors import PageError
from agent.page.host import Host
from agent.page.referee import Referee
from agent.page.requests import asker
from agent.worker.messages import Fault

Read = tuple[Referee, Sequence[Fault], Sequence[str]]
"""A process that has read rules, their faults, and their roles."""


class Readers:
    """Raises RulesFaultError, RefereeError, and PageError where too many were sent."""

    AT_ONCE = 2  # rulesheets read at the same time, each by a process
    WAITING = 16  # that may wait for it
    FOR_ONE = 9  # that may be read or wait for one address

    def __init__(self, host: Host) -> None:
        self._host = host
        self._readers = asyncio.Semaphore(self.AT_ONCE)
        self._asked: Counter[str] = Counter()  # rulesheets being read or waiting for it, by who sent them

    async def read(self, rules: str, *, kept: bool = True) -> Read:
        """The process is the caller's to close; one that is not `kept` has ended already."""
        who = asker.get()
        full = self._asked.total() >= self.AT_ONCE + self.WAITING or self._asked[who] >= self.FOR_ONE
        if full or not self._host.matches.admit(who):
            raise PageError("too many rulesheets were sent to this agent; try again in a moment")
        self._asked[who] += 1
        try:
            async with self._readers:
                referee, faults, roles = await self._read_by(self._host.new_referee(), rules, gently=not kept)
                self._host.matches.admitted(who)
                if not kept:  # the next is begun when this one is gone
                    await referee.ended()
                return referee, faults, roles
        finally:
            self._asked -= Counter({who: 1})

    async def _read_by(self, referee: Referee, rules: str, *, gently: bool) -> Read:
        try:
            return referee, *(await referee.read(rules, gently=gently))
        except BaseException:  # a sender that leaves cancels this
            referee.close()
            raise
