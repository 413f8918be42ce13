"""HTTP requests and responses of the page: access checks, JSON in, JSON out."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from aiohttp import web

from agent.errors import AgentError
from agent.page.assets import HEADERS
from agent.page.errors import BusyError, LaterError, PageError, RulesFaultError, UnknownError
from agent.page.schema import JSON, Endpoint, read
from agent.server.connection import connection_of
from agent.server.origins import FOREIGN, UNKNOWN_NAME, Origins
from agent.server.receive import answered_while_there, let_go
from agent.server.token import NEEDED, REALM, Token

asker: ContextVar[str] = ContextVar("asker", default="")
"""Client address of the current request."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
PIECE = 64 << 10
"""Chunk size of a long response in bytes."""
MAX_LISTS = 100_000
"""Maximum number of lists and objects in a request's JSON; all opening brackets count, even inside texts."""
CROWDED = "this agent's page has too many open requests; try again in a moment"


class Doors:
    """Access checks of handlers; see `agent.page.site`."""

    def __init__(self, origins: Origins, token: Token) -> None:
        self._origins = origins
        self._token = token

    def admitted(self, handler: Handler) -> Handler:
        """Wrap `handler`: accept only requests with the token of the settings, if there is one."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if not self._token.admits(request):
                return answered({"error": NEEDED}, 401, REALM)
            return await handler(request)

        return handle

    def of(self, endpoint: Endpoint) -> Handler:
        """Return the handler of an endpoint: it checks access, reads the request, and answers errors as JSON."""
        asks, call = endpoint.asks, endpoint.handler

        async def handle(request: web.Request) -> web.StreamResponse:
            if not self._origins.known(request):
                return answered({"error": UNKNOWN_NAME}, 403)
            connection = connection_of(request)
            if connection is not None and not connection.asks_page():
                return answered({"error": CROWDED}, 503)
            asker.set(request.remote or "")
            try:
                response = await answered_while_there(request, get if asks is None else post)
                return answered({"error": "the client has left"}, 408) if response is None else response
            except UnknownError as error:
                return answered({"error": str(error)}, 404)
            except RulesFaultError as error:
                return answered({"error": str(error), "faults": error.faults}, 422)
            except BusyError as error:
                return answered({"error": str(error), "busy": True}, 409)
            except LaterError as error:
                return answered({"error": str(error)}, 503)
            except AgentError as error:
                return answered({"error": str(error)}, 400)

        async def get(request: web.Request) -> web.StreamResponse:
            return _response(await call(request))

        async def post(request: web.Request) -> web.StreamResponse:
            if not self._origins.own(request):
                return answered({"error": FOREIGN}, 403)
            if request.content_type != JSON:
                return answered({"error": "the content type must be application/json"}, 415)
            asked = read(asks, _object(await request.read()))
            let_go(request)
            return _response(await call(asked, request))

        return self.admitted(handle)


def _response(value: object) -> web.StreamResponse:
    return value if isinstance(value, web.StreamResponse) else answered(value)


async def unknown(_: web.Request) -> web.Response:
    """Answer 404."""
    return answered({"error": str(UnknownError())}, 404)


def answered(
    value: object, status: int = 200, headers: dict[str, str] | None = None, indent: int | None = None
) -> web.Response:
    """Return a JSON response."""
    return written(json.dumps(value, indent=indent, allow_nan=False), status, headers)


def written(text: str, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Return a response with JSON text."""
    fields = {**HEADERS, "Content-Type": JSON, "Cache-Control": "no-store", **(headers or {})}
    return web.Response(body=text.encode(), status=status, headers=fields)


async def long_answer(request: web.Request, text: str, headers: dict[str, str] | None = None) -> web.StreamResponse:
    """Send ASCII JSON text in chunks, so that a slow client takes little memory."""
    fields = {**HEADERS, "Content-Type": JSON, "Cache-Control": "no-store", **(headers or {})}
    response = web.StreamResponse(headers=fields | {"Content-Length": str(len(text))})
    await response.prepare(request)
    for start in range(0, len(text), PIECE):
        await response.write(text[start : start + PIECE].encode("ascii"))
    return response


def _object(body: bytes) -> dict[str, Any]:
    """Parse the JSON object of a request. Raises PageError."""
    if body.count(b"[") + body.count(b"{") > MAX_LISTS:  # parsing blocks the event loop
        raise PageError(f"a request must have at most {MAX_LISTS:,} lists and objects")
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise PageError("the request is not JSON") from None
    if not isinstance(asked, dict):
        raise PageError("the request must be a JSON object")
    return asked
