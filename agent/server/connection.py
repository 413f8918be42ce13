"""Asyncio protocol in front of aiohttp's protocol: records arrival times and tolerates old clients.

A request is buffered until it is complete, because old and hand-written clients do what aiohttp does not support:

- close their side of the connection after the request, although they still wait for the answer;
- send a body without Content-Length, which ends with its last parenthesis or when the client closes its side;
- give the length in characters instead of bytes, end lines without a carriage return, or omit Host in HTTP/1.1.
"""

from __future__ import annotations

import asyncio
import math
from typing import cast

import structlog
from aiohttp import web

from agent.server.answers import raw_answer
from agent.server.body import EndOfBody, balanced, bytes_of
from agent.server.gate import ConnectionState, Gate
from agent.server.head import LIMIT, Head, end_of_head
from search.clock import Clock

GRACE = 0.5
"""Seconds to wait for bytes beyond a too small Content-Length."""
TLS = b"\x16\x03"
"""First bytes of a TLS connection."""
FLUSH = 1.0
"""Seconds for a rejected client to read its answer."""
UNREAD = 10.0
"""Seconds between two checks whether a client reads its answer."""
MIN_READ_BYTES = 64 << 10
"""Minimum bytes of its answer that a client must read between two checks; else the connection is aborted."""
HTTPS = "error: this port does not speak https; use http://, or set page.certificate"


def too_slow(seconds: float) -> str:
    """Error text for a sender that takes too long."""
    return f"error: a message must be sent within {seconds:g} s"


