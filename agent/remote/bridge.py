"""Supervision of the bridge process, which talks to the cluster."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import structlog

from agent.queued_output import ChildLog
from agent.settings import Settings, to_dict
from reasoner.fork_server import command, search_path
from reasoner.platform_calls import sigint_blocked

MODULE = "agent.cluster.bridge"
"""Module of the bridge process. Started by name, because it is in a higher layer and imports Ray."""
PAUSE = 10.0
"""Seconds until the bridge is restarted."""
REST = 5.0
"""Seconds for the bridge to end before it is killed."""


@contextlib.asynccontextmanager
async def bridged(settings: Settings) -> AsyncIterator[Settings]:
    """Run the bridge; yield the settings with its socket (unchanged without a cluster)."""
    if not settings.cluster.address or settings.cluster.socket:
        yield settings
        return
    folder = Path(tempfile.mkdtemp(prefix="ggp-agent-bridge-"))  # only this user has access
    found = replace(settings, cluster=replace(settings.cluster, socket=str(folder / "socket")))
    keeping = asyncio.create_task(_keep(found))
    try:
        yield found
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        shutil.rmtree(folder, ignore_errors=True)


async def _keep(settings: Settings) -> None:
    """Run the bridge, and restart it when it ends. The bridge writes to the agent's log."""
    bridge = command(MODULE, json.dumps(to_dict(settings)))
    log, env = ChildLog.descriptor() or 2, {**os.environ, **search_path(), **ChildLog.environment()}
    while True:
        try:
            with sigint_blocked():
                process = await asyncio.create_subprocess_exec(*bridge, stdin=PIPE, stdout=log, stderr=log, env=env)
        except OSError as error:  # the system cannot start another process
            ended: dict[str, object] = {"reason": error.strerror}
        else:
            try:
                ended = {"code": await process.wait()}
            finally:
                await _end(process)
        structlog.get_logger().warning("the cluster's bridge has ended; searching alone", **ended, again_in=PAUSE)
        await asyncio.sleep(PAUSE)


async def _end(process: Process) -> None:
    """End the bridge by closing its standard input; kill it after REST seconds."""
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
