"""HTTP handlers for game managers: read a message, get the reply, and write it in the form that managers expect.

Every response has an exact Content-Length and ``Content-Type: text/acl``, is neither chunked nor compressed, closes the
connection, and is readable across origins (for browser-based managers).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST

from agent.errors import CrowdedError, ProtocolError
from agent.protocol.infix import is_call, spoken
from agent.protocol.messages import Abort, ImperfectPlay, Play, Start, Stop
from agent.protocol.read import decode, decode_path, read_message
from agent.server.answers import answer
from agent.server.connection import Connection, connection_of
from agent.server.handler import clear_refusals
from agent.server.long_texts import LongTexts
from agent.server.matches import Matches
from agent.server.networks import forwarding
from agent.server.origins import REFUSED, Origins
from agent.server.receive import let_go, receiving
from agent.server.token import NEEDED, REALM, Token
from agent.settings import ServerSettings
from search.clock import Clock

ANY = r"/{path:[\s\S]*}"
"""Any path; a message in the path may contain line breaks."""
CHANGING = (Start, Play, Stop, Abort)
"""Messages that change state; pages of other sites must not send them."""


class Handlers:
    """The request handlers of one agent."""

    def __init__(self, matches: Matches, clock: Clock, origins: Origins) -> None:
        self._matches = matches
        self._clock = clock
        self._origins = origins
        self._texts = LongTexts()

    async def post(self, request: web.Request) -> web.Response:
        """Return the reply to a message in the body."""
        return await self._serve(request, decode)

    async def get(self, request: web.Request) -> web.Response:
        """Return the reply to a message in the path (legacy form); an empty path means INFO."""
        path = request.raw_path
        return await self._serve(request, lambda _: decode_path(path) or "INFO")

    async def options(self, _: web.Request) -> web.Response:
        """Return the CORS headers that a browser asks for before it posts a message."""
        return answer("")

    async def _serve(self, request: web.Request, text_of: Callable[[bytes], str]) -> web.Response:
        connection = connection_of(request)
        arrival = connection.arrival if connection is not None and connection.arrival is not None else self._clock.now()
        try:
            text = text_of(await request.read())
            message = await self._texts.read(partial(read_message, text), len(text))
            if isinstance(message, CHANGING) and not self._origins.obeyed(request):
                return self._foreign(request)
            in_infix = isinstance(message, Play | ImperfectPlay) and is_call(text)
            del text
            let_go(request)
            sender = request.remote or ""
            said = await self._matches.answer(message, arrival, lambda: _gone(request, connection), sender)
            return answer(spoken(said) if in_infix else said)
        except CrowdedError as error:
            self._matches.metrics.error("too many connections")
            return answer(f"error: {error}", 503)
        except ProtocolError as error:
            log = structlog.get_logger().bind(client=request.remote)
            log.warning("message refused", reason=str(error), bytes=request.content_length)
            self._matches.metrics.error("message refused")
            return answer(f"error: {error}", 400)

    def _foreign(self, request: web.Request) -> web.Response:
        structlog.get_logger().warning("a page of another site is refused", origin=request.headers.get("Origin"))
        self._matches.metrics.error("foreign page")
        return answer(REFUSED, 403)


class Operations:
    """Monitoring endpoints: ``GET /healthz`` and ``GET /metrics``."""

    def __init__(self, matches: Matches, token: Token) -> None:
        self._matches = matches
        self._token = token

    async def health(self, _: web.Request) -> web.Response:
        """Return the status as JSON: 200 if a match can start or is running, else 503 with the reason."""
        state = self._matches.state
        healthy = state in ("available", "busy")
        told: dict[str, str | int] = {"status": state, "matches": len(self._matches)}
        if self._matches.lanes:
            told["lanes"] = self._matches.lanes
        if self._matches.trouble:
            told["trouble"] = self._matches.trouble
        body = json.dumps(told)
        return answer(body + "\n", 200 if healthy else 503, "application/json")

    async def metrics(self, request: web.Request) -> web.Response:
        """Return the metrics in the Prometheus text format; unlike `/healthz`, requests need the page's token."""
        if not self._token.admits(request):
            refusal = answer(f"error: {NEEDED}\n", 401, "text/plain")
            refusal.headers.update(REALM)
            return refusal
        return answer(self._matches.metrics.text(), content_type=CONTENT_TYPE_LATEST)


def _gone(request: web.Request, connection: Connection | None) -> bool:
    """Whether the client has closed its side of the connection."""
    return connection.ended if connection is not None else request.transport is None


def new_app(matches: Matches, settings: ServerSettings, clock: Clock) -> web.Application:
    """Return an application without routes; it applies the limits that hold for every request."""
    return web.Application(
        client_max_size=int(settings.body_mib * (1 << 20)),
        middlewares=[forwarding(settings), clear_refusals, receiving(settings, clock, matches.metrics)],
    )


def make_app(
    matches: Matches,
    settings: ServerSettings,
    clock: Clock,
    origins: Origins,
    token: Token,
    add_page: Callable[[web.Application, Handler], None],
) -> web.Application:
    """Return the application: messages are answered at every path that the page does not use."""
    app = new_app(matches, settings, clock)
    handlers = Handlers(matches, clock, origins)
    operations = Operations(matches, token)
    app.router.add_get("/healthz", operations.health)
    app.router.add_get("/metrics", operations.metrics)
    add_page(app, handlers.get)
    app.router.add_post(ANY, handlers.post)
    app.router.add_get(ANY, handlers.get)
    app.router.add_options(ANY, handlers.options)
    return app
