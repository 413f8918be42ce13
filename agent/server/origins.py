"""Which requests of browsers are obeyed: those of the agent's own pages, and of the sites that a setting names.

Any page of any site can make a browser send requests to an agent in its reach, by a form, a script or a picture.
Browsers say so with ``Origin`` and ``Sec-Fetch-Site``; managers send neither. A site whose name leads to the agent's
address for a while (DNS rebinding) is the agent's own page for the browser, and is known by its ``Host``.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from aiohttp import web

from agent.errors import SettingsError
from agent.settings import ServerSettings, Settings

REFUSED = "error: pages of other sites may not send this; the setting server.origins names those that may"
UNKNOWN_NAME = (
    "this agent is not known by that name; open it by its address, or add the name to the setting server.names"
)
EVERYBODY = "*"
BROKEN = "?"
"""In place of a name that cannot be read; no machine is called so."""
_ORIGIN = re.compile(r"https?://[A-Za-z0-9._:\[\]-]+", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_BROWSER = "Mozilla/"
"""How browsers name themselves; they say nothing else when they ask another machine without https for a picture."""


class Origins:
    """Raises SettingsError on settings that name no sites or no names."""

    def __init__(self, settings: Settings) -> None:
        self._sites = sites(settings.server)
        own = socket.gethostname().casefold()
        served = {settings.server.host.casefold(), settings.page.host.casefold()}
        self._names = {own, f"{own}.local", "localhost", *served, *names(settings.server)}

    def obeyed(self, request: web.Request) -> bool:
        """Whether a request may change something: it is no browser's, or that of a page that may send messages."""
        origin = request.headers.get("Origin")
        if origin is not None and origin != self._own(request):
            return EVERYBODY in self._sites or origin.casefold() in self._sites or _is_local(origin)
        return self._is_own(request) and not _is_bare(request)

    def own(self, request: web.Request) -> bool:
        """Whether a request comes from the agent's own page, or from no page at all."""
        return request.headers.get("Origin") in (None, self._own(request)) and self._is_own(request)

    def known(self, request: web.Request) -> bool:
        """Whether the agent was asked for by a name that can only be its own."""
        name = _name_in(f"//{request.headers.get('Host', '-')}")
        return name in ("", "-") or name in self._names or name.endswith(".localhost") or _is_address(name)

    def _is_own(self, request: web.Request) -> bool:
        site = request.headers.get("Sec-Fetch-Site")
        if site is None and "Origin" not in request.headers:
            return True
        return site in (None, "same-origin", "none") and self.known(request)

    @staticmethod
    def _own(request: web.Request) -> str:
        """The origin of the agent's pages, as the sender sees it; a web server before it may speak https."""
        origin = request.headers.get("Origin", "")
        scheme = "https" if origin.startswith("https:") else "http"
        return f"{scheme}://{request.headers.get('Host', '-')}"


def _is_bare(request: web.Request) -> bool:
    """Whether a browser asks by GET without a word of where it comes from: for a picture, most likely."""
    silent = "Origin" not in request.headers and "Sec-Fetch-Site" not in request.headers
    return silent and request.method == "GET" and request.headers.get("User-Agent", "").startswith(_BROWSER)


def _is_local(origin: str) -> bool:
    """Whether a page comes from the machine that its browser runs on."""
    name = _name_in(origin)
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


def _name_in(url: str) -> str:
    """The name of the machine in an address; one that is never ours where the address is broken."""
    try:
        return (urlsplit(url).hostname or "").casefold()
    except ValueError:  # "[::1" without its end, say
        return BROKEN


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def sites(settings: ServerSettings) -> frozenset[str]:
    """The sites of ``server.origins``. Raises SettingsError."""
    found = _words(settings.origins)
    for word in found - {EVERYBODY, "null"}:
        if not _ORIGIN.fullmatch(word):
            raise SettingsError(f"server.origins: {word!r:.60} is no site; write https://example.org, or * for all")
    return found


def names(settings: ServerSettings) -> frozenset[str]:
    """The names of ``server.names``. Raises SettingsError."""
    found = _words(settings.names)
    for word in found:
        if not _NAME.fullmatch(word):
            raise SettingsError(f"server.names: {word!r:.60} is no name of a machine; write agent.example.org")
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(part.strip().rstrip("/").casefold() for part in text.split(",") if part.strip())
