"""HTTP handlers of the page: static files, JSON data, event streams and the play view.

Only pages of the agent's own origin may change state. A request that changes state must be JSON. Its Host must be a
name of the agent, and its Origin header, if present, must match this Host. No response repeats request data.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from aiohttp import web

from agent.boards.svg import as_svg
from agent.errors import ProtocolError
from agent.gamemaster.games import BundledGame, bundled, bundled_game, catalogue
from agent.page.analyses import Analyses
from agent.page.analysis_site import AnalysisSite
from agent.page.animations import Animations
from agent.page.answers import (
    AgentEvents,
    Animation,
    Image,
    NamedRules,
    PositionView,
    Puzzle,
    Refusal,
    RelayAnswer,
    ReplayView,
    Sketch,
    TitledRules,
)
from agent.page.archive import Archive
from agent.page.assets import HEADERS, Asset, assets, gamemaster
from agent.page.drawing import Drawing
from agent.page.errors import UnknownError
from agent.page.events import Sections, stream
from agent.page.games.opponent_list import opponents_of
from agent.page.games.people_games import PeopleGames
from agent.page.games.person_games import PersonGames
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.looks import Looks
from agent.page.match_views import Replays, earlier, position, record, summary
from agent.page.people_site import PeopleSite
from agent.page.play_site import PlaySite
from agent.page.puzzle_sets import puzzle_games, puzzles_of
from agent.page.readers import Readers
from agent.page.relay import Relay
from agent.page.report_site import ReportSite
from agent.page.requested import AnimationRequest, Nothing
from agent.page.requests import CROWDED, Doors, Handler, long_answer, unknown
from agent.page.schema import JSON, Endpoint, Events, openapi
from agent.page.sheets import Sheet
from agent.page.sketches import Sketches
from agent.page.sources import Sources
from agent.page.story import MAX_STEPS, story
from agent.page.view_models import agent_view, match_view, thinking_view
from agent.protocol.read import decode
from agent.resources import own_version
from agent.server.answers import answer
from agent.server.connection import connection_of
from agent.server.long_texts import LongTexts
from agent.server.networks import prefix
from agent.server.origins import UNKNOWN_NAME
from agent.server.receive import let_go
from agent.server.token import NEEDED, REALM

RELAYED = ("browser", "message")
"""Names that a player page of Gamemaster adds to a message (`agent.page.relay`)."""
RELAY_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Allow-Private-Network": "true",
    "Access-Control-Max-Age": "86400",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Server": "ggp-agent",
}
"""Pages of any origin may use the relay, because Gamemaster's origin is not known in advance."""


