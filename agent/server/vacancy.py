"""Acquisition of a worker process for a match, with retries."""

from __future__ import annotations

import asyncio

import structlog

from agent.errors import SpecError
from agent.server.metrics import Metrics
from agent.server.worker import Listener, Worker
from agent.server.workers import Workers
from agent.worker.worker_messages import Refused

RETRY = 0.2
"""Seconds between retries."""


class Vacancy:
    """Takes workers for `listener`; logs one error while none is available."""

    def __init__(self, workers: Workers, listener: Listener, metrics: Metrics, match_id: str) -> None:
        self._workers, self._listener, self._metrics = workers, listener, metrics
        self._log = structlog.get_logger().bind(match=match_id)
        self._told = False  # whether the error was logged

    async def take(self, *, again: bool = False) -> Worker | Refused:
        """Wait for a worker and return it, or return why there will be none. With `again`, wait RETRY seconds first."""
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
        """Record that the worker has sent an event."""
        self._told = False

    def refused(self, reason: str) -> None:
        """Record that no process is available now."""
        self._metrics.error("no process")
        if not self._told:
            self._told = True
            self._log.error("no process can be started for the match; the agent keeps trying", reason=reason)
