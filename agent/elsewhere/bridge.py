"""Keeps the bridge of an agent running: the process that speaks with the cluster."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import structlog

from agent.settings import Settings, to_dict

MODULE = "agent.cluster.bridge"
"""By its name: it is in a room above, and knows Ray."""
PAUSE = 10.0
"""Seconds until a bridge that has ended is begun again."""
REST = 5.0
"""Seconds that it may take to end."""


@contextlib.asynccontextmanager
async def bridged(settings: Settings) -> AsyncIterator[Settings]:
    """The settings with which workers find the bridge; the same where no cluster is set."""
    if not settings.cluster.address or settings.cluster.socket:
        yield settings
        return
    folder = Path(tempfile.mkdtemp(prefix="ggp-agent-bridge-"))  # nobody else may enter it
    found = replace(settings, cluster=replace(settings.cluster, socket=str(folder / "socket")))
    keeping = asyncio.create_task(_keep(found))
    try:
        yield found
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        shutil.rmtree(folder, ignore_errors=True)


async def _keep(settings: Settings) -> None:
    """Run the bridge, again and again should it end; its log is the agent's."""
    command = (sys.executable, "-m", MODULE, json.dumps(to_dict(settings)))
    while True:
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=2)
        except OSError as error:  # no room for a process now
            ended: dict[str, object] = {"reason": error.strerror}
        else:
            try:
                ended = {"code": await process.wait()}
            finally:
                await _end(process)
        structlog.get_logger().warning("the cluster's bridge has ended; searching alone", **ended, again_in=PAUSE)
        await asyncio.sleep(PAUSE)


async def _end(process: Process) -> None:
    """It ends when its standard input does; what it has started ends with it."""
    if process.returncode is not None:
        return
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(asyncio.shield(process.wait()), REST)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