class Site:
    """The page of one agent. `address` is the agent's URL for browsers."""

    def __init__(self, host: Host) -> None:
        opponents_of(host.settings.page.opponents)  # raises SettingsError before the agent serves
        self._host = host
        self._origins = host.origins
        self._gallery = host.gallery
        self._closing = asyncio.Event()
        self.address = f"http://127.0.0.1:{host.settings.server.port}"
        self.doors = Doors(host.origins, host.token)
        self.archive = Archive(host)
        self._sources = Sources(host, self.archive)
        self._sketches = Sketches(host)
        self._looks = Looks(host)
        self._drawing = Drawing()
        self._shown = Sections(host.gallery.signal, self._sections, self._draw_current)
        self._replays = Replays()
        self._animations = Animations()
        readers = Readers(host)
        self._tables = PersonGames(host, readers)
        self._analyses = Analyses(host, readers)
        self._analysis = AnalysisSite(host, self._sources, self._analyses, self._closing)
        self._report = ReportSite(host, self._sources, readers)
        texts = LongTexts()
        self._relay = Relay(host, texts)
        self._people = PeopleGames(host, readers)
        told = self._sources, self._tables, self._analyses, self._drawing, texts, self._closing
        self._play = PlaySite(host, *told)
        self._people_site = PeopleSite(host, self._play.source, self._people, self._drawing, self._closing)
        self._assets = assets()
        self._version = own_version()

    def close(self) -> None:
        """End the games and the event streams."""
        self._closing.set()
        self._gallery.signal.change()
        self._tables.close()
        self._people.close()
        self._analyses.close()
        self._report.reports.close()
        self._looks.close()

    def keep(self, sheet: Sheet) -> str:
        """Store rules for a link and return their key. Raises PageError if they are too long."""
        return self._sources.sheets.keep(sheet)

    def add_routes(self, app: web.Application, otherwise: Handler | None = None) -> None:
        """Add all routes of the page; `otherwise`, if given, answers a GET of / that does not accept HTML."""

        async def index(request: web.Request) -> web.StreamResponse:
            """The page; on the managers' port, other clients than browsers get the answer to an INFO message."""
            if otherwise is None or "text/html" in request.headers.get("Accept", ""):
                return self._index(request)
            return await otherwise(request)

        add, doors = app.router, self.doors
        add.add_get("/", index)
        add.add_get("/page/{name}", doors.admitted(self._file))
        add.add_get("/gamemaster.html", doors.admitted(self._gamemaster))
        add.add_options("/gamemaster", self._relay_asked)
        for endpoint in self.endpoints():
            handler = doors.of(endpoint) if endpoint.takes == JSON else endpoint.handler
            (add.add_get if endpoint.method == "GET" else add.add_post)(endpoint.path, handler)
        add.add_route("*", "/api/{rest:.*}", doors.admitted(unknown))

    def endpoints(self) -> list[Endpoint]:
        """Return all addresses for programs; /api/openapi.json describes them."""
        return [
            Endpoint("POST", "/gamemaster", self._relayed, "text/plain"),
            Endpoint("GET", "/api/openapi.json", self._described),
            Endpoint("GET", "/api/events", self._events),
            Endpoint("GET", "/api/games", self._games),
            Endpoint("GET", "/api/games/{name}", self._rules),
            Endpoint("GET", "/api/games/{name}/sketch", self._sketch),
            Endpoint("GET", "/api/games/{name}/puzzles", self._puzzles),
            Endpoint("GET", "/api/puzzles", self._puzzle_games),
            Endpoint("GET", "/api/position/{step:[0-9]{1,5}}", self._watched_position),
            Endpoint("GET", "/api/matches/{key:[0-9]{1,9}}", self._match),
            Endpoint("GET", "/api/matches/{key:[0-9]{1,9}}/record.json", self._record),
            Endpoint("GET", "/api/matches/{key:[0-9]{1,9}}/final", self._final),
            Endpoint("GET", "/api/matches/{key:[0-9]{1,9}}/rules", self._match_rules),
            Endpoint("GET", "/api/matches/{key:[0-9]{1,9}}/steps/{step:[0-9]{1,5}}/svg", self._svg),
            Endpoint("POST", "/api/matches/{key:[0-9]{1,9}}/delete", self._delete),
            Endpoint("POST", "/api/animations", self._animation),
            *self._play.endpoints(),
            *self._people_site.endpoints(),
            *self._analysis.endpoints(),
            *self._report.endpoints(),
        ]

    def _index(self, request: web.Request) -> web.Response:
        """The page, or a form for the token; ``?token=`` sets the cookie and redirects to the address without it."""
        token = self._host.token
        if not self._origins.known(request):
            return answer(f"error: {UNKNOWN_NAME}", 403)
        if "token" in request.query and token.equals(request.query["token"]):
            response = web.Response(status=303, headers=HEADERS | {"Location": "./", "Cache-Control": "no-store"})
            token.remember(request, response)
            return response
        if not token.admits(request) or (token.needed and "token" in request.query):
            form = self._assets["token.html"]
            policy = form.headers["Content-Security-Policy"].replace("form-action 'none'", "form-action 'self'")
            return web.Response(
                body=form.body, status=401, headers={**form.headers, **REALM, "Content-Security-Policy": policy}
            )
        return _sent(self._assets["index.html"])

    async def _file(self, request: web.Request) -> web.Response:
        """A script, style sheet or picture of the page."""
        asset = self._assets.get(request.match_info["name"])
        return _sent(asset) if asset else await unknown(request)

    async def _gamemaster(self, request: web.Request) -> web.Response:
        """The bridge page, which connects a Gamemaster tab to the agent at the address of this request."""
        host = request.headers.get("Host", "-")
        known = host != "-" and self._origins.known(request)
        return _sent(gamemaster(f"{request.scheme}://{host}{prefix.get()}" if known else self.address))

    async def _relay_asked(self, _: web.Request) -> web.Response:
        """The CORS headers that a browser requests before it posts a message to the bridge."""
        return web.Response(headers=RELAY_HEADERS)

    async def _relayed(self, request: web.Request) -> Annotated[web.Response, RelayAnswer]:
        """The reply to a Gamemaster message in infix (`text/plain`), with the receiver of the reply."""
        if not self._host.token.admits(request):
            return web.json_response({"error": NEEDED}, status=401, headers=RELAY_HEADERS | REALM)
        connection = connection_of(request)
        if connection is not None and not connection.asks_page():
            return web.json_response({"error": CROWDED}, status=503, headers=RELAY_HEADERS)
        try:
            text = decode(await request.read())
            let_go(request)
            obeyed, names = self._origins.obeyed(request), {key: request.query.get(key, "") for key in RELAYED}
            reply = await self._relay.answer(text, obeyed=obeyed, sender=request.remote or "", **names)
        except ProtocolError as error:
            return web.json_response({"error": str(error)}, status=400, headers=RELAY_HEADERS)
        return web.json_response({"to": reply[0], "text": reply[1]} if reply else {}, headers=RELAY_HEADERS)

    async def _described(self, _: web.Request) -> Mapping[str, Any]:
        """The description of the endpoints in the form of OpenAPI 3.1."""
        return openapi(self.endpoints(), Refusal, self._version)

    async def _events(self, request: web.Request) -> Annotated[web.StreamResponse, Events(AgentEvents)]:
        """Server-sent events: the agent, the running match, its moves, the search and the list of matches."""
        return await stream(request, self._shown, self._gallery.signal, self._closing)

    async def _draw_current(self) -> None:
        running = self._gallery.current()
        if running and not running.owned:
            self._looks.want(running.log)
        if running:
            await self._drawing.draw(running.log)

    def _sections(self) -> dict[str, Any]:
        running = self._gallery.current()
        return {
            "agent": agent_view(self._host),
            "match": match_view(running) if running else None,
            "story": story(running.log, MAX_STEPS) if running else None,
            "thinking": thinking_view(running.log) if running else None,
            "history": [summary(log) for log in self._gallery.history.all()],
        }

    async def _games(self, _: web.Request) -> Sequence[BundledGame]:
        """The catalogue of bundled games."""
        return catalogue()

    async def _rules(self, request: web.Request) -> NamedRules:
        """The name and the rules of a bundled game."""
        name = self._bundled(request)
        return {"name": name, "rules": bundled_game(name).text}

    async def _sketch(self, request: web.Request) -> Sketch:
        """A drawing of the initial position of a bundled game."""
        return await self._sketches.of(self._bundled(request))

    async def _puzzle_games(self, _: web.Request) -> Sequence[str]:
        """The names of the bundled games with puzzles."""
        return puzzle_games()

    async def _puzzles(self, request: web.Request) -> Sequence[Puzzle]:
        """The puzzles of a bundled game."""
        name = request.match_info["name"]
        if name not in puzzle_games():
            raise UnknownError
        return puzzles_of(name)

    @staticmethod
    def _bundled(request: web.Request) -> str:
        """Return the bundled game that a request names. Raises UnknownError."""
        name = request.match_info["name"]
        if name not in bundled():
            raise UnknownError
        return name

    async def _match(self, request: web.Request) -> Annotated[web.StreamResponse, ReplayView]:
        """A match with all its positions and figures."""
        return await long_answer(request, await self._replays.text(await self._log_of(request)))

    async def _record(self, request: web.Request) -> Annotated[web.StreamResponse, Mapping[str, Any]]:
        """The record of a match as a JSON download, in the form of ggp.org."""
        log = await self._log_of(request)
        name = f"match-{log.key}-{round(log.began)}.json"
        text = await asyncio.to_thread(lambda: json.dumps(record(log), indent=1, allow_nan=False))
        return await long_answer(request, text, {"Content-Disposition": f'attachment; filename="{name}"'})

    async def _final(self, request: web.Request) -> PositionView:
        """The final position of a match."""
        return position(await self._log_of(request))

    async def _match_rules(self, request: web.Request) -> TitledRules:
        """The title and the rules of a match."""
        log = await self._log_of(request)
        if not log.rules:
            raise UnknownError
        return {"title": log.title, "rules": log.rules}

    async def _svg(self, request: web.Request) -> Annotated[web.StreamResponse, Image]:
        """The picture of a position of a match as an SVG image."""
        view = await earlier(await self._log_of(request), request, self._drawing)
        assert view["picture"] is not None
        svg = await asyncio.to_thread(as_svg, view["picture"])
        return await long_answer(request, json.dumps({"svg": svg}))

    async def _animation(
        self, asked: AnimationRequest, request: web.Request
    ) -> Annotated[web.StreamResponse, Animation]:
        """Write an animated picture of the frames, which the page has drawn."""
        async with self._animations.written(asked) as text:
            return await long_answer(request, text)

    async def _delete(self, _asked: Nothing, request: web.Request) -> Nothing:
        """Delete a match and its journals."""
        key = int(request.match_info["key"])
        log = self._gallery.history.get(key)
        if log is None:
            raise UnknownError
        await self.archive.forget(log)
        self._gallery.history.remove(key)
        self._gallery.signal.change()
        return {}

    async def _watched_position(self, request: web.Request) -> PositionView:
        """An earlier position of the running match with the id ``match``, a parameter of the query."""
        return await earlier(self._gallery.log_of(request.query.get("match", "")), request, self._drawing)

    async def _log_of(self, request: web.Request) -> MatchLog:
        """Return the match of a request, drawn. Raises UnknownError."""
        log = self._gallery.history.get(int(request.match_info["key"]))
        if log is None:
            raise UnknownError
        await self.archive.fill(log)
        await self._looks.find(log)
        await self._drawing.draw(log)
        return log


def _sent(asset: Asset) -> web.Response:
    return web.Response(body=asset.body, headers=asset.headers)
