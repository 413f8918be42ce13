"""Protection against cross-site requests: only the agent's own pages and configured sites may change state.

Any web page can make a browser send requests to a reachable agent, by a form, a script or an image. Browsers mark
them with ``Origin`` and ``Sec-Fetch-Site``; managers send neither header. For a site whose name temporarily resolves to
the agent's address (DNS rebinding), the browser sends same-origin requests; they are detected by their ``Host``.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Set
from urllib.parse import urlsplit

from aiohttp import web

from agent.errors import SettingsError
from agent.settings import ServerSettings, Settings

REFUSED = "error: pages of other sites may not send this; the setting server.origins lists the allowed sites"
UNKNOWN_NAME = "unknown host name; use the agent's IP address, or add the name to the setting server.names"
FOREIGN = (
    "only the agent's own page may send this request; "
    "a reverse proxy in between must pass the header Host on (nginx: proxy_set_header Host $http_host)"
)
EVERYBODY = "*"
BROKEN = "?"
"""Replaces a host name that cannot be parsed; never a real name."""
_ORIGIN = re.compile(r"https?://[A-Za-z0-9._:\[\]-]+", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_BROWSER = "Mozilla/"
"""User-Agent prefix of browsers: image requests over plain http have no other mark."""


class Origins:
    """Origin checks of one agent. Raises SettingsError for invalid sites or names."""

    def __init__(self, settings: Settings) -> None:
        self._sites = sites("server.origins", settings.server.origins, {"null"})
        own = socket.gethostname().casefold()
        served = {settings.server.host.casefold(), settings.page.host.casefold()}
        self._names = {own, f"{own}.local", "localhost", *served, *names(settings.server)}

    def obeyed(self, request: web.Request) -> bool:
        """Whether a request may change state: no browser sent it, or an allowed page did."""
        origin = request.headers.get("Origin")
        if origin is not None and origin != self._own(request):
            return EVERYBODY in self._sites or origin.casefold() in self._sites or _is_local(origin)
        return self._is_own(request) and not _is_bare(request)

    def own(self, request: web.Request) -> bool:
        """Whether a request comes from the agent's own page, or from no page at all."""
        return request.headers.get("Origin") in (None, self._own(request)) and self._is_own(request)

    def known(self, request: web.Request) -> bool:
        """Whether the request's Host is a name of this agent."""
        name = _name_in(f"//{request.headers.get('Host', '-')}")
        return name in ("", "-") or name in self._names or name.endswith(".localhost") or _is_address(name)

    def _is_own(self, request: web.Request) -> bool:
        site = request.headers.get("Sec-Fetch-Site")
        if site is None and "Origin" not in request.headers:
            return True
        return site in (None, "same-origin", "none") and self.known(request)

    @staticmethod
    def _own(request: web.Request) -> str:
        """Return the origin of the agent's pages as the client sees it; a reverse proxy may use https."""
        origin = request.headers.get("Origin", "")
        scheme = "https" if origin.startswith("https:") else "http"
        return f"{scheme}://{request.headers.get('Host', '-')}"


def _is_bare(request: web.Request) -> bool:
    """Whether this is a browser's GET without an origin, which is probably an image request."""
    silent = "Origin" not in request.headers and "Sec-Fetch-Site" not in request.headers
    return silent and request.method == "GET" and request.headers.get("User-Agent", "").startswith(_BROWSER)


def _is_local(origin: str) -> bool:
    """Whether an origin is on the browser's own machine."""
    name = _name_in(origin)
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


def _name_in(url: str) -> str:
    """Return the host name in a URL; BROKEN if the URL is malformed."""
    try:
        return (urlsplit(url).hostname or "").casefold()
    except ValueError:  # for example "[::1"
        return BROKEN


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def sites(key: str, text: str, also: Set[str] = frozenset()) -> frozenset[str]:
    """Parse the setting `key`, a list of sites; it may contain EVERYBODY and the words `also`. Raises SettingsError."""
    found = _words(text)
    for word in found - {EVERYBODY, *also}:
        if not _ORIGIN.fullmatch(word):
            raise SettingsError(f"{key}: {word!r:.60} is not a site; write https://example.org, or * for all")
    return found


def names(settings: ServerSettings) -> frozenset[str]:
    """Parse ``server.names``. Raises SettingsError."""
    found = _words(settings.names)
    for word in found:
        if not _NAME.fullmatch(word):
            raise SettingsError(f"server.names: {word!r:.60} is not a host name; write agent.example.org")
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(part.strip().rstrip("/").casefold() for part in text.split(",") if part.strip())
