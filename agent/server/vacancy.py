"""A match that wants a worker: a process is asked for until there is room for one."""

from __future__ import annotations

import asyncio

import structlog

from agent.errors import SpecError
from agent.server.metrics import Metrics
from agent.server.worker import Listener, Worker
from agent.server.workers import Workers
from agent.worker.messages import Refused

RETRY = 0.2
"""Seconds until a process is asked for again where there was no room for one."""


class Vacancy:
    """Takes workers for `listener`, and writes one line in the log when none can be had, until one is heard of."""

    def __init__(self, workers: Workers, listener: Listener, metrics: Metrics, match_id: str) -> None:
        self._workers, self._listener, self._metrics = workers, listener, metrics
        self._log = structlog.get_logger().bind(match=match_id)
        self._told = False  # whether the log has the line

    async def take(self, *, again: bool = False) -> Worker | Refused:
        """A worker as soon as there is room for one, or why there never will be one; `again` waits first."""
        if again:
            await asyncio.sleep(RETRY)
        while True:
            try:
                return await self._workers.take(self._listener)
            except SpecError as error:
                return Refused(str(error))
            except OSError as error:
                self.refused(error.strerror or str(error))
                await asyncio.sleep(RETRY)

    def filled(self) -> None:
        """The worker was heard of."""
        self._told = False

    def refused(self, reason: str) -> None:
        """No process can be had now."""
        self._metrics.error("no process")
        if not self._told:
            self._told = True
            self._log.error("no process can be had for the match; it is asked for again and again", reason=reason)
