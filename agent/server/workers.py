"""Where worker processes come from: a fork server that has imported and compiled everything once.

A worker is a fork of it and ready in some milliseconds, however short the start clock is and however busy the
machine; so is the one that takes the place of a worker that died.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
from asyncio.subprocess import Process
from pathlib import Path

import structlog

from agent.errors import SpecError
from agent.protocol.messages import Moves
from agent.server.worker import Listener, Worker
from agent.settings import Settings, to_dict

REST = 1.0
"""Seconds a worker may take to end by itself."""
PAUSE = 1.0
"""Seconds until the fork server is started again when it has ended."""
WORD = 1 << 16
"""Bytes of the fork server's first word at most."""
ROOT = Path(__file__).parents[2]
"""Where the packages lie, installed or not."""


class Workers:
    """All workers of an agent, and the fork server that they come from."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._control: socket.socket | None = None  # to the fork server, once it is warm
        self.process: Process | None = None  # the fork server
        self._changed = asyncio.Event()
        self._unusable: str | None = None
        self._keeper = asyncio.create_task(self._keep())
        self.alive: set[Worker] = set()

    @property
    def warm(self) -> bool:
        """Whether a match could begin at once."""
        return self._control is not None

    async def wait_warm(self) -> None:
        """Wait until a match could begin. Raises SpecError when the player cannot be made."""
        while self._control is None:
            if self._unusable is not None:
                raise SpecError(self._unusable)
            self._changed.clear()
            await self._changed.wait()

    async def take(self, listener: Listener) -> Worker:
        """A new worker. Raises SpecError when the player cannot be made."""
        while True:
            await self.wait_warm()
            ours, theirs = socket.socketpair()
            with theirs:
                if self._sent(theirs):
                    break
            ours.close()
        worker = await Worker.at(ours, listener)
        self.alive.add(worker)
        worker.when_closed(self.alive.discard)
        return worker

    def release(self, worker: Worker, moves: Moves = None, listener: Listener | None = None) -> None:
        """The match of a worker is over, with `moves` as the last: let it end, or end it."""
        worker.listener = listener
        worker.send({"do": "stop", "joint": moves})
        asyncio.get_running_loop().call_later(REST, worker.kill)

    async def close(self) -> None:
        """End all processes."""
        self._keeper.cancel()
        for worker in self.alive:
            worker.kill()
        await asyncio.gather(self._keeper, *(worker.closed() for worker in self.alive), return_exceptions=True)

    def _sent(self, end: socket.socket) -> bool:
        """Hand the fork server the worker's end of a socket; False when it is gone."""
        if self._control is None:
            return False
        try:
            socket.send_fds(self._control, [b"f"], [end.fileno()])
        except OSError:
            self._control = None  # its keeper starts another
            return False
        return True

    async def _keep(self) -> None:
        """Run the fork server, again and again should it end."""
        while self._unusable is None:
            ours, theirs = socket.socketpair()
            with ours:
                ours.setblocking(False)
                with theirs:
                    self.process = await self._spawn(theirs)
                try:
                    await self._tend(ours, self.process)
                finally:
                    self._control = None
                    with contextlib.suppress(ProcessLookupError):
                        self.process.kill()
                    await self.process.wait()
            await asyncio.sleep(PAUSE)

    async def _spawn(self, control: socket.socket) -> Process:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "agent.worker", json.dumps(to_dict(self._settings))),
            stdin=control.fileno(),
            # one thread: a process with several is not safe to fork, and nothing here multiplies matrices
            env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )

    async def _tend(self, control: socket.socket, process: Process) -> None:
        """Wait for its first word, then until it ends."""
        word = await asyncio.get_running_loop().sock_recv(control, WORD)
        if word == b"warm":
            self._control = control
        elif word:
            self._unusable = word.decode()
        self._changed.set()
        code = await process.wait()
        if self._unusable is None:
            structlog.get_logger().error("the fork server ended", code=code)
