"""A worker process as the event loop sees it, and the lines of JSON that pass between them.

Commands: ``{"settings"}`` once, then ``{"do": "start", match, role, rules, line, column, start_clock, play_clock,
deadline, joints, answered}``, ``{"do": "play", n, deadline, apply, joint, repeated}``, ``{"do": "stop"}``.
Events: ``{"is": "hello"}`` or ``"unusable" (reason)`` once; ``"understood" (engine)`` and ``"ready"``, or ``"refused"
(reason)``, for a start; ``"applied" (keep, added)``, ``"offer" (n, move)``, ``"answer" (n, move)``, ``"report"
(engine, figures)`` for a play; ``"idle"`` for a stop. Deadlines are the monotonic clock's, which all processes share.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import structlog

from agent.settings import Settings, to_dict

Event = dict[str, Any]
LINE_LIMIT = 16 << 20
"""Bytes an event may have at most."""
ROOT = Path(__file__).parents[2]
"""Where the packages lie, installed or not."""


class Listener(Protocol):
    """Who is told what a worker does."""

    def heard(self, event: Event) -> None:
        """An event has come."""

    def died(self, code: int) -> None:
        """The process has ended; nothing comes after this."""


class Worker:
    """One process, in a group of its own so that its children end with it. `listener` may change with each match."""

    def __init__(self, process: asyncio.subprocess.Process, listener: Listener) -> None:
        self._process = process
        self.listener = listener
        self.pid = process.pid
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def spawn(cls, settings: Settings, listener: Listener) -> Worker:
        """Start a process. Raises OSError when the system gives none."""
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "agent.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
            limit=LINE_LIMIT,
        )
        worker = cls(process, listener)
        worker.send({"settings": to_dict(settings)})
        return worker

    def send(self, command: dict[str, Any]) -> None:
        """Send a command; never waits. A dead process is told nothing, and `died` follows."""
        stdin = self._process.stdin
        assert stdin is not None  # asked for above
        with contextlib.suppress(ConnectionError, RuntimeError):
            stdin.write(json.dumps(command).encode() + b"\n")

    def kill(self) -> None:
        """End the process and its children at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def closed(self) -> None:
        """Wait until the process has ended."""
        await self._reading

    def when_closed(self, call: Callable[[Worker], None]) -> None:
        """Have `call` told when the process has ended."""
        self._reading.add_done_callback(lambda _: call(self))

    async def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None  # asked for above
        try:
            while line := await stdout.readline():
                self.listener.heard(json.loads(line))
        except ValueError:  # a line that is too long or no JSON: written by a process that has gone wrong
            structlog.get_logger().error("a worker speaks nonsense and is ended", pid=self.pid)
        self.kill()
        self.listener.died(await self._process.wait())
