"""Lists of addresses and networks in settings, and reverse proxies whose ``X-Forwarded-*`` headers are trusted.

A reverse proxy hides the client: every request comes from the proxy's address. Any client can send these headers, so
they count only on connections from the networks in ``server.proxies``.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from contextvars import ContextVar

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from agent.errors import SettingsError
from agent.server.answers import answer
from agent.settings import ServerSettings

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

prefix: ContextVar[str] = ContextVar("prefix", default="")
"""Path of the agent's root at the trusted proxy of the current request (``/ggp``); empty if none or unknown."""
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~%!$&'()*+,=:@-]+)*")
"""Accepted paths in ``X-Forwarded-Prefix``: safe to write into a cookie and a URL."""
_PORT = re.compile(r"(?P<v4>[0-9.]+):[0-9]+|\[(?P<v6>[0-9A-Fa-f:.]+)\](?::[0-9]+)?")
"""Addresses in ``X-Forwarded-For`` with a port or brackets."""
STRANGER = (403, "error: this agent does not accept messages from your address")


def networks(settings: ServerSettings, key: str) -> tuple[Network, ...]:
    """Parse the setting ``server.KEY``: addresses and networks. Raises SettingsError."""
    found = []
    text: str = getattr(settings, key)
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(ipaddress.ip_network(word, strict=False))
        except ValueError:
            raise SettingsError(
                f"server.{key}: {word!r:.60} is not an address or network; examples: 127.0.0.1, 10.0.0.0/8, ::1"
            ) from None
    return tuple(found)


def within(address: str | None, found: Sequence[Network]) -> bool:
    """Whether an address is in one of the networks; an IPv4 address on a dual-stack socket counts as IPv4."""
    try:
        ip = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return any((mapped or ip) in network for network in found)


def forwarding(settings: ServerSettings) -> Middleware:
    """Create the middleware that gives a request from a trusted proxy the client's address and scheme.

    Refuses a client that ``server.allow`` does not list. Raises SettingsError.
    """
    proxies, allowed = networks(settings, "proxies"), networks(settings, "allow")

    @web.middleware
    async def forwarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        prefix.set("")
        if not within(request.remote, proxies):
            return await handler(request)
        addresses = request.headers.getall("X-Forwarded-For", [])
        named = client_of(addresses, proxies)
        hidden = named is None and any(map(str.strip, addresses))  # for example "unknown"
        client = named or request.remote
        if allowed and (hidden or not within(client, (*allowed, *proxies))):
            structlog.get_logger().warning("a client is not in server.allow", client=client, proxy=request.remote)
            return answer(STRANGER[1], STRANGER[0])
        schemes = request.headers.get("X-Forwarded-Proto", request.scheme)  # of a chain of proxies, the client's first
        https = schemes.partition(",")[0].strip().casefold() == "https"
        request = request.clone(remote=client or "", scheme="https" if https else "http")
        path = request.headers.get("X-Forwarded-Prefix", "").rstrip("/")
        prefix.set(path if _PREFIX.fullmatch(path) else "")
        return await handler(request)

    return forwarded


def client_of(headers: Sequence[str], proxies: Sequence[Network]) -> str | None:
    """Return the client's address in ``X-Forwarded-For``: the last one that is no trusted proxy.

    Each proxy appends the address that it sees, so addresses before an untrusted one may be forged. Some proxies also
    append the client's port. None: no address.
    """
    found = None
    for word in reversed([word.strip() for header in headers for word in header.split(",")]):
        try:
            found = str(ipaddress.ip_address(_without_port(word)))
        except ValueError:
            return found
        if not within(found, proxies):
            return found
    return found


def _without_port(word: str) -> str:
    """Return the address in ``1.2.3.4:567``, ``[::1]:567`` or ``[::1]``; other words are unchanged."""
    match = _PORT.fullmatch(word)
    return word if match is None else match["v4"] or match["v6"]
