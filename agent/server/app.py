"""The HTTP skin: reads a message from a request, asks what to answer, and writes that exactly as managers need it.

Every answer has an exact Content-Length and ``Content-Type: text/acl``, is neither chunked nor compressed, closes the
connection, and lets pages from anywhere read it (browser-based managers).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from aiohttp import web

from agent.errors import ProtocolError
from agent.protocol.infix import is_call, spoken
from agent.protocol.messages import Message, Play
from agent.protocol.read import decode, decode_path, read_message
from agent.server.answers import answer
from agent.server.connection import Connection, too_slow
from agent.server.handler import clear_refusals
from agent.server.matches import Matches
from agent.server.operations import add_operations
from agent.settings import ServerSettings
from search.clock import Clock

LONG = 64 << 10
"""Characters from which on a message is read in a thread, for the event loop to go on meanwhile."""
READERS = 2
"""Long messages that are read at the same time; the others wait, so that they do not take all time from the loop."""


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Handlers:
    """The request handlers of one agent."""

    def __init__(self, matches: Matches, settings: ServerSettings, clock: Clock) -> None:
        self._matches = matches
        self._settings = settings
        self._clock = clock
        self._readers = asyncio.Semaphore(READERS)

    async def post(self, request: web.Request) -> web.Response:
        """A message in the body."""
        return await self._serve(request, decode)

    async def get(self, request: web.Request) -> web.Response:
        """A message in the path, the legacy form; the bare path asks for INFO."""
        path = request.raw_path
        return await self._serve(request, lambda _: decode_path(path) or "INFO")

    async def options(self, _: web.Request) -> web.Response:
        """What a browser asks before it sends a message."""
        return answer("")

    async def _serve(self, request: web.Request, text_of: Callable[[bytes], str]) -> web.Response:
        connection = _connection(request)
        arrival = connection.arrival if connection is not None and connection.arrival is not None else self._clock.now()
        log = structlog.get_logger().bind(client=request.remote)
        metrics = self._matches.metrics
        try:
            async with asyncio.timeout(max(arrival + self._settings.body_seconds - self._clock.now(), 0.0)):
                body = await _body(request, connection)
            text = text_of(body)
            message = await self._read(text)
            said = await self._matches.answer(message, arrival, lambda: _gone(request, connection))
            return answer(spoken(said) if isinstance(message, Play) and is_call(text) else said)
        except ProtocolError as error:
            log.warning("message refused", reason=str(error), bytes=request.content_length)
            metrics.error("message refused")
            return answer(f"error: {error}", 400)
        except web.HTTPRequestEntityTooLarge:
            log.warning("message too large", bytes=request.content_length)
            metrics.error("message too large")
            return answer(f"error: a message may have at most {self._settings.body_mib:g} MiB", 413)
        except TimeoutError:
            log.warning("message too slow")
            metrics.error("message too slow")
            return answer(too_slow(self._settings.body_seconds), 408)

    async def _read(self, text: str) -> Message:
        if len(text) <= LONG:
            return read_message(text)
        async with self._readers:
            return await asyncio.to_thread(read_message, text)


def _connection(request: web.Request) -> Connection | None:
    protocol = request.transport.get_protocol() if request.transport else None
    return protocol if isinstance(protocol, Connection) else None


def _gone(request: web.Request, connection: Connection | None) -> bool:
    """Whether the client has left, or at least has closed its side."""
    return connection.ended if connection is not None else request.transport is None


async def _body(request: web.Request, connection: Connection | None) -> bytes:
    """The whole body. Raises ProtocolError when the client's side ends before it does."""
    if connection is None:
        return await request.read()
    reading = asyncio.ensure_future(request.read())
    ending = asyncio.ensure_future(connection.end.wait())
    try:
        if not request.content.is_eof():
            await asyncio.wait((reading, ending), return_when=asyncio.FIRST_COMPLETED)
        if not (reading.done() or request.content.is_eof()):
            raise ProtocolError("the message breaks off before the length that its head names, or its last chunk")
        body = await reading
        connection.complete = True
        return body
    finally:
        reading.cancel()
        ending.cancel()


def make_app(
    matches: Matches, settings: ServerSettings, clock: Clock, add_page: Callable[[web.Application, Handler], None]
) -> web.Application:
    """The application: POST and GET of messages at any path that the page does not take."""
    app = web.Application(client_max_size=int(settings.body_mib * (1 << 20)), middlewares=[clear_refusals])
    handlers = Handlers(matches, settings, clock)
    add_operations(app, matches)
    add_page(app, handlers.get)
    app.router.add_post("/{path:.*}", handlers.post)
    app.router.add_get("/{path:.*}", handlers.get)
    app.router.add_options("/{path:.*}", handlers.options)
    return app
