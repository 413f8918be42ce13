"""The process that offers legal moves for a match while no worker is available (`agent.worker.fallback`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from agent.server.question import Question
from agent.server.worker import Listener, Worker
from agent.server.workers import Workers
from agent.worker.worker_messages import Applied, Begin, Choose, Offered, Told
from search.clock import Clock

EARLY = 0.25
"""Share of the clock after which a worker should have offered a legal move."""
WORTHWHILE = 0.5
"""Minimum seconds left to start the process early: in less time, a silent worker is probably only slow."""


class Fallback(Listener):
    """The fallback process of one match, started on demand; `hear` is called with its events."""

    def __init__(self, workers: Workers, hear: Callable[[Applied | Offered], None]) -> None:
        self._workers = workers
        self._hear = hear
        self._wanted = False
        self._process: Worker | None = None
        self._starting: asyncio.Task[None] | None = None

    def begin_early(self, question: Question, clock: Clock, commands: Callable[[], Sequence[Begin | Choose]]) -> None:
        """Start the process at a quarter of the clock if no legal move is known by then: the worker may hang."""

        def look() -> None:
            if question.open and question.offer is None:
                self._starting = asyncio.create_task(self.begin(commands))

        left = question.times.last - clock.now()
        if left >= WORTHWHILE:
            asyncio.get_running_loop().call_later(left * EARLY, look)

    async def begin(self, commands: Callable[[], Sequence[Begin | Choose]]) -> None:
        """Start the process, if there is none, and send it `commands()`; do nothing if it cannot be started."""
        if self._wanted:
            return
        self._wanted = True
        try:
            process = await self._workers.fallback(self)
        except OSError as error:
            self._wanted = False
            structlog.get_logger().debug("no fallback process could be started", reason=str(error))
            return
        if self._wanted:
            self._process = process
            for command in commands():
                process.send(command)
        else:  # `close` was called meanwhile
            process.kill()

    def send(self, command: Choose) -> None:
        """Send a PLAY to the process, if there is one."""
        if self._process is not None:
            self._process.send(command)

    def close(self) -> None:
        """End the process."""
        process, self._process, self._wanted = self._process, None, False
        if process is not None:
            process.listener = None
            process.kill()

    def heard(self, event: Told) -> None:
        """Handle an event of the process."""
        if isinstance(event, Applied | Offered):
            self._hear(event)

    def died(self) -> None:
        """Handle the end of the process: the match continues without it."""
        self._process, self._wanted = None, False
