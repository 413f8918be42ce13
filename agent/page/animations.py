"""Animations of games: the browser draws the frames, and a limited process (`agent.page.animate`) writes the file."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.page.errors import PageError
from agent.page.requested import AnimationRequest
from reasoner.fork_server import command, search_path
from reasoner.platform_calls import signal_group

MODULE = "agent.page.animate"
WAITING = 4
"""Maximum animations that wait, are written or are sent; their frames or files are kept in memory."""
SECONDS = 120.0
"""Timeout of the process."""


class Animations:
    """Writes animations, one at a time."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._asked = 0

    @asynccontextmanager
    async def written(self, asked: AnimationRequest) -> AsyncIterator[str]:
        """Give the JSON text of an `Animation`; the block sends it. Raises PageError if it cannot be written."""
        if self._asked >= WAITING:
            raise PageError("other animations are being written; try again in a moment")
        self._asked += 1
        try:
            async with self._turn:
                text = await self._run(await asyncio.to_thread(json.dumps, asked))
            yield text
        finally:
            self._asked -= 1

    async def _run(self, asked: str) -> str:
        try:
            env = {**os.environ, **search_path()}
            process = await asyncio.create_subprocess_exec(
                *command(MODULE), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True, env=env
            )
        except OSError as error:
            raise PageError(f"no process can be started for the animation ({error.strerror})") from None
        try:
            async with asyncio.timeout(SECONDS):
                told, _ = await process.communicate(asked.encode("ascii"))
        except TimeoutError:
            raise PageError("the animation took too long; save fewer or smaller positions") from None
        finally:
            signal_group(process.pid, signal.SIGKILL)
            await process.communicate()
        if told.startswith(b'{"data"'):
            return told.decode("ascii")
        reason = json.loads(told)["error"] if told else "the frames take too much time or memory"
        raise PageError(f"the animation cannot be written: {reason}")
