"""Worker processes, forked from a fork server that has imported and compiled everything once.

A forked worker is ready in some milliseconds, even with short clocks and on a busy machine. One spare worker is kept
ready. It has already copied the memory pages that a match writes to; a fresh fork needs about 0.05 s for these copies.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable

import structlog

from agent.errors import SpecError
from agent.progress import Progress, read_progress, silent
from agent.protocol.messages import Moves
from agent.queued_output import ChildLog
from agent.server.fallback_server import FallbackServer, end_program
from agent.server.worker import Listener, Worker
from agent.settings import Settings, to_dict
from agent.worker.worker_messages import ABLE, WARM, End, Rehearse
from reasoner.fork_server import HERE, PING, ask, command, environment

LOADED = 10.0
"""Maximum seconds to wait for the program of the fallback processes before the agent listens."""
REST = 1.0
"""Seconds for a worker to end by itself."""
PAUSE = 1.0
"""Minimum seconds between two starts of the fork server; prevents a busy loop of restarts."""
LONG_PAUSE = 10.0
"""The same after a fork server that could not create the player."""
BEAT, SILENCE = 1.0, 5.0
"""Seconds between two pings of the fork server, and seconds without an answer after which it is killed."""
PING_SECONDS = 0.5
"""Seconds for the spare worker to answer a ping when a match takes it."""
REHEARSAL = 60.0
"""Seconds for a new spare worker to become ready."""
SETTLED = 0.25
"""Seconds between taking a worker and preparing the next spare one, to leave the CPU to the first answer."""
WORDS, LAST_WORDS = 1 << 16, 1.0
"""Bytes per read from the fork server; seconds to read its last output after its end."""


class Workers:
    """All workers of an agent, and their fork server."""

    def __init__(
        self, settings: Settings, count: Callable[[str], None] = lambda _: None, progress: Progress = silent
    ) -> None:
        self._settings = settings
        self._progress = progress  # receives the fork server's progress of compilation
        self._count = count  # counts an error by its kind
        self.trouble: str | None = None  # why there is no fork server, or None
        self.lanes: str | None = None  # emitter of circuits; None: unknown yet, or no circuits
        self._control: socket.socket | None = None  # socket to the fork server, once the server can fork
        self._warm = False  # whether all kernels are compiled
        self.process: Process | None = None  # the fork server
        self._changed = asyncio.Event()
        self._here = asyncio.Event()  # set when the fork server has answered a ping
        self._served = False  # whether a fork server was ever warm, so that it could create the player
        self._failure = ""  # why the last fork server could not
        self._unusable: str | None = None  # why no fork server could
        self._keeper = asyncio.create_task(self._keep())
        self.spare: Worker | None = None  # a ready worker that no match uses
        self._fallbacks = FallbackServer(self._run)
        self._sparing: asyncio.Task[None] | None = None  # prepares the spare worker
        self.alive: set[Worker] = set()  # workers of matches

    @property
    def warm(self) -> bool:
        """Whether a match can start at once with all kernels compiled."""
        return self._warm and self._control is not None

    async def wait_warm(self) -> None:
        """Wait until `warm`. Raises SpecError if the player cannot be created."""
        await self._wait(lambda: self.warm)

    async def _wait(self, holds: Callable[[], bool]) -> None:
        while not holds():
            if self._unusable is not None:
                raise SpecError(self._unusable)
            self._changed.clear()
            await self._changed.wait()

    async def take(self, listener: Listener) -> Worker:
        """Take a worker. Raises SpecError if the player cannot be created, OSError if no process is available."""
        worker = await self._spare() or await self._forked(listener)
        worker.listener = listener
        self.alive.add(worker)
        worker.when_closed(self.alive.discard)
        asyncio.get_running_loop().call_later(SETTLED, self._want_spare)
        return worker

    async def _spare(self) -> Worker | None:
        """Return the spare worker if it still answers; it may have been stopped or swapped out."""
        worker, self.spare = self.spare, None
        if worker is None or worker.ended:
            return None
        answers = False
        try:
            answers = await worker.answers(PING_SECONDS)
        finally:  # the match may end meanwhile
            if not answers:
                worker.kill()
        if answers:
            return worker
        structlog.get_logger().warning("the spare process does not answer and is stopped", pid=worker.pid)
        return None

    @property
    def loading(self) -> bool:
        """Whether a match has to wait for a worker."""
        return self._control is None and self.spare is None

    async def prepare_fallback(self) -> None:
        """Load the program of the fallback processes before any message arrives: on a busy machine it takes seconds."""
        with contextlib.suppress(OSError):  # the next START tries again
            await self._fallbacks.ready(LOADED)

    async def fallback(self, listener: Listener) -> Worker:
        """Return a fallback process for a match whose worker is missing or silent. Raises OSError.

        It does not depend on the fork server of the workers, which may be missing, too.
        """
        worker = await self._fallbacks.fork()
        worker.listener = listener
        self.alive.add(worker)
        worker.when_closed(self.alive.discard)
        return worker

    def release(self, worker: Worker, moves: Moves = None, listener: Listener | None = None) -> None:
        """End the worker of a match after its last `moves`; kill it after REST seconds."""
        worker.listener = listener
        worker.send(End(moves))
        asyncio.get_running_loop().call_later(REST, worker.kill)

    async def close(self) -> None:
        """End all processes, the fork server last: it cleans up after the others."""
        if self._sparing is not None:
            self._sparing.cancel()
        workers = [*self.alive, *([self.spare] if self.spare else [])]
        for worker in workers:
            worker.kill()
        await asyncio.gather(*(worker.closed() for worker in workers), return_exceptions=True)
        self._keeper.cancel()
        self._fallbacks.close()
        ends = [self._keeper, self._fallbacks.closed(), *filter(None, [self._sparing])]
        await asyncio.gather(*ends, return_exceptions=True)

    async def _forked(self, listener: Listener | None) -> Worker:
        while True:
            await self._wait(lambda: self._control is not None)
            ours, theirs = socket.socketpair()
            try:
                with theirs:
                    if self._sent(theirs):
                        return await Worker.at(ours, listener)
            except BaseException:
                ours.close()
                raise
            ours.close()

    def _want_spare(self) -> None:
        """Start to prepare a spare worker, if none exists and the fork server is warm."""
        if self.warm and self.spare is None and (self._sparing is None or self._sparing.done()):
            self._sparing = asyncio.create_task(self._make_spare())

    async def _make_spare(self) -> None:
        with contextlib.suppress(SpecError, OSError):  # the next match reports it
            worker = await self._forked(None)
            try:
                worker.send(Rehearse())
                if await worker.answers(REHEARSAL):
                    worker.when_closed(self._lose)
                    self.spare = worker
            finally:
                if self.spare is not worker:
                    worker.kill()

    def _drop_spare(self) -> None:
        """End the spare worker of an earlier fork server, whose build server ends with its last client."""
        worker, self.spare = self.spare, None
        if worker is not None:
            worker.kill()

    def _lose(self, worker: Worker) -> None:
        """Forget a spare worker that has ended."""
        if self.spare is worker:
            self.spare = None

    def _sent(self, end: socket.socket) -> bool:
        """Send the worker's end of a socket to the fork server; False if it is gone."""
        if self._control is None:
            return False
        try:
            ask(self._control, end)
        except ConnectionError:
            self._control = None  # `_keep` starts another
            return False
        return True

    async def _keep(self) -> None:
        """Run the fork server, and restart it when it ends."""
        loop = asyncio.get_running_loop()
        while self._unusable is None:
            began, self._failure = loop.time(), ""
            try:
                await self._serve()
            except OSError as error:
                self._complain(f"it cannot be started: {error.strerror}")
            await asyncio.sleep(began + (LONG_PAUSE if self._failure else PAUSE) - loop.time())

    async def _serve(self) -> None:
        """Run the fork server once, to its end. Raises OSError if it cannot be started."""
        ours, theirs = socket.socketpair()
        with ours:
            ours.setblocking(False)
            with theirs:
                process = self.process = await self._spawn(theirs)
            try:
                await self._tend(ours, process)
            finally:
                patience = LAST_WORDS if self.warm else 0.0  # the fork server cleans up after its workers
                self._control, self._warm = None, False
                ours.close()
                await end_program(process, patience)

    def _complain(self, reason: str) -> None:
        """Log once that there is no fork server, for `reason`."""
        self._count("no fork server")
        if self.trouble != reason:
            self.trouble = reason
            structlog.get_logger().error("there is no fork server, so no match can begin", reason=reason)

    async def _spawn(self, control: socket.socket) -> Process:
        return await self._run("agent.worker", control)

    async def _run(self, module: str, control: socket.socket) -> Process:
        """Start a program with this socket as its standard input."""
        return await asyncio.create_subprocess_exec(
            *command(module, json.dumps(to_dict(self._settings))),
            stdin=control.fileno(),
            stderr=ChildLog.descriptor(),
            env=environment() | ChildLog.environment(),
            start_new_session=True,
        )

    async def _tend(self, control: socket.socket, process: Process) -> None:
        """Read the fork server's output and ping it until it ends."""
        hearing = asyncio.create_task(self._hear(control))
        asking = asyncio.create_task(self._ask_again_and_again(control, process))
        try:
            code = await process.wait()
            self._control = None
            await asyncio.wait([hearing], timeout=LAST_WORDS)
        finally:
            hearing.cancel()
            asking.cancel()
        if self._unusable is None:
            killed = "; memory may have run out" if code == -signal.SIGKILL else ""
            self._complain(self._failure or f"it ended with code {code}{killed}")

    async def _hear(self, control: socket.socket) -> None:
        with contextlib.suppress(OSError):  # killed with unread requests
            async with contextlib.aclosing(_lines(control)) as lines:
                async for line in lines:
                    self._heard(line, control)

    async def _ask_again_and_again(self, control: socket.socket, process: Process) -> None:
        """Kill the fork server if it does not answer a ping: a stopped or deadlocked one would block all matches."""
        while True:
            await asyncio.sleep(BEAT)
            if self._control is None:
                continue
            self._here.clear()
            with contextlib.suppress(OSError):  # the socket buffer is full
                control.send(PING)
            try:
                await asyncio.wait_for(self._here.wait(), SILENCE)
            except TimeoutError:
                self._control = None
                self._complain("it does not answer and is stopped")
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                return

    def _heard(self, line: str, control: socket.socket) -> None:
        """Handle a line of the fork server: progress, readiness, or why the player is unusable."""
        if line == HERE:
            self._here.set()
            return
        if compiled := read_progress(line):
            self._progress(*compiled)
            return
        word, _, lanes = line.partition(" ")
        if word in (ABLE, WARM):
            self._control, self._warm, self.trouble, self.lanes = control, word == WARM, None, lanes or None
            self._served |= self._warm
            if self.warm:
                self._drop_spare()
        elif self._served:  # the player's file may be mended
            self._failure = line
        else:
            self._unusable = line
        self._changed.set()
        self._want_spare()


async def _lines(control: socket.socket) -> AsyncGenerator[str, None]:
    """Yield the received lines until the other end is closed."""
    rest = b""
    while data := await asyncio.get_running_loop().sock_recv(control, WORDS):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode()
