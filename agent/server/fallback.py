"""The process that offers legal moves for a match while no worker is available (`agent.worker.fallback`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog

from agent.server.worker import Listener, Worker
from agent.server.workers import Workers
from agent.worker.worker_messages import Applied, Begin, Choose, Offered, Told


class Fallback(Listener):
    """The fallback process of one match, started on demand; `hear` is called with its events."""

    def __init__(self, workers: Workers, hear: Callable[[Applied | Offered], None]) -> None:
        self._workers = workers
        self._hear = hear
        self._wanted = False
        self._process: Worker | None = None

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
