"""One connection, in front of aiohttp's own protocol: notes when a request arrives and forgives old clients.

What old and hand-made clients do and aiohttp does not serve: closing their side of the connection once the request is
sent (the answer must still go out), sending a body without Content-Length, which ends with their side or with its last
parenthesis, lines that end without a carriage return, and HTTP/1.1 without Host.
"""

from __future__ import annotations

import asyncio
import math
import re
from typing import cast

import structlog

from agent.errors import ProtocolError
from agent.protocol.elements import cut
from agent.server.answers import raw_answer
from agent.server.gate import Gate
from search.clock import Clock

HEAD_LIMIT = 64 << 10
"""Bytes of a request's head that are looked at; aiohttp refuses a longer one itself."""
_LENGTH_NAMED = re.compile(rb"\r\n(content-length|transfer-encoding)[ \t]*:", re.IGNORECASE)
_HOST_NAMED = re.compile(rb"\r\nhost[ \t]*:", re.IGNORECASE)
_POST = re.compile(rb"POST [^\r\n]* HTTP/1\.([01])\r\n")
WHOLE = 64 << 10
"""Bytes of a body without a length that are looked at for its end; a longer one ends with the sender's side."""
TLS = b"\x16\x03"
"""How a client begins that was told https."""
HTTPS = "error: this agent speaks http; give its address as http://"


def too_slow(seconds: float) -> str:
    """What a sender is told that takes too long."""
    return f"error: a message must be sent within {seconds:g} s"


class Connection(asyncio.Protocol):
    """Passes everything on to `inner`; holds back only an old POST whose length is not known before its end."""

    def __init__(
        self, inner: asyncio.Protocol, clock: Clock, limit: int, gate: Gate | None = None, seconds: float = math.inf
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._limit = limit  # bytes of a body without a length
        self._gate = gate
        self._seconds = seconds  # that the request may take to come
        self._held: bytearray | None = bytearray()
        self._transport: asyncio.Transport | None = None
        self._refusal: tuple[int, str] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.arrival: float | None = None  # when the first byte of the request came, in seconds of the clock
        self.complete = False  # whether the request has come whole
        self.received = 0  # bytes
        self.ended = False  # whether the client has closed its side
        self._gone = False  # whether it was sent away
        self.end = asyncio.Event()  # set when it does

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client connects."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        if self._gate is not None:
            self._refusal = self._gate.enter(self, peer[0] if isinstance(peer, tuple) else None)
        self._inner.connection_made(transport)
        if self._seconds < math.inf:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._end()
        if self._timer is not None:
            self._timer.cancel()
        if self._gate is not None:
            self._gate.leave(self)
        self._inner.connection_lost(exc)

    def send_away(self, status: int, text: str) -> None:
        """Answer with `text`, whatever the client has asked or not yet asked, and close."""
        self._gone = True
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(raw_answer(status, text))
            self._transport.close()

    def pause_writing(self) -> None:
        """The client reads slower than we write."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._inner.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        if self.arrival is None:
            self.arrival = self._clock.now()
        if self._refusal is not None:
            self.send_away(*self._refusal)
            return
        self.received += len(data)
        if self._gate is not None:
            self._gate.received(len(data))
            if self._gone:
                return
        if self._held is None:
            self._inner.data_received(data)
            return
        self._held += data
        if self._held.startswith(TLS):
            structlog.get_logger().warning("a client speaks https; give it this agent's address as http://")
            self.send_away(400, HTTPS)
            return
        head = self._head_end(self._held)
        if len(self._held) > (HEAD_LIMIT if head < 0 else self._limit):
            self._pass_on(bytes(self._held))
        elif head >= 0 and not self._is_open_ended(head):
            hostless = _HOST_NAMED.search(self._held, 0, head + 2) is None
            self._pass_on(self._with_line(head, b"Host: -") if hostless else bytes(self._held))
        elif head >= 0 and _is_whole(self._held[head + 4 : head + 5 + WHOLE]):
            self._pass_on_with_length(head)

    def eof_received(self) -> bool:
        """The client has sent all; keep our side open when it asked something."""
        self._end()
        head = -1 if self._held is None else self._held.find(b"\r\n\r\n")
        if self._held is not None and head >= 0:
            self._pass_on_with_length(head)
        return self._held is None

    def _end(self) -> None:
        self.ended = True
        self.end.set()

    def _slow(self) -> None:
        """Time is up; once the head has been passed on, those who read the body watch it themselves."""
        if self._held:
            self.send_away(408, too_slow(self._seconds))

    @staticmethod
    def _head_end(held: bytearray) -> int:
        """Where the empty line after the head begins, or -1; lines that end with a line feed alone are mended."""
        bare = held.find(b"\n\n", 0, HEAD_LIMIT)
        if bare >= 0 and b"\r" not in held[:bare]:
            held[: bare + 2] = held[: bare + 2].replace(b"\n", b"\r\n")
        return held.find(b"\r\n\r\n")

    def _is_open_ended(self, head: int) -> bool:
        """Whether a body has no length; in HTTP/1.1 that means no body, unless one comes with the head all the same."""
        assert self._held is not None  # asked while the head is held
        named = _LENGTH_NAMED.search(self._held, 0, head + 2)
        post = _POST.match(self._held)
        return named is None and post is not None and (post[1] == b"0" or len(self._held) > head + 4)

    def _pass_on_with_length(self, head: int) -> None:
        assert self._held is not None  # as above
        self._pass_on(self._with_line(head, b"Content-Length: %d" % (len(self._held) - head - 4)))

    def _with_line(self, head: int, line: bytes) -> bytes:
        """What is held, with one more line at the end of the head."""
        assert self._held is not None  # as above
        return b"%s\r\n%s%s" % (self._held[:head], line, self._held[head:])

    def _pass_on(self, data: bytes) -> None:
        self._held = None
        self.complete = data.startswith(b"GET ")  # there is nothing after its head
        self._inner.data_received(data)


def _is_whole(body: bytearray) -> bool:
    """Whether a body is a whole message already: as many parentheses close as open, and the last one does."""
    if len(body) > WHOLE or not body.rstrip().endswith(b")"):
        return False
    try:
        return bool(cut(body.decode("latin-1"))[0])
    except ProtocolError:
        return False
