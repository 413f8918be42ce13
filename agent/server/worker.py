"""Connection to a worker process; `agent.worker.worker_messages` defines the messages."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable
from typing import Protocol

import structlog

from agent.worker.worker_messages import Born, Command, Event, Here, Knock, Told, decode_event, encode
from reasoner.platform_calls import signal_group

LINE_LIMIT = 16 << 20
"""Maximum bytes of an event."""


class Listener(Protocol):
    """Receiver of a worker's events."""

    def heard(self, event: Told) -> None:
        """Handle an event."""

    def died(self) -> None:
        """Handle the end of the process; the last call."""


class Worker:
    """One process, in its own process group so that its children end with it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, listener: Listener | None) -> None:
        self._reader = reader
        self._writer = writer
        self.listener = listener  # None: no match uses it
        self.pid: int | None = None  # None until the fork
        self._here = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def at(cls, end: socket.socket, listener: Listener | None) -> Worker:
        """Connect to the worker at the other end of a socket."""
        return cls(*await asyncio.open_connection(sock=end, limit=LINE_LIMIT), listener)

    def send(self, command: Command) -> None:
        """Send a command without waiting. If the process is dead, `died` follows."""
        if not self._writer.is_closing():  # uvloop raises if the socket is closed, before `died` is called
            self._writer.write(encode(command))

    def kill(self) -> None:
        """Kill the process and its children. A process that is not forked yet will end because its socket is closed."""
        if self.pid is not None and not self._reading.done():
            signal_group(self.pid, signal.SIGKILL)
        self._writer.close()

    async def answers(self, seconds: float) -> bool:
        """Whether the process answers a ping within `seconds`."""
        self._here.clear()
        self.send(Knock())
        here = asyncio.create_task(self._here.wait())
        try:
            await asyncio.wait([here, self._reading], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            here.cancel()
        return self._here.is_set() and not self.ended

    @property
    def ended(self) -> bool:
        """Whether the process has ended and `died` was called."""
        return self._reading.done()

    def when_closed(self, call: Callable[[Worker], None]) -> None:
        """Call `call` when the process has ended."""
        self._reading.add_done_callback(lambda _: call(self))

    async def closed(self) -> None:
        """Wait until the process has ended; cancellation does not affect it."""
        await asyncio.wait([self._reading])

    async def _read(self) -> None:
        try:
            while line := await self._reader.readline():
                self._hear(decode_event(line))
        except ConnectionError:
            pass  # the process was killed with unread commands
        except ValueError:  # too long or malformed line of a faulty process
            structlog.get_logger().error("a worker sent an invalid message and is stopped", pid=self.pid)
        except Exception:  # errors of the listener must not hide the end of the process
            structlog.get_logger().exception("handling a worker's message failed; the worker is stopped", pid=self.pid)
        self.kill()
        await self._let_go()
        if self.listener is not None:
            self.listener.died()

    async def _let_go(self) -> None:
        """Drop unsent data and consume the socket's error, which asyncio would report otherwise."""
        self._writer.transport.abort()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    def _hear(self, event: Event) -> None:
        if isinstance(event, Born):
            self.pid = event.pid
        elif isinstance(event, Here):
            self._here.set()
        elif self.listener is not None:
            self.listener.heard(event)
