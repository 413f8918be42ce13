"""Who may connect: addresses on the allow-list, and not too many at once."""

from __future__ import annotations

import ipaddress
from typing import Protocol

import structlog

from agent.errors import SettingsError
from agent.server.metrics import Metrics
from agent.settings import ServerSettings

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

STRANGER = (403, "error: this agent does not take messages from your address")
CROWDED = (503, "error: too many connections; try again in a moment")


MUCH = 64 << 10
"""Bytes of a request that count where all together are too many; closing smaller ones would help nobody."""


class Guest(Protocol):
    """A connection as the gate sees it."""

    @property
    def complete(self) -> bool:
        """Whether its request has come whole."""

    @property
    def received(self) -> int:
        """Bytes that have come."""

    def send_away(self, status: int, text: str) -> None:
        """Answer with `text`, whatever it has asked or not yet asked, and close it."""


class Gate:
    """The connections of one agent, in the order they came. Raises SettingsError on an allow-list that is none."""

    def __init__(self, settings: ServerSettings, metrics: Metrics) -> None:
        self._allowed = networks(settings.allow)
        self._limit = settings.connections
        self._room = int(settings.bodies_mib * (1 << 20))  # bytes that connections may have sent together
        self._held = 0  # that they have sent
        self._metrics = metrics
        self._inside: dict[Guest, None] = {}

    def enter(self, guest: Guest, address: str | None) -> tuple[int, str] | None:
        """Let a connection in; status and text of the answer when it may not."""
        if self._allowed and not self._is_allowed(address):
            structlog.get_logger().warning("a stranger is sent away", client=address)
            self._metrics.error("stranger")
            return STRANGER
        if len(self._inside) >= self._limit and not self._make_room():
            self._metrics.error("too many connections")
            return CROWDED
        self._inside[guest] = None
        self._metrics.connections.set(len(self._inside))
        return None

    def received(self, count: int) -> None:
        """So many bytes have come from one of those inside; when they are too many, the slowest senders go."""
        self._held += count
        while self._held > self._room and self._make_room(MUCH):
            pass

    def leave(self, guest: Guest) -> None:
        """A connection is gone."""
        if guest in self._inside:
            del self._inside[guest]
            self._held -= guest.received
        self._metrics.connections.set(len(self._inside))

    def _make_room(self, least: int = 0) -> bool:
        """Close the one that has taken longest to send its request, and at least so many bytes of it.

        A manager sends its own at once.
        """
        slowest = next((guest for guest in self._inside if not guest.complete and guest.received >= least), None)
        if slowest is None:
            return False
        self._metrics.error("too many connections")
        self.leave(slowest)
        slowest.send_away(*CROWDED)
        return True

    def _is_allowed(self, address: str | None) -> bool:
        try:
            ip = ipaddress.ip_address((address or "").partition("%")[0])
        except ValueError:
            return False
        mapped = getattr(ip, "ipv4_mapped", None)  # an IPv4 sender as a socket for both kinds shows it
        return any((mapped or ip) in network for network in self._allowed)


def networks(text: str) -> tuple[Network, ...]:
    """The networks of ``server.allow``. Raises SettingsError."""
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(ipaddress.ip_network(word, strict=False))
        except ValueError:
            raise SettingsError(
                f"server.allow: {word!r:.60} is no address or network; write 127.0.0.1, 10.0.0.0/8, ::1"
            ) from None
    return tuple(found)
