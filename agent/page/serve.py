"""The page among the agent's other ports: on the managers' own, on one of its own, or nowhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from agent.page.history import History
from agent.page.site import Site, unknown
from agent.page.watching import Gallery
from agent.server.matches import Matches
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import Clock

FINISH = 2.0
"""Seconds for the last answers to leave when the agent stops."""


def new_gallery(settings: Settings) -> Gallery:
    """Who looks on for the page."""
    return Gallery(History(settings.page.matches), settings.server.name)


def new_site(settings: Settings, matches: Matches, workers: Workers, gallery: Gallery, clock: Clock) -> Site | None:
    """The page; None where the settings want none."""
    return Site(settings, matches, workers, gallery, clock) if settings.page.enabled else None


@asynccontextmanager
async def on_its_own_port(site: Site | None, settings: Settings) -> AsyncIterator[None]:
    """Serve the page where it has a port of its own. Raises OSError when the address cannot be had."""
    if site is None or not settings.page.port:
        yield
        return
    app = web.Application(client_max_size=int(settings.server.body_mib * (1 << 20)))
    site.add_routes(app, otherwise=unknown)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=FINISH)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.page.host, settings.page.port).start()
        yield
    finally:
        site.close()
        await runner.cleanup()


def address(url: str, settings: Settings) -> str:
    """Where a browser on this machine finds the page of an agent that listens at `url`."""
    host, port = settings.page.host, settings.page.port
    if not port:
        host, port = settings.server.host, int(url.rsplit(":", 1)[1])
    host = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