class Connection(asyncio.Protocol):
    """Passes complete requests on to `inner`. A request whose end cannot be detected is passed on while it arrives."""

    def __init__(
        self, inner: asyncio.Protocol, clock: Clock, limit: int, gate: Gate | None = None, seconds: float = math.inf
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._limit = limit  # maximum bytes of a buffered body
        self._gate = gate
        self._seconds = seconds  # time limit to receive a request, from its first byte
        self._transport: asyncio.Transport | None = None
        self._refusal: tuple[int, str] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.received = 0  # bytes of requests that are not parsed yet
        self.address: str | None = None  # address of the client
        self.for_page = False  # whether the request is for the page
        self._reading: asyncio.TimerHandle | None = None  # checks whether the client reads
        self._unread = math.inf  # bytes in the write buffer at the last check
        self.standing = ConnectionState.RECEIVING
        self.ended = False  # whether the client has closed its side
        self.hasty = False  # whether the client has sent more than the current request
        self._gone = False  # whether the client was rejected
        self.end = asyncio.Event()  # set when the client closes its side
        self._expect()

    def _expect(self) -> None:
        """Prepare for the next request."""
        self._held: bytearray | None = bytearray()  # buffered bytes; None once they were passed on
        self._looked = 0  # bytes already scanned for the end of the head
        self._head: Head | None = None
        self._ending = EndOfBody()  # finds the end of a body without a length
        self._grace: asyncio.TimerHandle | None = None
        self.arrival: float | None = None  # time of the request's first byte, in seconds of the clock

    @property
    def made(self) -> bool:
        """Whether `connection_made` was called."""
        return self._transport is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Handle a new connection."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if isinstance(peer, tuple) else None
        if self._gate is not None:
            self._refusal = self._gate.enter(self, self.address)
        self._inner.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle a closed connection."""
        self._end()
        for timer in (self._timer, self._grace, self._reading):
            if timer is not None:
                timer.cancel()
        if self._gate is not None:
            self._gate.leave(self)
        self._inner.connection_lost(exc)

    def send_away(self, status: int, text: str) -> None:
        """Close the connection; send `text` first unless the client already has (part of) an answer."""
        self._gone = True
        if self._transport is not None and not self._transport.is_closing():
            if self.standing is ConnectionState.RECEIVING:
                self._transport.write(raw_answer(status, text))
            self._transport.close()
            asyncio.get_running_loop().call_later(FLUSH, self._transport.abort)

    def answering(self) -> None:
        """Mark the request as complete and being answered."""
        self.standing = ConnectionState.ASKED

    def asks_page(self) -> bool:
        """Mark the request as one for the page, or return False if too many page requests are waiting."""
        full = self._gate is not None and self._gate.page_full()
        self.for_page = not full
        return not full

    def understood(self) -> None:
        """Mark the received bytes as parsed and released."""
        if self._gate is not None:
            self._gate.understood(self)
        self.received = 0

    def watching(self) -> None:
        """Mark the answer as an endless stream."""
        self.standing = ConnectionState.WATCHING
        if self._gate is not None:
            self._gate.watched()

    def answered(self) -> None:
        """Mark the request as answered; another may follow."""
        self.understood()
        self.for_page = False
        self.standing = ConnectionState.RESTING
        if self._gate is not None:
            self._gate.rested(self)
        self._watch_reading()

    def pause_writing(self) -> None:
        """Handle a full write buffer: check whether the client reads."""
        self._watch_reading()
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Handle a drained write buffer."""
        self._unread = math.inf
        self._inner.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Handle bytes of a request."""
        if self.standing is ConnectionState.RESTING:
            self.standing = ConnectionState.RECEIVING
            self._expect()
        if self.arrival is None:
            self.arrival = self._clock.now()
            self._set_timer()
        if self._refusal is not None:
            self.send_away(*self._refusal)
            return
        self.received += len(data)
        if self._gate is not None:
            self._gate.received(self, len(data))
            if self._gone:
                return
        if self._held is None:
            self.hasty = self.hasty or (self.standing is ConnectionState.ASKED and bool(data.strip()))
            self._inner.data_received(data)
        else:
            self._hold(self._held, data)

    def eof_received(self) -> bool:
        """Handle the end of the client's side; return whether our side stays open to answer a pending request.

        With TLS, our side cannot stay open.
        """
        self._end()
        if self._held is not None and self._head is not None:
            self._pass_on(self._head, len(self._held) if self._head.open_ended else None)
        secure = self._transport is not None and self._transport.get_extra_info("sslcontext") is not None
        return self._held is None and self.standing is not ConnectionState.RESTING and not secure

    def _hold(self, held: bytearray, data: bytes) -> None:
        held += data
        if held.startswith(TLS):
            structlog.get_logger().warning("a client speaks https; give it this agent's address as http://")
            self.send_away(400, HTTPS)
            return
        if self._head is None:
            end = end_of_head(held, self._looked)
            self._looked = len(held)
            if end < 0:
                if len(held) > LIMIT:
                    self._release(bytes(held))
                return
            self._head = Head.of(held, end)
            data = bytes(held[end + 4 :])
        self._hold_body(held, self._head, data)

    def _hold_body(self, held: bytearray, head: Head, data: bytes) -> None:
        """Handle body bytes; pass the request on if it is complete."""
        size = len(held) - head.start
        if head.open_ended and (head.old or size) and size <= self._limit:
            self._ending.feed(data)
            if self._ending.whole:
                self._pass_on(head, len(held))
        elif head.length is None or head.length > self._limit:
            self._pass_on(head)
        elif size >= head.length:
            self._hold_rest(held, head, head.length)

    def _hold_rest(self, held: bytearray, head: Head, length: int) -> None:
        """Handle a body of the stated length; wait for more bytes if the length counts characters."""
        body = held[head.start :]
        named = body[:length]
        if named.isascii() or named.lstrip().startswith(b"{") or balanced(named):
            self._pass_on(head)
            return
        needed = bytes_of(length, body)
        if needed <= len(body):
            self._pass_on(head, head.start + needed if balanced(body[:needed]) else None)
        elif self._grace is None:
            self._grace = asyncio.get_running_loop().call_later(GRACE, self._pass_on, head)

    def _end(self) -> None:
        self.ended = True
        self.end.set()

    def _watch_reading(self) -> None:
        """Check periodically whether the client reads, until the write buffer is empty."""
        if self._reading is None:
            self._unread = math.inf
            self._reading = asyncio.get_running_loop().call_later(UNREAD, self._look_at_reading)

    def _look_at_reading(self) -> None:
        self._reading = None
        unread = self._transport.get_write_buffer_size() if self._transport is not None else 0
        if self._transport is not None and unread > self._unread - MIN_READ_BYTES:
            structlog.get_logger().warning("a client does not read its answer", client=self.address)
            self._transport.abort()
        elif unread:
            before = float(unread)
            self._watch_reading()
            self._unread = before

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._seconds < math.inf:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._slow)

    def _slow(self) -> None:
        """Reject a slow request, unless its head was passed on; the reader of its body has a time limit of its own."""
        if self.standing is ConnectionState.RECEIVING and (self._held is not None or self._head is None):
            self.send_away(408, too_slow(self._seconds))

    def _pass_on(self, head: Head, end: int | None = None) -> None:
        """Pass the buffered bytes on. If `end` is given, it replaces the end of the body that the head states."""
        if self._held is None:
            return
        lines, body = bytes(self._held[: head.start - 2]), bytes(self._held[head.start :])
        self.hasty = bool(body.strip()) and end is None and (head.bare or len(body) > (head.length or len(body)))
        if end is not None:
            length = b"%d" % (end - head.start)
            first, last = head.named
            lines = lines[:first] + length + lines[last:] if last else lines + b"Content-Length: " + length + b"\r\n"
        if not head.hosted:
            lines += b"Host: -\r\n"
        self._release(lines + b"\r\n" + body)

    def _release(self, data: bytes) -> None:
        self._held = None
        if self._grace is not None:
            self._grace.cancel()
        self._inner.data_received(data)


def connection_of(request: web.Request) -> Connection | None:
    """Return the connection of a request; None if another protocol class handles it."""
    protocol = request.transport.get_protocol() if request.transport else None
    return protocol if isinstance(protocol, Connection) else None
