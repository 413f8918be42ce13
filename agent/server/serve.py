"""The server from its first moment to its last: socket, workers, signals."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog
from aiohttp import web

from agent.server.app import make_app
from agent.server.connection import Connection
from agent.server.matches import Matches
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import MonotonicClock

IDLE = 30.0
"""Seconds a client may keep a connection open without a request."""
LINE = 1 << 20
"""Bytes of a request's first line, which holds the whole message in the legacy form."""
FINISH = 2.0
"""Seconds for the last answers to leave when the agent stops, and for a client to stop sending once answered."""


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[tuple[str, Workers]]:
    """A server that listens: its URL and its workers. Raises OSError when the address cannot be had."""
    clock = MonotonicClock()
    workers = Workers(settings)
    matches = Matches(settings, workers, clock)
    runner = web.AppRunner(
        make_app(matches, settings.server, clock),
        access_log=None,
        auto_decompress=False,  # no manager compresses, and a small body may expand without end
        keepalive_timeout=IDLE,
        shutdown_timeout=FINISH,
        handle_signals=False,
        max_line_size=LINE,
        lingering_time=FINISH,
    )
    await runner.setup()
    loop = asyncio.get_running_loop()
    limit = int(settings.server.body_mib * (1 << 20))
    try:
        server = await loop.create_server(
            lambda: Connection(_inner(runner), clock, limit), settings.server.host, settings.server.port, backlog=512
        )
        try:
            yield _url(server, settings.server.host), workers
        finally:
            server.close()
            matches.close()
            await runner.cleanup()
    finally:
        await workers.close()


async def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. `announce` is told the URL once a match could begin.

    Raises OSError when the address cannot be had, SpecError when the player cannot be made.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with running(settings) as (url, workers):
        warm = asyncio.create_task(workers.wait_warm())
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([warm, stopped], return_when=asyncio.FIRST_COMPLETED)
        if warm.done():
            warm.result()
            announce(url)
            structlog.get_logger().info("ready", url=url, player=settings.player.spec)
        await stopped
        structlog.get_logger().info("stopping")
        warm.cancel()


def _inner(runner: web.AppRunner) -> asyncio.Protocol:
    assert runner.server is not None  # it is set up
    return runner.server()


def _url(server: asyncio.Server, host: str) -> str:
    port = server.sockets[0].getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
