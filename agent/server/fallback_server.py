"""The program `agent.worker.fallback`, which forks a fallback process for each match whose worker is missing or silent.

To load the program takes half a second of processor time, on a busy machine some seconds. It is loaded once, before the
agent listens, so that the matches of a restarted agent have a process a few milliseconds after their first message.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable

import structlog

from agent.server.worker import Worker
from reasoner.fork_server import PING, ask

MODULE = "agent.worker.fallback"
PATIENCE = 3.0
"""Seconds for the program to end after its last request; it waits up to one second for its processes."""
SILENCE = 10.0
"""Seconds for a new process to report."""
ANSWER = 64
"""Maximum bytes of the answer to a ping."""


class FallbackServer:
    """The running program, if any; `run` starts a program with a socket as its standard input.

    All methods that start the program raise OSError if there can be no process.
    """

    def __init__(self, run: Callable[[str, socket.socket], Awaitable[Process]]) -> None:
        self._run = run
        self._control: socket.socket | None = None
        self._process: Process | None = None
        self._starting = asyncio.Lock()
        self._ending: set[asyncio.Task[None]] = set()

    async def ready(self, seconds: float) -> None:
        """Start the program, and wait until it is loaded, at most `seconds`."""
        control = await self._started()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                loop = asyncio.get_running_loop()
                await loop.sock_sendall(control, PING)
                await loop.sock_recv(control, ANSWER)

    async def fork(self) -> Worker:
        """Return a new process, which does its work as soon as the program is loaded."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                await self._ask(theirs)
            worker = await Worker.at(ours, None)
        except BaseException:
            ours.close()
            raise
        if self._process is not None:
            asyncio.get_running_loop().call_later(SILENCE, self._look, worker, self._process)
        return worker

    def _look(self, worker: Worker, process: Process) -> None:
        """Kill the program if it has not forked a process: it hangs. The next request starts it again."""
        if worker.pid is None and not worker.ended:
            structlog.get_logger().error("the program of the fallback processes hangs and is stopped", pid=process.pid)
            if process is self._process:
                self.close()
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def _ask(self, end: socket.socket) -> None:
        try:
            ask(await self._started(), end)
        except ConnectionError:  # the program has ended: start it again
            self.close()
            ask(await self._started(), end)

    async def _started(self) -> socket.socket:
        """Return the socket to the program; start it if it does not run."""
        async with self._starting:
            if self._control is None:
                ours, theirs = socket.socketpair()
                try:
                    with theirs:
                        self._process = await self._run(MODULE, theirs)
                except BaseException:
                    ours.close()
                    raise
                ours.setblocking(False)
                self._control = ours
            return self._control

    def close(self) -> None:
        """Let the program end; its processes continue until their connections are closed."""
        control, process, self._control, self._process = self._control, self._process, None, None
        if control is not None and process is not None:
            control.close()
            self._ending.add(ending := asyncio.create_task(end_program(process, PATIENCE)))
            ending.add_done_callback(self._ending.discard)

    async def closed(self) -> None:
        """Wait until the program has ended after `close`."""
        await asyncio.gather(*self._ending, return_exceptions=True)


async def end_program(process: Process, patience: float) -> None:
    """Let a disconnected program end, or kill it after `patience` seconds."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), patience)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
