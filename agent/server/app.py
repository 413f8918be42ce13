"""The HTTP skin: reads a message from a request, asks what to answer, and writes that exactly as managers need it.

Every answer has an exact Content-Length and ``Content-Type: text/acl``, is neither chunked nor compressed, closes the
connection, and lets pages from anywhere read it (browser-based managers).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from aiohttp import web

from agent.errors import ProtocolError
from agent.protocol.infix import is_call, spoken
from agent.protocol.messages import Message, Play
from agent.protocol.read import decode, decode_path, read_message
from agent.server.connection import Connection
from agent.server.matches import Matches
from agent.settings import ServerSettings
from search.clock import Clock

LONG = 64 << 10
"""Characters from which on a message is read in a thread, for the event loop to go on meanwhile."""

HEADERS = {
    "Content-Type": "text/acl",
    "Connection": "close",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, GET, OPTIONS",
    "Access-Control-Allow-Headers": "Content-Type, Sender, Receiver, Accept",
    "Access-Control-Allow-Private-Network": "true",
    "Access-Control-Max-Age": "86400",
    "X-Content-Type-Options": "nosniff",
    "Server": "ggp-agent",
}


class Handlers:
    """The request handlers of one agent."""

    def __init__(self, matches: Matches, settings: ServerSettings, clock: Clock) -> None:
        self._matches = matches
        self._settings = settings
        self._clock = clock

    async def post(self, request: web.Request) -> web.Response:
        """A message in the body."""
        return await self._serve(request, decode)

    async def get(self, request: web.Request) -> web.Response:
        """A message in the path, the legacy form; the bare path asks for INFO."""
        path = request.raw_path
        return await self._serve(request, lambda _: decode_path(path) or "INFO")

    async def options(self, _: web.Request) -> web.Response:
        """What a browser asks before it sends a message."""
        return _response("")

    async def _serve(self, request: web.Request, text_of: Callable[[bytes], str]) -> web.Response:
        arrival, gone = self._origin(request)
        log = structlog.get_logger().bind(client=request.remote)
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                body = await request.read()
            text = text_of(body)
            message = await _read(text)
            said = await self._matches.answer(message, arrival, gone)
            return _response(spoken(said) if isinstance(message, Play) and is_call(text) else said)
        except ProtocolError as error:
            log.warning("message refused", reason=str(error), bytes=request.content_length)
            return _response(f"error: {error}", 400)
        except web.HTTPRequestEntityTooLarge:
            log.warning("message too large", bytes=request.content_length)
            return _response(f"error: a message may have at most {self._settings.body_mib:g} MiB", 413)
        except TimeoutError:
            log.warning("message too slow")
            return _response(f"error: a message must be sent within {self._settings.body_seconds:g} s", 408)

    def _origin(self, request: web.Request) -> tuple[float, Callable[[], bool]]:
        """When the request arrived, and whether its client is gone, to be asked later."""
        connection = request.transport.get_protocol() if request.transport else None
        if isinstance(connection, Connection) and connection.arrival is not None:
            return connection.arrival, lambda: connection.ended
        return self._clock.now(), lambda: request.transport is None


async def _read(text: str) -> Message:
    return await asyncio.to_thread(read_message, text) if len(text) > LONG else read_message(text)


def _response(text: str, status: int = 200) -> web.Response:
    response = web.Response(body=text.encode(), status=status, headers=HEADERS)
    response.force_close()
    return response


def make_app(matches: Matches, settings: ServerSettings, clock: Clock) -> web.Application:
    """The application: POST and GET of messages at any path."""
    app = web.Application(client_max_size=int(settings.body_mib * (1 << 20)))
    handlers = Handlers(matches, settings, clock)
    app.router.add_post("/{path:.*}", handlers.post)
    app.router.add_get("/{path:.*}", handlers.get)
    app.router.add_options("/{path:.*}", handlers.options)
    return app
