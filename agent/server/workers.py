"""Where worker processes come from: a fork server that has imported and compiled everything once.

A worker is a fork of it and ready in some milliseconds, however short the start clock is and however busy the
machine; so is the one that takes the place of a worker that died. One that no match needs yet is kept ready: it has
been born and has copied the memory that playing writes to, which takes a fresh one half of its first clock at 0.1 s.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable

import structlog

from agent.errors import SpecError
from agent.progress import Progress, read_progress, silent
from agent.protocol.messages import Moves
from agent.server.worker import Listener, Worker
from agent.settings import Settings, to_dict
from agent.worker.messages import ABLE, WARM, End, Rehearse
from reasoner.fork_server import HERE, PING, ask, command, environment

REST = 1.0
"""Seconds a worker may take to end by itself."""
PAUSE = 1.0
"""Seconds between two starts of the fork server at least, so that one that cannot live is not started all the time."""
BEAT, SILENCE = 1.0, 5.0
"""Seconds between two questions to the fork server whether it is there, and until it is taken for lost."""
PATIENCE = 0.5
"""Seconds that the worker kept ready has to say that it is there when a match wants it."""
REHEARSAL = 60.0
"""Seconds that a worker may take until it is ready."""
SETTLED = 0.25
"""Seconds after which the next worker is made ready when one was taken, whose first answer comes before."""
WORDS, LAST_WORDS = 1 << 16, 1.0
"""Bytes that are taken at once of what the fork server says; seconds to hear the last of it when it has ended."""


class Workers:
    """All workers of an agent, and the fork server that they come from."""

    def __init__(
        self, settings: Settings, count: Callable[[str], None] = lambda _: None, progress: Progress = silent
    ) -> None:
        self._settings = settings
        self._progress = progress  # told how far the fork server has compiled
        self._count = count  # told the kind of what went wrong
        self.trouble: str | None = None  # why there is no fork server, while there is none
        self.lanes: str | None = None  # which code circuits get; None: not known yet, or no circuits
        self._control: socket.socket | None = None  # to the fork server, once it can fork
        self._warm = False  # whether what it forks finds everything compiled
        self.process: Process | None = None  # the fork server
        self._changed = asyncio.Event()
        self._here = asyncio.Event()  # set when the fork server has answered
        self._unusable: str | None = None
        self._keeper = asyncio.create_task(self._keep())
        self.spare: Worker | None = None  # born, and taken by nobody
        self._sparing: asyncio.Task[None] | None = None  # makes it
        self.alive: set[Worker] = set()  # those taken

    @property
    def warm(self) -> bool:
        """Whether a match could begin at once, and be played with all that the agent has."""
        return self._warm and self._control is not None

    async def wait_warm(self) -> None:
        """Wait until it is so. Raises SpecError when the player cannot be made."""
        await self._wait(lambda: self.warm)

    async def _wait(self, holds: Callable[[], bool]) -> None:
        while not holds():
            if self._unusable is not None:
                raise SpecError(self._unusable)
            self._changed.clear()
            await self._changed.wait()

    async def take(self, listener: Listener) -> Worker:
        """A new worker. Raises SpecError when the player cannot be made, OSError when there is no room for one."""
        worker = await self._spare() or await self._forked(listener)
        worker.listener = listener
        self.alive.add(worker)
        worker.when_closed(self.alive.discard)
        asyncio.get_running_loop().call_later(SETTLED, self._want_spare)
        return worker

    async def _spare(self) -> Worker | None:
        """The worker that is kept ready, where it still answers: it may have been stopped, or have lost its memory."""
        worker, self.spare = self.spare, None
        if worker is None or worker.ended:
            return None
        if await worker.answers(PATIENCE):
            return worker
        structlog.get_logger().warning("the process kept ready does not answer and is ended", pid=worker.pid)
        worker.kill()
        return None

    def release(self, worker: Worker, moves: Moves = None, listener: Listener | None = None) -> None:
        """The match of a worker is over, with `moves` as the last: let it end, or end it."""
        worker.listener = listener
        worker.send(End(moves))
        asyncio.get_running_loop().call_later(REST, worker.kill)

    async def close(self) -> None:
        """End all processes, the fork server last: it ends what the others leave behind."""
        if self._sparing is not None:
            self._sparing.cancel()
        workers = [*self.alive, *([self.spare] if self.spare else [])]
        for worker in workers:
            worker.kill()
        await asyncio.gather(*(worker.closed() for worker in workers), return_exceptions=True)
        self._keeper.cancel()
        await asyncio.gather(self._keeper, *filter(None, [self._sparing]), return_exceptions=True)

    async def _forked(self, listener: Listener | None) -> Worker:
        while True:
            await self._wait(lambda: self._control is not None)
            ours, theirs = socket.socketpair()
            try:
                with theirs:
                    if self._sent(theirs):
                        return await Worker.at(ours, listener)
            except OSError:
                ours.close()
                raise
            ours.close()

    def _want_spare(self) -> None:
        """Begin to make a worker ready, unless there is one or none can be made now."""
        if self.warm and self.spare is None and (self._sparing is None or self._sparing.done()):
            self._sparing = asyncio.create_task(self._make_spare())

    async def _make_spare(self) -> None:
        with contextlib.suppress(SpecError, OSError):  # told to the next match
            worker = await self._forked(None)
            try:
                worker.send(Rehearse())
                if await worker.answers(REHEARSAL):
                    worker.when_closed(self._lose)
                    self.spare = worker
            finally:
                if self.spare is not worker:
                    worker.kill()

    def _lose(self, worker: Worker) -> None:
        """A worker has ended; the next match makes its own if that was the spare one."""
        if self.spare is worker:
            self.spare = None

    def _sent(self, end: socket.socket) -> bool:
        """Hand the fork server the worker's end of a socket; False when it is gone."""
        if self._control is None:
            return False
        try:
            ask(self._control, end)
        except ConnectionError:
            self._control = None  # its keeper starts another
            return False
        return True

    async def _keep(self) -> None:
        """Run the fork server, again and again should it end or find no room to begin."""
        loop = asyncio.get_running_loop()
        while self._unusable is None:
            began = loop.time()
            try:
                await self._serve()
            except OSError as error:
                self._complain(f"it cannot be started: {error.strerror}")
            await asyncio.sleep(began + PAUSE - loop.time())

    async def _serve(self) -> None:
        """Run the fork server once, to its end. Raises OSError where there is no room for it."""
        ours, theirs = socket.socketpair()
        with ours:
            ours.setblocking(False)
            with theirs:
                process = self.process = await self._spawn(theirs)
            try:
                await self._tend(ours, process)
            finally:
                patience = LAST_WORDS if self.warm else 0.0  # which it needs for what its processes have left behind
                self._control, self._warm = None, False
                ours.close()
                await _end(process, patience)

    def _complain(self, reason: str) -> None:
        """There is no fork server, for `reason`; one line in the log until there is one again."""
        self._count("no fork server")
        if self.trouble != reason:
            self.trouble = reason
            structlog.get_logger().error("there is no fork server, and no match can begin", reason=reason)

    async def _spawn(self, control: socket.socket) -> Process:
        return await asyncio.create_subprocess_exec(
            *command("agent.worker", json.dumps(to_dict(self._settings))),
            stdin=control.fileno(),
            env=environment(),
            start_new_session=True,
        )

    async def _tend(self, control: socket.socket, process: Process) -> None:
        """Hear what it says, and ask whether it is there, until it ends."""
        hearing = asyncio.create_task(self._hear(control))
        asking = asyncio.create_task(self._ask_again_and_again(control, process))
        try:
            code = await process.wait()
            await asyncio.wait([hearing], timeout=LAST_WORDS)
        finally:
            hearing.cancel()
            asking.cancel()
        if self._unusable is None:
            self._complain(f"it ended with code {code}")

    async def _hear(self, control: socket.socket) -> None:
        with contextlib.suppress(OSError):  # it was killed before it had read all that it was asked
            async with contextlib.aclosing(_lines(control)) as lines:
                async for line in lines:
                    self._heard(line, control)

    async def _ask_again_and_again(self, control: socket.socket, process: Process) -> None:
        """End the fork server when it does not answer: stopped, or caught in a lock, it would let all matches wait."""
        while True:
            await asyncio.sleep(BEAT)
            if self._control is None:
                continue
            self._here.clear()
            with contextlib.suppress(OSError):  # it is full of requests that nobody reads
                control.send(PING)
            try:
                await asyncio.wait_for(self._here.wait(), SILENCE)
            except TimeoutError:
                self._control = None
                self._complain("it does not answer, and is ended")
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                return

    def _heard(self, line: str, control: socket.socket) -> None:
        """The fork server says how far it has compiled, what it can do, or why it can do nothing."""
        if line == HERE:
            self._here.set()
            return
        if compiled := read_progress(line):
            self._progress(*compiled)
            return
        word, _, lanes = line.partition(" ")
        if word in (ABLE, WARM):
            self._control, self._warm, self.trouble, self.lanes = control, word == WARM, None, lanes or None
        else:
            self._unusable = line
        self._changed.set()
        self._want_spare()


async def _end(process: Process, patience: float) -> None:
    """Let a fork server that nobody can ask any more end, or end it."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), patience)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def _lines(control: socket.socket) -> AsyncGenerator[str, None]:
    """What comes, line by line, until the other end is closed."""
    rest = b""
    while data := await asyncio.get_running_loop().sock_recv(control, WORDS):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode()
