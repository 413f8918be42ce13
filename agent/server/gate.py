"""Admission of connections: the allow-list, and limits given by the settings and the maximum of open files."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import structlog

from agent.errors import SettingsError
from agent.server.metrics import Metrics
from agent.server.networks import STRANGER, networks, within
from agent.settings import ServerSettings
from reasoner.platform_calls import most_open_files

CROWDED = (503, "error: too many connections; try again in a moment")


OWN_FILES = 24
"""Open files of an idle agent: sockets, event loop, log, lock of the journals."""
MATCH_FILES = 4
"""Open files of one match: sockets of its worker and the spare worker, its journal, one temporary file."""
MUCH = 64 << 10
"""Minimum received bytes of a connection that may be closed to free memory."""
WATCHING_SHARE = 0.25
"""Maximum share of connections for page streams; beyond it the oldest is closed, and its page reconnects."""
PAGE_SHARE = 0.25
"""Maximum share of connections waiting for page answers; the rest is reserved for managers."""


class ConnectionState(enum.Enum):
    """State of a connection."""

    RECEIVING = enum.auto()  # waiting for a request, or receiving it
    ASKED = enum.auto()  # a complete request waits for its answer
    WATCHING = enum.auto()  # the answer is an endless stream
    RESTING = enum.auto()  # answered; another request may follow


class Guest(Protocol):
    """A connection as the gate sees it."""

    @property
    def standing(self) -> ConnectionState:
        """State of the connection."""

    @property
    def received(self) -> int:
        """Received bytes of requests that are not parsed yet."""

    @property
    def ended(self) -> bool:
        """Whether the client has closed its side."""

    @property
    def for_page(self) -> bool:
        """Whether the request is for the web page."""

    @property
    def address(self) -> str | None:
        """The client's address."""

    def send_away(self, status: int, text: str) -> None:
        """Close the connection; first send an answer with this status and text, unless an answer was sent."""


class Gate:
    """The connections of one agent, in the order of arrival or of the last answer.

    Raises SettingsError for an invalid allow-list.
    """

    def __init__(self, settings: ServerSettings, metrics: Metrics, connections: int | None = None) -> None:
        allowed = networks(settings, "allow")
        self._allowed = (*allowed, *networks(settings, "proxies")) if allowed else ()
        self._limit = settings.connections if connections is None else connections
        self._watchers = max(1, int(self._limit * WATCHING_SHARE))
        self._page_room = max(1, int(self._limit * PAGE_SHARE))
        self._room = int(settings.bodies_mib * (1 << 20))  # maximum total bytes of requests being received
        self._held = 0  # current total of these bytes
        self._metrics = metrics
        self._inside: dict[Guest, None] = {}

    def enter(self, guest: Guest, address: str | None) -> tuple[int, str] | None:
        """Admit a connection and return None, or return the status and the text of a refusal."""
        if self._allowed and not within(address, self._allowed):
            structlog.get_logger().warning("a client is not in server.allow", client=address)
            self._metrics.error("stranger")
            return STRANGER
        if len(self._inside) >= self._limit and not self._make_room():
            self._metrics.error("too many connections")
            return CROWDED
        self._inside[guest] = None
        self._metrics.connections.set(len(self._inside))
        return None

    def received(self, guest: Guest, count: int) -> None:
        """Count received bytes; if the total exceeds the limit, close the slowest senders."""
        if guest not in self._inside:
            return
        self._held += count
        while self._held > self._room and self._send(self._first(ConnectionState.RECEIVING, MUCH)):
            pass

    def understood(self, guest: Guest) -> None:
        """Release the received bytes of a connection after parsing or answering."""
        if guest in self._inside:
            self._held -= guest.received

    def page_full(self) -> bool:
        """Whether the limit of page requests is reached."""
        asking = (guest.standing is ConnectionState.ASKED and guest.for_page for guest in self._inside)
        return sum(asking) >= self._page_room

    def watched(self) -> None:
        """Count a new stream; if there are too many, close the oldest."""
        if sum(guest.standing is ConnectionState.WATCHING for guest in self._inside) > self._watchers:
            self._send(self._first(ConnectionState.WATCHING))

    def rested(self, guest: Guest) -> None:
        """Move an answered connection to the end of the order; if there are too many, earlier ones are closed first."""
        if guest in self._inside:
            del self._inside[guest]
            self._inside[guest] = None

    def leave(self, guest: Guest) -> None:
        """Remove a connection."""
        if guest in self._inside:
            del self._inside[guest]
            self._held -= guest.received
        self._metrics.connections.set(len(self._inside))

    def _make_room(self) -> bool:
        """Close an answered connection, else one of the larger group below, else the oldest stream.

        The two groups are clients that are still sending, and clients that closed their side before the answer. Only
        few old managers do the latter. Managers send one request at once, and pages reconnect.
        """
        left = [guest for guest in self._standing(ConnectionState.ASKED) if guest.ended]
        sending = self._standing(ConnectionState.RECEIVING)
        groups = [self._standing(ConnectionState.RESTING), *sorted((sending, left), key=len, reverse=True)]
        groups.append(self._standing(ConnectionState.WATCHING))
        return self._send(next(filter(None, map(_first_of_most, groups)), None))

    def _first(self, standing: ConnectionState, least: int = 0) -> Guest | None:
        """Return the first connection in this state with at least `least` received bytes."""
        return _first_of_most([guest for guest in self._standing(standing) if guest.received >= least])

    def _standing(self, standing: ConnectionState) -> list[Guest]:
        return [guest for guest in self._inside if guest.standing is standing]

    def _send(self, guest: Guest | None) -> bool:
        """Close a connection; return whether there was one."""
        if guest is None:
            return False
        self._metrics.error("too many connections")
        self.leave(guest)
        guest.send_away(*CROWDED)
        return True


def _first_of_most(guests: Sequence[Guest]) -> Guest | None:
    """Return the first connection of the most frequent address, so that one client cannot crowd out others."""
    counts = Counter(guest.address for guest in guests)
    most = max(counts.values(), default=0)
    return next((guest for guest in guests if counts[guest.address] == most), None)


def room_for_connections(wanted: int, matches: int) -> int:
    """Return how many connections are possible, at most `wanted`, if `matches` matches also need open files.

    First raises the soft limit of open files to the hard limit. Raises SettingsError if no connection is possible.
    """
    files, needed = most_open_files(), OWN_FILES + MATCH_FILES * matches
    room = int(min(wanted, files - needed))
    if room < 1:
        raise SettingsError(
            f"the system allows {files:g} open files, and server.matches = {matches} needs more than {needed}: raise "
            "the limit (ulimit -n), or set fewer matches"
        )
    if room < wanted:
        structlog.get_logger().warning(
            "the limit of open files allows fewer connections than server.connections", files=files, room=room
        )
    return room
