"""Middleware that receives the whole body in time before the handler runs, or answers with an error."""

from __future__ import annotations

import asyncio

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from agent.errors import ProtocolError
from agent.server.answers import answer
from agent.server.connection import Connection, connection_of, too_slow
from agent.server.metrics import Metrics
from agent.settings import ServerSettings
from search.clock import Clock

IDENTITY = "identity"
ENCODED = "compressed messages are not read; send the message as it is, without Content-Encoding"
BROKEN = "the message ends before its Content-Length or its last chunk"


def receiving(settings: ServerSettings, clock: Clock, metrics: Metrics) -> Middleware:
    """Create the middleware. In handlers behind it, ``await request.read()`` returns at once."""

    def refused(request: web.Request, what: str, text: str, status: int) -> web.Response:
        structlog.get_logger().warning(what, client=request.remote, bytes=request.content_length)
        metrics.error(what)
        return answer(f"error: {text}", status)

    @web.middleware
    async def received(request: web.Request, handler: Handler) -> web.StreamResponse:
        connection = connection_of(request)
        since = connection.arrival if connection is not None and connection.arrival is not None else clock.now()
        if request.headers.get("Content-Encoding", IDENTITY).strip().lower() != IDENTITY:
            return refused(request, "compressed message", ENCODED, 415)
        try:
            async with asyncio.timeout(max(since + settings.body_seconds - clock.now(), 0.0)):
                await _body(request, connection)
        except ProtocolError as error:
            return refused(request, "message refused", str(error), 400)
        except web.HTTPRequestEntityTooLarge:
            return refused(request, "message too large", f"a message may have at most {settings.body_mib:g} MiB", 413)
        except TimeoutError:
            return refused(request, "message too slow", too_slow(settings.body_seconds).removeprefix("error: "), 408)
        return await _answered(request, handler, connection)

    return received


def let_go(request: web.Request) -> None:
    """Release the parsed body, so that it uses no memory while the answer is computed."""
    request._read_bytes = b""  # aiohttp keeps the body until the request ends
    if (connection := connection_of(request)) is not None:
        connection.understood()


async def answered_while_there(request: web.Request, handler: Handler) -> web.StreamResponse | None:
    """Run a handler of the page; cancel it and return None if its client leaves.

    Unlike old managers, browsers never half-close a connection.
    """
    connection = connection_of(request)
    if connection is None:
        return await handler(request)
    answering = asyncio.ensure_future(handler(request))
    ending = asyncio.ensure_future(connection.end.wait())
    try:
        await asyncio.wait((answering, ending), return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            return answering.result()
        answering.cancel()
        await asyncio.wait((answering,))
        return None
    finally:
        answering.cancel()
        ending.cancel()


async def _answered(request: web.Request, handler: Handler, connection: Connection | None) -> web.StreamResponse:
    if connection is None:
        return await handler(request)
    connection.answering()
    try:
        response = await handler(request)
    finally:
        connection.answered()
    if connection.ended or connection.hasty:  # the client cannot send another request, or has pipelined one
        response.force_close()
    return response


async def _body(request: web.Request, connection: Connection | None) -> None:
    """Receive the whole body. Raises ProtocolError if the client closes its side early."""
    if connection is None or request.content.is_eof():
        await request.read()
        return
    reading = asyncio.ensure_future(request.read())
    ending = asyncio.ensure_future(connection.end.wait())
    try:
        await asyncio.wait((reading, ending), return_when=asyncio.FIRST_COMPLETED)
        if not (reading.done() or request.content.is_eof()):
            raise ProtocolError(BROKEN)
        await reading
    finally:
        reading.cancel()
        ending.cancel()
