"""The page's HTTP skin: files, data as JSON and as events, and the requests of the play view.

Only pages of the agent's own origin may change anything: a request that does is JSON, its Origin, where a browser names
one, is the address it was sent to, and that is known to be the agent's. No answer repeats anything that was sent.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from agent.errors import AgentError, ProtocolError
from agent.gamemaster.games import bundled, bundled_game, catalogue
from agent.page.archive import PASTED, Archive
from agent.page.assets import HEADERS, Asset, assets, gamemaster
from agent.page.errors import PageError, RulesFaultError
from agent.page.events import stream
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.match_views import position, record, replay, summary
from agent.page.person_game import PersonGame, PersonGames
from agent.page.relay import Relay
from agent.page.story import MAX_STEPS, story
from agent.page.view_models import agent_view, match_view, person_game_view, thinking_view
from agent.server.answers import answer
from agent.server.origins import UNKNOWN_NAME

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
MAX_CLOCK = 3600.0
MIN_CLOCK = 0.1
RELAY_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    "Access-Control-Allow-Headers": "Content-Type",
    "Access-Control-Allow-Private-Network": "true",
    "Access-Control-Max-Age": "86400",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Server": "ggp-agent",
}
"""The relay is asked by a page of Gamemaster's origin, whatever that is, as managers' pages ask the agent."""


class Site:
    """The page of one agent. `address` is where browsers find the agent."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._origins = host.origins
        self._gallery = host.gallery
        self.address = f"http://127.0.0.1:{host.settings.server.port}"
        self._tables = PersonGames(host)
        self.archive = Archive(host)
        self._relay = Relay(host)
        self._assets = assets()
        self._closing = asyncio.Event()
        self._version = importlib.metadata.version("ggp-agent")

    def close(self) -> None:
        """End the games and the event streams."""
        self._closing.set()
        self._gallery.signal.change()
        self._tables.close()

    def add_routes(self, app: web.Application, otherwise: Handler) -> None:
        """Everything of the page; `otherwise` answers a GET of / that no browser sends."""

        async def index(request: web.Request) -> web.StreamResponse:
            if "text/html" in request.headers.get("Accept", ""):
                if not self._origins.known(request):
                    return answer(f"error: {UNKNOWN_NAME}", 403)
                return _sent(self._assets["index.html"])
            return await otherwise(request)

        add = app.router
        add.add_get("/", index)
        add.add_get("/page/{name}", self._file)
        add.add_get("/gamemaster.html", self._gamemaster)
        add.add_post("/gamemaster", self._relayed)
        add.add_options("/gamemaster", self._relay_asked)
        add.add_get("/api/events", self._seen(self._events))
        add.add_get("/api/games", self._seen(self._games))
        add.add_get("/api/games/{name}", self._seen(self._rules))
        add.add_get("/api/position/{step:[0-9]{1,5}}", self._seen(self._watched_position))
        add.add_get("/api/matches/{key:[0-9]{1,9}}", self._seen(self._match))
        add.add_get("/api/matches/{key:[0-9]{1,9}}/record.json", self._seen(self._record))
        add.add_post("/api/check", self._guarded(self._check))
        add.add_post("/api/play", self._guarded(self._play))
        add.add_get("/api/play/{key}/events", self._seen(self._table_events))
        add.add_get("/api/play/{key}/position/{step:[0-9]{1,5}}", self._seen(self._table_position))
        add.add_post("/api/play/{key}/move", self._guarded(self._move))
        add.add_post("/api/play/{key}/leave", self._guarded(self._leave))
        add.add_route("*", "/api/{rest:.*}", unknown)

    def _seen(self, handler: Handler) -> Handler:
        """`handler` for those who ask for the agent by a name of its own."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if not self._origins.known(request):
                return _json({"error": UNKNOWN_NAME}, 403)
            return await handler(request)

        return handle

    def _guarded(self, handler: Callable[[dict[str, Any], web.Request], Awaitable[web.Response]]) -> Handler:
        """`handler` for JSON that a page of our own has sent; what it refuses becomes JSON with a reason."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if not self._origins.own(request):
                return _json({"error": "only the agent's own page may ask this"}, 403)
            if request.content_type != "application/json":
                return _json({"error": "JSON is expected"}, 415)
            try:
                return await handler(_object(await request.read()), request)
            except RulesFaultError as error:
                return _json({"error": str(error), "faults": error.faults}, 422)
            except AgentError as error:
                return _json({"error": str(error)}, 400)

        return self._seen(handle)

    async def _file(self, request: web.Request) -> web.Response:
        asset = self._assets.get(request.match_info["name"])
        return _sent(asset) if asset else await unknown(request)

    async def _gamemaster(self, _: web.Request) -> web.Response:
        return _sent(gamemaster(self.address))

    async def _relay_asked(self, _: web.Request) -> web.Response:
        return web.Response(headers=RELAY_HEADERS)

    async def _relayed(self, request: web.Request) -> web.Response:
        try:
            text = (await request.read()).decode("utf-8")
            told = await self._relay.answer(text, obeyed=self._origins.obeyed(request))
        except (ProtocolError, UnicodeDecodeError) as error:
            reason = str(error) if isinstance(error, ProtocolError) else "the message is not text"
            return web.json_response({"error": reason}, status=400, headers=RELAY_HEADERS)
        return web.json_response({"to": told[0], "text": told[1]} if told else {}, headers=RELAY_HEADERS)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        def sections() -> dict[str, Any]:
            running = self._gallery.current()
            return {
                "agent": agent_view(self._host, self._version),
                "match": match_view(running) if running else None,
                "story": story(running.log, MAX_STEPS) if running else None,
                "thinking": thinking_view(running.log) if running else None,
                "history": [summary(log) for log in self._gallery.history.all()],
                "time": _connected,
            }

        _connected = round(time.time() * 1000)
        return await stream(request, sections, self._gallery.signal, self._closing)

    async def _games(self, _: web.Request) -> web.Response:
        return _json(catalogue())

    async def _rules(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in bundled():
            return await unknown(request)
        return _json({"name": name, "rules": bundled_game(name).text})

    async def _match(self, request: web.Request) -> web.Response:
        log = await self._log_of(request)
        return _json(replay(log)) if log else await unknown(request)

    async def _record(self, request: web.Request) -> web.Response:
        log = await self._log_of(request)
        if log is None:
            return await unknown(request)
        name = f"match-{log.key}-{round(log.began)}.json"
        return _json(record(log), headers={"Content-Disposition": f'attachment; filename="{name}"'}, indent=1)

    async def _watched_position(self, request: web.Request) -> web.Response:
        """An earlier position of the match at hand."""
        log = self._gallery.log_of(request.query.get("match", ""))
        return await _earlier(log, request)

    async def _table_position(self, request: web.Request) -> web.Response:
        table = self._tables.get(request.match_info["key"])
        return await _earlier(table.log if table else None, request)

    async def _log_of(self, request: web.Request) -> MatchLog | None:
        log = self._gallery.history.get(int(request.match_info["key"]))
        if log is not None:
            await self.archive.fill(log)
        return log

    async def _check(self, asked: dict[str, Any], _: web.Request) -> web.Response:
        return _json(await self._tables.check(_text(asked, "rules")))

    async def _play(self, asked: dict[str, Any], _: web.Request) -> web.Response:
        if "game" in asked:
            title = _text(asked, "game")
            if title not in bundled():
                raise PageError("there is no such bundled game; `ggp-agent games` lists them")
            rules = bundled_game(title).text
        else:
            title, rules = PASTED, _text(asked, "rules")
        role = None if asked.get("role") is None else _text(asked, "role")
        clocks = _clock(asked, "startClock"), _clock(asked, "playClock")
        table = await self._tables.open(title, rules, role, *clocks)
        return _json({"key": table.key})

    async def _table_events(self, request: web.Request) -> web.StreamResponse:
        table = self._tables.get(request.match_info["key"])
        if table is None:
            return await unknown(request)

        def sections() -> dict[str, Any]:
            return {
                "time": _connected,
                "table": person_game_view(table, self._running(table)),
                "story": story(table.log, MAX_STEPS),
                "thinking": thinking_view(table.log),
            }

        _connected = round(time.time() * 1000)
        table.watchers += 1
        try:
            return await stream(request, sections, self._gallery.signal, self._closing)
        finally:
            table.watchers -= 1

    def _running(self, table: PersonGame) -> tuple[float, float] | None:
        found = (self._gallery.running(match_id) for match_id in table.match_ids)
        return next((running.asked for running in found if running and running.asked), None)

    async def _move(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        step = asked.get("step")
        if not isinstance(step, int):
            raise PageError("`step` must be a whole number")
        self._table(request).choose(step, _text(asked, "move"))
        return _json({})

    async def _leave(self, _asked: dict[str, Any], request: web.Request) -> web.Response:
        self._table(request).leave()
        return _json({})

    def _table(self, request: web.Request) -> PersonGame:
        table = self._tables.get(request.match_info["key"])
        if table is None:
            raise PageError("this game is not known any more; begin a new one")
        return table


async def unknown(_: web.Request) -> web.Response:
    """There is nothing at this address."""
    return _json({"error": "there is nothing here"}, 404)


async def _earlier(log: MatchLog | None, request: web.Request) -> web.Response:
    """The position of a match after so many steps, where it is kept."""
    step = int(request.match_info["step"])
    if log is None or step >= len(log.moments):
        return await unknown(request)
    return _json(position(log, step))


def _object(body: bytes) -> dict[str, Any]:
    """The JSON object of a request. Raises PageError."""
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise PageError("the request is not JSON") from None
    if not isinstance(asked, dict):
        raise PageError("an object is expected")
    return asked


def _text(asked: dict[str, Any], key: str) -> str:
    value = asked.get(key)
    if not isinstance(value, str) or not value.strip():
        raise PageError(f"`{key}` must be text")
    return value


def _clock(asked: dict[str, Any], key: str) -> float:
    value = asked.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not MIN_CLOCK <= value <= MAX_CLOCK:
        raise PageError(f"clocks are {MIN_CLOCK:g} to {MAX_CLOCK:g} seconds")
    return float(value)


def _sent(asset: Asset) -> web.Response:
    return web.Response(body=asset.body, headers=asset.headers)


def _json(
    value: object, status: int = 200, headers: dict[str, str] | None = None, indent: int | None = None
) -> web.Response:
    body = json.dumps(value, indent=indent).encode()
    told = {**HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store", **(headers or {})}
    return web.Response(body=body, status=status, headers=told)
