"""A worker process as the event loop sees it; `agent.worker.messages` is what passes between them."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable
from typing import Protocol

import structlog

from agent.worker.messages import Born, Command, Event, Here, Knock, Told, decode_event, encode
from reasoner.platform_calls import signal_group

LINE_LIMIT = 16 << 20
"""Bytes an event may have at most."""


class Listener(Protocol):
    """Who is told what a worker does."""

    def heard(self, event: Told) -> None:
        """An event has come."""

    def died(self) -> None:
        """The process has ended; nothing comes after this."""


class Worker:
    """One process, in a group of its own so that its children end with it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, listener: Listener | None) -> None:
        self._reader = reader
        self._writer = writer
        self.listener = listener  # None: nobody cares, not yet or not any more
        self.pid: int | None = None  # until it is born
        self._here = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def at(cls, end: socket.socket, listener: Listener | None) -> Worker:
        """The worker at the other end of a socket."""
        return cls(*await asyncio.open_connection(sock=end, limit=LINE_LIMIT), listener)

    def send(self, command: Command) -> None:
        """Send a command; never waits. A dead process is told nothing, and `died` follows."""
        if not self._writer.is_closing():  # uvloop raises where its socket is closed, which it is before `died`
            self._writer.write(encode(command))

    def kill(self) -> None:
        """End the process and its children at once; one not yet born ends when it finds nobody at this end."""
        if self.pid is not None and not self._reading.done():
            signal_group(self.pid, signal.SIGKILL)
        self._writer.close()

    async def answers(self, seconds: float) -> bool:
        """Whether the process says within so many seconds that it is there, and does what it is told."""
        self._here.clear()
        self.send(Knock())
        here = asyncio.create_task(self._here.wait())
        await asyncio.wait([here, self._reading], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        here.cancel()
        return self._here.is_set() and not self.ended

    @property
    def ended(self) -> bool:
        """Whether the process has ended, and who listened then was told; who listens from now on hears nothing."""
        return self._reading.done()

    def when_closed(self, call: Callable[[Worker], None]) -> None:
        """Have `call` told when the process has ended."""
        self._reading.add_done_callback(lambda _: call(self))

    async def closed(self) -> None:
        """Wait until the process has ended; who stops waiting leaves it as it is."""
        await asyncio.wait([self._reading])

    async def _read(self) -> None:
        try:
            while line := await self._reader.readline():
                self._hear(decode_event(line))
        except ConnectionError:
            pass  # it was killed before it had read all that it was told
        except ValueError:  # a line that is too long or no message: written by a process that has gone wrong
            structlog.get_logger().error("a worker speaks nonsense and is ended", pid=self.pid)
        except Exception:  # whatever the match that listens raises; else nobody would hear of this process' death
            structlog.get_logger().exception("what a worker said could not be taken in; it is ended", pid=self.pid)
        self.kill()
        await self._let_go()
        if self.listener is not None:
            self.listener.died()

    async def _let_go(self) -> None:
        """Drop what could not be sent, and take the error the socket ended with; else asyncio may report it."""
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
