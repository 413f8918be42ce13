"""Startup and shutdown of the agent: builds it from its parts and handles signals."""

from __future__ import annotations

import asyncio
import gc
import signal
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Any, NamedTuple

import structlog
from aiohttp import web

from agent.errors import SettingsError, listen_reason
from agent.journal.folder import Journals, open_journals
from agent.knowledge.access import check_folder_at_start
from agent.knowledge.watch import watched_folder
from agent.page.archive import of_page
from agent.page.history import History
from agent.page.host import Host
from agent.page.ports import Page
from agent.page.sheets import Sheet
from agent.page.watching import Gallery
from agent.progress import Progress, silent
from agent.remote.bridge import bridged
from agent.server.app import make_app, new_app
from agent.server.connection import Connection
from agent.server.gate import Gate, room_for_connections
from agent.server.handler import ClearHandler
from agent.server.handshake import Handshake
from agent.server.matches import Matches
from agent.server.metrics import Metrics
from agent.server.origins import Origins
from agent.server.tls import tls
from agent.server.token import Token
from agent.server.workers import Workers
from agent.settings import ServerSettings, Settings
from search.clock import MonotonicClock

IDLE = 30.0
"""Seconds a client may keep a connection open without a request."""
LINE = 1 << 20
"""Maximum bytes of a request line; in the legacy form it holds the whole message."""
CATCH_UP = 10.0
"""Seconds to resume journaled matches before the agent announces its URL."""
SLOW = 3.0
"""Seconds of startup after which `COMPILING` is logged."""
COMPILING = "loading kernels; a first start compiles them for about 40 seconds, later starts take a few"
FINISH = 2.0
"""Seconds to send the last answers at shutdown, and for a client to stop sending once it has its answer."""
BACKLOG = 512
"""Length of the socket's listen queue."""
HTTP: dict[str, Any] = {
    "access_log": None,
    "auto_decompress": False,  # no manager compresses; a small body could expand without limit
    "keepalive_timeout": IDLE,
    "max_line_size": LINE,
    "lingering_time": FINISH,
}
"""Arguments of aiohttp for each connection."""


class RunningAgent(NamedTuple):
    """A listening agent."""

    url: str
    workers: Workers
    matches: Matches
    gallery: Gallery  # the matches as the page shows them
    page: str | None  # the page's URL for a browser on this machine
    keep: Callable[[Sheet], str]  # stores a rulesheet and returns the key that a link to the page needs


@asynccontextmanager
async def running(settings: Settings, progress: Progress = silent) -> AsyncIterator[RunningAgent]:
    """Start a listening agent that resumes journaled matches; `progress` receives the progress of compilation.

    Raises SettingsError for a setting that cannot be checked earlier, such as an address that is not available.
    """
    async with bridged(settings) as found, _listening(found, progress) as agent:
        yield agent


@asynccontextmanager
async def _listening(settings: Settings, progress: Progress) -> AsyncIterator[RunningAgent]:
    clock = MonotonicClock()
    metrics = Metrics()
    gate = Gate(settings.server, metrics, room_for_connections(settings.server.connections, settings.server.matches))
    origins, token, secure = Origins(settings), Token(settings.page.token), tls(settings.page)
    check_folder_at_start(settings.knowledge)
    shared = None if settings.page.port else secure  # TLS of the managers' port
    with ExitStack() as closing:
        closing.enter_context(watched_folder(settings.knowledge))
        workers = Workers(settings, metrics.error, progress)
        gallery = Gallery(History(settings.page.matches), settings.server.name)
        matches = Matches(settings, workers, clock, gallery, metrics)
        limit = int(settings.server.body_mib * (1 << 20))

        def door(runner: web.AppRunner, context: ssl.SSLContext | None) -> asyncio.Protocol:
            connection = Connection(_inner(runner), clock, limit, gate, settings.server.body_seconds)
            return connection if context is None else Handshake(connection, context, gate)

        page = Page(Host(settings, matches, workers, gallery, clock, origins, token))
        app = _runner(make_app(matches, settings.server, clock, origins, token, page.add_shared))
        await app.setup()
        try:
            await workers.prepare_fallback()
            server = await _listen(settings.server, lambda: door(app, shared))
            try:
                # after the bind: journals belong to the owner of the address
                journals = closing.enter_context(closing_journals(settings))
                matches.restore(journals, left=of_page)
                if journals is not None:
                    await page.remember(journals)
                url = _url(server, settings.server.host, "http" if shared is None else "https")
                own = _runner(page.app(new_app(matches, settings.server, clock)))
                async with page.served(url, own, lambda: door(own, secure), secure=secure is not None) as page_url:
                    yield RunningAgent(url, workers, matches, gallery, page_url, page.keep)
            finally:
                server.close()
                matches.close()
                await app.cleanup()
        finally:
            await workers.close()


@contextmanager
def closing_journals(settings: Settings) -> Iterator[Journals | None]:
    """Open the journals that the settings name, and close them at the end."""
    journals = open_journals(settings.journal, settings.server.port)
    try:
        yield journals
    finally:
        if journals is not None:
            journals.close()


async def serve(settings: Settings, announce: Callable[[RunningAgent], None], progress: Progress = silent) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP, then finish the current moves; a second signal stops at once.

    `announce` receives the agent when it is ready; `progress` receives the progress of compilation until then.
    Raises SettingsError when the address is not available, SpecError when the player cannot be created.
    """
    gc.collect()
    gc.freeze()  # exclude the loaded modules: to collect them would pause all matches for 0.1 s
    stop, at_once = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))  # a parent may have blocked them
    hangup = [signal.SIGHUP] if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN else []  # nohup ignores it
    for number in (signal.SIGINT, signal.SIGTERM, *hangup):
        loop.add_signal_handler(number, lambda: (at_once if stop.is_set() else stop).set())
    async with running(settings, progress) as agent:
        warm = asyncio.create_task(agent.workers.wait_warm())
        stopped = asyncio.create_task(stop.wait())
        notice = loop.call_later(SLOW, structlog.get_logger().info, COMPILING)
        await asyncio.wait([warm, stopped], return_when=asyncio.FIRST_COMPLETED)
        notice.cancel()
        if warm.done():
            warm.result()
            await agent.matches.caught_up(CATCH_UP)
            announce(agent)
            structlog.get_logger().info("ready", url=agent.url, player=settings.player.spec)
        await stopped
        structlog.get_logger().info("stopping")
        warm.cancel()
        finished = asyncio.create_task(agent.matches.finish(settings.server.stop_seconds))
        hurried = asyncio.create_task(at_once.wait())
        await asyncio.wait([finished, hurried], return_when=asyncio.FIRST_COMPLETED)
        for task in (finished, hurried):
            task.cancel()


async def _listen(server: ServerSettings, door: Callable[[], asyncio.Protocol]) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    try:
        return await loop.create_server(door, server.host, server.port, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        where = f"{server.host}:{server.port}"
        raise SettingsError(
            f"cannot listen on {where}: {listen_reason(error)}; give another --port or --host"
        ) from None


def _runner(app: web.Application) -> web.AppRunner:
    return web.AppRunner(app, handle_signals=False, shutdown_timeout=FINISH, **HTTP)


def _inner(runner: web.AppRunner) -> asyncio.Protocol:
    assert runner.server is not None  # because the runner is set up
    return ClearHandler(runner.server, loop=asyncio.get_running_loop(), **HTTP)


def _url(server: asyncio.Server, host: str, scheme: str) -> str:
    port = server.sockets[0].getsockname()[1]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
