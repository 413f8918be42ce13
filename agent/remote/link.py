"""Connection from a worker to the bridge; the match never waits for it.

One thread sends each new position to the bridge, another receives results. Without a bridge they retry periodically,
and the match continues alone.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import structlog
from msgspec.structs import replace

from agent.message_lines import encode
from agent.remote.search_messages import (
    LINE,
    Committed,
    Found,
    SearchedMatch,
    SearchedPosition,
    Told,
    decode,
    stored,
)
from reasoner.language.terms import Term
from search.network.storage import Model
from search.options import SearchOptions
from search.root.remote import RootStats

PAUSE = 0.5
"""Seconds between two connection attempts."""


class Link:
    """Implementation of `Elsewhere` that uses the bridge at the socket `path`."""

    def __init__(self, path: Path, rules: str, role: int, options: SearchOptions, play_clock: float) -> None:
        plain = {field.name: getattr(options, field.name) for field in fields(SearchOptions)}
        self._path = path
        self._match = SearchedMatch(rules, role, plain, play_clock)
        self._studied: Model | None = None
        self._facts: frozenset[Term] | None = None  # facts of the current position
        self._position: SearchedPosition | None = None
        self._committed: Committed | None = None
        self._found: dict[str, RootStats] = {}  # results for this position, by searcher
        self._arrived: tuple[RootStats, ...] = ()  # an immutable copy of the results, for other threads
        self._news = threading.Condition()
        self._closed = False
        with contextlib.suppress(RuntimeError):  # no thread available: the match continues alone
            threading.Thread(target=self._live, daemon=True, name="remote-search").start()

    def learn(self, studied: Model | None) -> None:
        """Search with this network from now on."""
        if studied is not self._studied:
            text = stored(studied)
            with self._news:
                self._studied, self._match = studied, replace(self._match, studied=text)
                self._found, self._arrived = {}, ()
                self._news.notify_all()

    def go_to(self, facts: frozenset[Term], joint: Sequence[Term] | None) -> None:
        """See `Elsewhere`. Does nothing at the current position, as when a circuit replaces the relational engine."""
        if facts == self._facts:
            return
        texts = None if joint is None else list(map(str, joint))
        with self._news:
            self._facts = facts
            number = self._position.number + 1 if self._position is not None else 1
            self._position = SearchedPosition(number, sorted(map(str, facts)), texts)
            self._committed, self._found, self._arrived = None, {}, ()
            self._news.notify_all()

    def commit(self, move: Term) -> None:
        """See `Elsewhere`."""
        with self._news:
            if self._position is not None:
                self._committed = Committed(self._position.number, str(move))
                self._news.notify_all()

    def found(self) -> Sequence[RootStats]:
        """See `Elsewhere`."""
        return self._arrived

    def close(self) -> None:
        """Close the connection."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def _live(self) -> None:
        while not self._closed:
            with contextlib.suppress(OSError, RuntimeError), socket.socket(socket.AF_UNIX) as talk:
                talk.connect(str(self._path))
                over = threading.Event()
                telling = threading.Thread(target=self._tell, args=(talk, over), daemon=True)
                telling.start()
                self._hear(talk)
                over.set()
                with self._news:
                    self._news.notify_all()
                telling.join()
            with self._news:
                self._found, self._arrived = {}, ()
                self._news.wait_for(lambda: self._closed, PAUSE)

    def _tell(self, talk: socket.socket, over: threading.Event) -> None:
        """Send the match and each new position, until the socket closes."""
        told: tuple[Told | None, ...] = (None, None, None)
        with contextlib.suppress(OSError):
            while not (self._closed or over.is_set()):
                with self._news:
                    now = (self._match, self._position, self._committed)
                    if now == told:
                        self._news.wait(PAUSE)
                        continue
                if told[0] is not now[0]:  # a new match: send its position again
                    told = (None, None, None)
                new = [message for message, before in zip(now, told, strict=True) if message not in (None, before)]
                talk.sendall("".join(encode(message) + "\n" for message in new if message is not None).encode())
                told = now
        with contextlib.suppress(OSError):
            talk.shutdown(socket.SHUT_RDWR)

    def _hear(self, talk: socket.socket) -> None:
        """Receive results until the socket closes."""
        with talk.makefile("rb") as lines:
            while line := lines.readline(LINE):
                try:
                    message = decode(line)
                except ValueError as error:
                    structlog.get_logger().error("the bridge sent an invalid message", reason=str(error))
                    return
                if isinstance(message, Found):
                    self._take(message)

    def _take(self, message: Found) -> None:
        with self._news:
            if self._position is not None and message.number == self._position.number:
                self._found[message.who] = message.root
                self._arrived = tuple(self._found.values())
