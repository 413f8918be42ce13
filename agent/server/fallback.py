"""The process that offers legal moves for a match while no worker is available (`agent.worker.fallback`)."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from agent.server.worker import Listener, Worker
from agent.server.workers import Workers
from agent.worker.messages import Applied, Begin, Choose, Offered, Told


class Fallback(Listener):
    """A process of one match, if it is needed; `hear` is called with its events."""

    def __init__(self, workers: Workers, hear: Callable[[Applied | Offered], None]) -> None:
        self._workers = workers
        self._hear = hear
        self._process: Worker | None = None

    async def begin(self, beginning: Callable[[], Begin]) -> None:
        """Start the process if there is none; without room for a process nothing happens."""
        if self._process is not None:
            return
        try:
            self._process = await self._workers.fallback(self)
        except OSError as error:
            structlog.get_logger().debug("no process that offers legal moves", reason=str(error))
            return
        self._process.send(beginning())

    def send(self, command: Choose) -> None:
        """Send a PLAY to the process, if there is one."""
        if self._process is not None:
            self._process.send(command)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.listener = None
            process.kill()

    def heard(self, event: Told) -> None:
        """Handle an event of the process."""
        if isinstance(event, Applied | Offered):
            self._hear(event)

    def died(self) -> None:
        """Handle the end of the process: the match continues without it."""
        self._process = None
