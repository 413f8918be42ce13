"""Who may connect: addresses on the allow-list, and no more at once than settings and open files allow."""

from __future__ import annotations

import enum
import ipaddress
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import structlog

from agent.errors import SettingsError
from agent.server.metrics import Metrics
from agent.settings import ServerSettings
from reasoner.platform_calls import most_open_files

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

STRANGER = (403, "error: this agent does not take messages from your address")
CROWDED = (503, "error: too many connections; try again in a moment")


OWN_FILES = 24
"""Files that the agent has open before anybody connects: its sockets, its event loop's, its log, its journals' lock."""
MATCH_FILES = 4
"""Files of one match: its worker's socket and the spare one's, its journal, one that is just being opened."""
MUCH = 64 << 10
"""Bytes of a request that count where all together are too many; closing smaller ones would help nobody."""
WATCHING_SHARE = 0.25
"""The part of connections that may be streams for pages; beyond it the oldest is closed, and its page comes again."""
PAGE_SHARE = 0.25
"""The part of connections that may wait for answers of the page; the rest is there for managers, whatever pages do."""


class ConnectionState(enum.Enum):
    """What a connection is about."""

    RECEIVING = enum.auto()  # a request is awaited, or has come in part
    ASKED = enum.auto()  # a request has come whole and must be answered
    WATCHING = enum.auto()  # its answer is a stream without an end
    RESTING = enum.auto()  # its answer has left, and another request may come


class Guest(Protocol):
    """A connection as the gate sees it."""

    @property
    def standing(self) -> ConnectionState:
        """What it is about."""

    @property
    def received(self) -> int:
        """Bytes that have come of requests that are not understood yet."""

    @property
    def ended(self) -> bool:
        """Whether its client has closed at least its side."""

    @property
    def for_page(self) -> bool:
        """Whether it asks something of the page for people."""

    @property
    def address(self) -> str | None:
        """Where its client is."""

    def send_away(self, status: int, text: str) -> None:
        """Close it, after an answer if it has none."""


class Gate:
    """The connections of one agent, in the order they came. Raises SettingsError on an allow-list that is none."""

    def __init__(self, settings: ServerSettings, metrics: Metrics, connections: int | None = None) -> None:
        self._allowed = networks(settings.allow)
        self._limit = settings.connections if connections is None else connections
        self._watchers = max(1, int(self._limit * WATCHING_SHARE))
        self._page_room = max(1, int(self._limit * PAGE_SHARE))
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

    def received(self, guest: Guest, count: int) -> None:
        """So many bytes have come from one of those inside; when they are too many, the slowest senders go."""
        if guest not in self._inside:
            return
        self._held += count
        while self._held > self._room and self._send(self._first(ConnectionState.RECEIVING, MUCH)):
            pass

    def understood(self, guest: Guest) -> None:
        """What has come from one of those inside was read, or is answered: it is not held any more."""
        if guest in self._inside:
            self._held -= guest.received

    def page_full(self) -> bool:
        """Whether no more of those inside may wait for an answer of the page."""
        asking = (guest.standing is ConnectionState.ASKED and guest.for_page for guest in self._inside)
        return sum(asking) >= self._page_room

    def watched(self) -> None:
        """One of those inside has become a stream; when they are too many, the oldest goes."""
        if sum(guest.standing is ConnectionState.WATCHING for guest in self._inside) > self._watchers:
            self._send(self._first(ConnectionState.WATCHING))

    def rested(self, guest: Guest) -> None:
        """One of those inside has its answer, and comes last again where room is made."""
        if guest in self._inside:
            del self._inside[guest]
            self._inside[guest] = None

    def leave(self, guest: Guest) -> None:
        """A connection is gone."""
        if guest in self._inside:
            del self._inside[guest]
            self._held -= guest.received
        self._metrics.connections.set(len(self._inside))

    def _make_room(self) -> bool:
        """Close one that has its answer, else the slowest to send its request, else the oldest stream.

        A manager sends its request at once, and has no second one; a page comes again. Where more have left before
        their answer than are still sending, the first of those goes: old managers close their side, but are few.
        """
        left = [guest for guest in self._standing(ConnectionState.ASKED) if guest.ended]
        sending = self._standing(ConnectionState.RECEIVING)
        groups = [self._standing(ConnectionState.RESTING), *sorted((sending, left), key=len, reverse=True)]
        groups.append(self._standing(ConnectionState.WATCHING))
        return self._send(next(filter(None, map(_first_of_most, groups)), None))

    def _first(self, standing: ConnectionState, least: int = 0) -> Guest | None:
        """The one that came first of those who stand so, and have sent at least so many bytes."""
        return _first_of_most([guest for guest in self._standing(standing) if guest.received >= least])

    def _standing(self, standing: ConnectionState) -> list[Guest]:
        return [guest for guest in self._inside if guest.standing is standing]

    def _send(self, guest: Guest | None) -> bool:
        """Send one away; whether there was one."""
        if guest is None:
            return False
        self._metrics.error("too many connections")
        self.leave(guest)
        guest.send_away(*CROWDED)
        return True

    def _is_allowed(self, address: str | None) -> bool:
        try:
            ip = ipaddress.ip_address((address or "").partition("%")[0])
        except ValueError:
            return False
        mapped = getattr(ip, "ipv4_mapped", None)  # an IPv4 sender as a socket for both kinds shows it
        return any((mapped or ip) in network for network in self._allowed)


def _first_of_most(guests: Sequence[Guest]) -> Guest | None:
    """The first from the address that most come from, so that a crowd from one place costs nobody elsewhere."""
    counts = Counter(guest.address for guest in guests)
    most = max(counts.values(), default=0)
    return next((guest for guest in guests if counts[guest.address] == most), None)


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


def room_for_connections(wanted: int, matches: int) -> int:
    """As many connections as are `wanted`, or as leave files for so many matches; at least one.

    The system's softer limit is raised to its harder one first.
    """
    files = most_open_files()
    room = int(min(wanted, files - OWN_FILES - MATCH_FILES * matches))
    if room < wanted:
        structlog.get_logger().warning("fewer connections: the system grants few open files", files=files, room=room)
    return max(room, 1)
