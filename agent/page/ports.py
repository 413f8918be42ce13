"""Address of the page: on the port for game managers, on a port of its own, or off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from agent.errors import SettingsError, listen_reason
from agent.journal.folder import Journals
from agent.page.errors import PageError
from agent.page.host import Host
from agent.page.requests import Handler
from agent.page.sheets import Sheet
from agent.page.site import Site
from agent.settings import Settings, url_here


class Page:
    """The page of one agent, which may be disabled."""

    def __init__(self, host: Host) -> None:
        self._settings = host.settings
        self._site = Site(host) if host.settings.page.enabled else None

    async def remember(self, journals: Journals) -> None:
        """Add the matches in the journals of earlier runs to the history."""
        if self._site is not None:
            await self._site.archive.remember(journals, self._settings.page.matches)

    def add_shared(self, app: web.Application, otherwise: Handler) -> None:
        """Add the page to the managers' port, unless the page has its own port or is disabled.

        `otherwise` answers requests of managers.
        """
        if self._site is not None and not self._settings.page.port:
            self._site.add_routes(app, otherwise)

    def keep(self, sheet: Sheet) -> str:
        """Store rules for a link ``#/play/sheet/KEY`` and return the key. Raises PageError if they are too long."""
        if self._site is None:
            raise PageError("the page is off; set page.enabled to true")
        return self._site.keep(sheet)

    def app(self, empty: web.Application) -> web.Application:
        """Add the page to an empty application and return it."""
        if self._site is not None:
            self._site.add_routes(empty)
        return empty

    @asynccontextmanager
    async def served(
        self, url: str, runner: web.AppRunner, door: Callable[[], asyncio.Protocol], *, secure: bool
    ) -> AsyncIterator[str | None]:
        """Serve the page of an agent that listens at `url`; yield the page's URL, or None if it is disabled.

        If the page has a port of its own, `runner` serves it, and `door` makes the protocol of each connection;
        connections are encrypted if `secure`. Raises SettingsError if the address of this port is not available.
        """
        if self._site is None:
            yield None
            return
        self._site.address = _address(url, self._settings, "https" if secure else "http")
        try:
            async with self._own_port(self._site, runner, door):
                yield f"{self._site.address}/"
        finally:
            self._site.close()

    @asynccontextmanager
    async def _own_port(
        self, site: Site, runner: web.AppRunner, door: Callable[[], asyncio.Protocol]
    ) -> AsyncIterator[None]:
        if not self._settings.page.port:
            yield
            return
        await runner.setup()
        try:
            server = await self._listen(door)
            try:
                yield
                site.close()
            finally:
                server.close()
        finally:
            await runner.cleanup()

    async def _listen(self, door: Callable[[], asyncio.Protocol]) -> asyncio.Server:
        page = self._settings.page
        try:
            return await asyncio.get_running_loop().create_server(door, page.host, page.port)
        except (OSError, UnicodeError) as error:
            raise SettingsError(
                f"page.port: cannot listen on {page.host}:{page.port}: {listen_reason(error)}; "
                "set another page.port or page.host"
            ) from None


def _address(url: str, settings: Settings, scheme: str) -> str:
    host, port = settings.page.host, settings.page.port
    if not port:
        host, port = settings.server.host, int(url.rsplit(":", 1)[1])
    return url_here(scheme, host, port)
