"""The page among the agent's other ports: on the managers' own, on one of its own, or nowhere."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from agent.errors import SettingsError
from agent.journal.folder import Journals
from agent.page.history import History
from agent.page.site import Handler, Site, unknown
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


class Page:
    """The page of one agent, which may be off."""

    def __init__(self, settings: Settings, matches: Matches, workers: Workers, gallery: Gallery, clock: Clock) -> None:
        self._settings = settings
        self._site = Site(settings, matches, workers, gallery, clock) if settings.page.enabled else None

    async def remember(self, journals: Journals) -> None:
        """Show the matches that earlier runs of the agent have left in their journals, too."""
        if self._site is not None:
            await self._site.archive.remember(journals, self._settings.page.matches)

    def add_shared(self, app: web.Application, otherwise: Handler) -> None:
        """Add the page to the managers' port, unless it has its own or is off; `otherwise` answers for managers."""
        if self._site is not None and not self._settings.page.port:
            self._site.add_routes(app, otherwise)

    @asynccontextmanager
    async def served(self, url: str) -> AsyncIterator[str | None]:
        """Where a browser on this machine finds the page of an agent that listens at `url`; None where it is off.

        Raises SettingsError when an address of its own cannot be had.
        """
        if self._site is None:
            yield None
            return
        self._site.address = _address(url, self._settings)
        try:
            async with self._own_port(self._site):
                yield f"{self._site.address}/"
        finally:
            self._site.close()

    @asynccontextmanager
    async def _own_port(self, site: Site) -> AsyncIterator[None]:
        settings = self._settings
        if not settings.page.port:
            yield
            return
        app = web.Application(client_max_size=int(settings.server.body_mib * (1 << 20)))
        site.add_routes(app, otherwise=unknown)
        runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=FINISH)
        await runner.setup()
        try:
            await self._listen(runner)
            yield
            site.close()
        finally:
            await runner.cleanup()

    async def _listen(self, runner: web.AppRunner) -> None:
        page = self._settings.page
        try:
            await web.TCPSite(runner, page.host, page.port).start()
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise SettingsError(
                f"page.port: cannot listen on {page.host}:{page.port}: {reason}; give another page.port or page.host"
            ) from None


def _address(url: str, settings: Settings) -> str:
    host, port = settings.page.host, settings.page.port
    if not port:
        host, port = settings.server.host, int(url.rsplit(":", 1)[1])
    host = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
