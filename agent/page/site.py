"""HTTP handlers of the page: static files, JSON data, event streams and the play view.

Only pages of the agent's own origin may change anything: such a request must be JSON, and its Origin header, if
present, must equal the address that it was sent to, which must be one of the agent's. No response repeats request data.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
from dataclasses import replace
from typing import Any

from aiohttp import web

from agent.errors import ProtocolError
from agent.gamemaster.games import bundled, bundled_game, catalogue
from agent.page.analysis_site import AnalysisSite
from agent.page.archive import Archive
from agent.page.assets import HEADERS, Asset, assets, gamemaster
from agent.page.begun_at import begun_at
from agent.page.drawing import Drawing
from agent.page.errors import PageError
from agent.page.events import Sections, Shown, stream
from agent.page.game_plan import GameWish
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.looks import Looks
from agent.page.match_views import Replays, position, record, summary
from agent.page.person_game import PersonGame, PersonGames
from agent.page.readers import Readers
from agent.page.relay import Relay
from agent.page.requests import CROWDED, Doors, Handler, answered, clock_of, long_answer, number_of, text_of, unknown
from agent.page.sheets import Sheet
from agent.page.sketches import Sketches
from agent.page.sources import MAX_LINE, Source, Sources
from agent.page.story import MAX_STEPS, story
from agent.page.study import Studies
from agent.page.view_models import agent_view, match_view, person_game_view, thinking_view
from agent.protocol.read import decode
from agent.server.answers import answer
from agent.server.connection import connection_of
from agent.server.long_texts import LongTexts
from agent.server.networks import prefix
from agent.server.origins import UNKNOWN_NAME
from agent.server.receive import let_go
from agent.server.token import NEEDED, REALM

HINT = 2.0
"""Search time of a hint in seconds."""
MAX_SIMULATIONS = 1_000_000
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
        self._tables_shown: Shown[PersonGame] = Shown()
        self._replays = Replays()
        readers = Readers(host)
        self._tables = PersonGames(host, readers)
        self._studies = Studies(host, readers)
        self._analysis = AnalysisSite(host, self.doors, self._sources, self._studies, self._closing)
        self._texts = LongTexts()
        self._relay = Relay(host, self._texts)
        self._assets = assets()
        self._version = importlib.metadata.version("ggp-agent")

    def close(self) -> None:
        """End the games and the event streams."""
        self._closing.set()
        self._gallery.signal.change()
        self._tables.close()
        self._studies.close()
        self._looks.close()

    def keep(self, sheet: Sheet) -> str:
        """Store rules for a link and return their key. Raises PageError if they are too long."""
        return self._sources.sheets.keep(sheet)

    def add_routes(self, app: web.Application, otherwise: Handler) -> None:
        """Add all routes of the page; `otherwise` answers a GET of / that does not accept HTML."""

        async def index(request: web.Request) -> web.StreamResponse:
            """The page for a browser; other clients get the answer to an INFO message."""
            if "text/html" in request.headers.get("Accept", ""):
                return self._index(request)
            return await otherwise(request)

        add, doors = app.router, self.doors
        add.add_get("/", index)
        add.add_get("/page/{name}", doors.admitted(self._file))
        add.add_get("/gamemaster.html", doors.admitted(self._gamemaster))
        add.add_post("/gamemaster", self._relayed)
        add.add_options("/gamemaster", self._relay_asked)
        add.add_get("/api/events", doors.seen(self._events))
        add.add_get("/api/games", doors.seen(self._games))
        add.add_get("/api/games/{name}", doors.seen(self._rules))
        add.add_get("/api/games/{name}/sketch", doors.seen(self._sketch))
        add.add_get("/api/position/{step:[0-9]{1,5}}", doors.seen(self._watched_position))
        add.add_get("/api/matches/{key:[0-9]{1,9}}", doors.seen(self._match))
        add.add_get("/api/matches/{key:[0-9]{1,9}}/record.json", doors.seen(self._record))
        add.add_get("/api/matches/{key:[0-9]{1,9}}/final", doors.seen(self._final))
        add.add_get("/api/matches/{key:[0-9]{1,9}}/rules", doors.seen(self._match_rules))
        add.add_post("/api/matches/{key:[0-9]{1,9}}/delete", doors.guarded(self._delete))
        add.add_post("/api/check", doors.guarded(self._check))
        add.add_post("/api/play", doors.guarded(self._play))
        add.add_get("/api/play/{key}", doors.seen(self._table_at))
        add.add_get("/api/play/{key}/rules", doors.seen(self._table_rules))
        add.add_get("/api/play/{key}/events", doors.seen(self._table_events))
        add.add_get("/api/play/{key}/position/{step:[0-9]{1,5}}", doors.seen(self._table_position))
        add.add_post("/api/play/{key}/move", doors.guarded(self._move))
        add.add_post("/api/play/{key}/await", doors.guarded(self._await))
        add.add_post("/api/play/{key}/again", doors.guarded(self._again))
        add.add_post("/api/play/{key}/hint", doors.guarded(self._hint))
        add.add_post("/api/play/{key}/leave", doors.guarded(self._leave))
        self._analysis.add_routes(app)
        add.add_route("*", "/api/{rest:.*}", doors.admitted(unknown))

    def _index(self, request: web.Request) -> web.Response:
        """The page, or a form for the token; ``?token=`` sets the cookie and leads to the page's plain address."""
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
        """The bridge page, which connects a Gamemaster tab to the agent, at the address that this request used."""
        host = request.headers.get("Host", "-")
        known = host != "-" and self._origins.known(request)
        return _sent(gamemaster(f"{request.scheme}://{host}{prefix.get()}" if known else self.address))

    async def _relay_asked(self, _: web.Request) -> web.Response:
        """The CORS headers that a browser asks for before it posts a message to the bridge."""
        return web.Response(headers=RELAY_HEADERS)

    async def _relayed(self, request: web.Request) -> web.Response:
        """The reply to a Gamemaster message that the bridge forwards, with the address that it is for."""
        if not self._host.token.admits(request):
            return web.json_response({"error": NEEDED}, status=401, headers=RELAY_HEADERS | REALM)
        connection = connection_of(request)
        if connection is not None and not connection.asks_page():
            return web.json_response({"error": CROWDED}, status=503, headers=RELAY_HEADERS)
        try:
            text = decode(await request.read())
            let_go(request)
            told = await self._relay.answer(text, obeyed=self._origins.obeyed(request), sender=request.remote or "")
        except ProtocolError as error:
            return web.json_response({"error": str(error)}, status=400, headers=RELAY_HEADERS)
        return web.json_response({"to": told[0], "text": told[1]} if told else {}, headers=RELAY_HEADERS)

    async def _events(self, request: web.Request) -> web.StreamResponse:
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
            "agent": agent_view(self._host, self._version),
            "match": match_view(running) if running else None,
            "story": story(running.log, MAX_STEPS) if running else None,
            "thinking": thinking_view(running.log) if running else None,
            "history": [summary(log) for log in self._gallery.history.all()],
        }

    async def _games(self, _: web.Request) -> web.Response:
        """The catalogue of bundled games."""
        return answered(catalogue())

    async def _rules(self, request: web.Request) -> web.Response:
        """The name and the rules of a bundled game."""
        name = request.match_info["name"]
        if name not in bundled():
            return await unknown(request)
        return answered({"name": name, "rules": bundled_game(name).text})

    async def _sketch(self, request: web.Request) -> web.Response:
        """A drawing of the initial position of a bundled game."""
        name = request.match_info["name"]
        return answered(await self._sketches.of(name)) if name in bundled() else await unknown(request)

    async def _match(self, request: web.Request) -> web.StreamResponse:
        """A match with all its positions and figures."""
        log = await self._log_of(request)
        return await long_answer(request, await self._replays.text(log)) if log else await unknown(request)

    async def _record(self, request: web.Request) -> web.StreamResponse:
        """The record of a match as a JSON download."""
        log = await self._log_of(request)
        if log is None:
            return await unknown(request)
        name = f"match-{log.key}-{round(log.began)}.json"
        text = await asyncio.to_thread(lambda: json.dumps(record(log), indent=1, allow_nan=False))
        return await long_answer(request, text, {"Content-Disposition": f'attachment; filename="{name}"'})

    async def _final(self, request: web.Request) -> web.Response:
        """The final position of a match."""
        log = await self._log_of(request)
        return answered(position(log)) if log else await unknown(request)

    async def _match_rules(self, request: web.Request) -> web.Response:
        """The title and the rules of a match."""
        log = await self._log_of(request)
        if log is None or not log.rules:
            return await unknown(request)
        return answered({"title": log.title, "rules": log.rules})

    async def _delete(self, _asked: dict[str, Any], request: web.Request) -> web.Response:
        """Delete a match and its journals."""
        log = self._gallery.history.remove(int(request.match_info["key"]))
        if log is None:
            return await unknown(request)
        self._gallery.signal.change()
        await self.archive.forget(log)
        return answered({})

    async def _watched_position(self, request: web.Request) -> web.Response:
        """An earlier position of the running match."""
        return await self._earlier(self._gallery.log_of(request.query.get("match", "")), request)

    async def _table_at(self, request: web.Request) -> web.Response:
        """The key, title and phase of a game against the agent."""
        table = self._tables.get(request.match_info["key"])
        if table is None:
            return await unknown(request)
        return answered({"key": table.key, "title": table.plan.title, "phase": table.phase})

    async def _table_rules(self, request: web.Request) -> web.Response:
        """The title and the rules of a game against the agent."""
        table = self._tables.get(request.match_info["key"])
        if table is None:
            return await unknown(request)
        return answered({"title": table.plan.title, "rules": table.plan.rules})

    async def _await(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        """Choose whether the agent's next move waits for the compiled circuit."""
        self._table(request).patience(wanted=asked.get("wait") is True)
        return answered({})

    async def _table_position(self, request: web.Request) -> web.Response:
        """An earlier position of a game against the agent."""
        table = self._tables.get(request.match_info["key"])
        return await self._earlier(table.log if table else None, request)

    async def _earlier(self, log: MatchLog | None, request: web.Request) -> web.Response:
        """The position after ``step`` joint moves, or 404."""
        step = int(request.match_info["step"])
        if log is None or step >= len(log.moments):
            return await unknown(request)
        await self._drawing.draw(log)
        return answered(position(log, step)) if step < len(log.moments) else await unknown(request)

    async def _log_of(self, request: web.Request) -> MatchLog | None:
        log = self._gallery.history.get(int(request.match_info["key"]))
        if log is not None:
            await self.archive.fill(log)
            await self._looks.find(log)
            await self._drawing.draw(log)
        return log

    async def _check(self, asked: dict[str, Any], _: web.Request) -> web.Response:
        """The diagnostics and the roles of a rulesheet."""
        rules = (await self._sources.of(asked)).rules if "url" in asked else text_of(asked, "rules")
        return answered(await self._tables.check(rules))

    async def _play(self, asked: dict[str, Any], _: web.Request) -> web.Response:
        """Start a game against the agent; answer its key."""
        source = await self._source(asked)
        role = None if asked.get("role") is None else text_of(asked, "role")
        clocks = clock_of(asked, "startClock"), clock_of(asked, "playClock")
        if max(clocks) > (longest := self._host.settings.clock.longest):
            raise PageError(f"a clock has at most {longest:g} seconds; raise the setting clock.longest to allow more")
        level = int(number_of(asked, "simulations", 0, MAX_SIMULATIONS)) if "simulations" in asked else 0
        wish = GameWish(source, role, *clocks, level, random=asked.get("random") is True)
        table = await self._tables.open(wish)
        return answered({"key": table.key})

    async def _source(self, asked: dict[str, Any]) -> Source:
        """Find the rules to play: from `Sources` or from a ``study``, starting at ``facts`` if given."""
        if "study" in asked:
            study = self._studies.get(text_of(asked, "study"))
            if study is None:
                raise PageError("this analysis was closed; start a new one")
            asked = {**asked, "rules": study.rules, "name": study.title}
        source = await self._sources.of(asked)
        if not source.facts:
            return source
        rules = await self._texts.read(lambda: begun_at(source.rules, source.facts), len(source.rules))
        return replace(source, rules=rules)

    async def _again(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        """Start the same game again from the position after ``step`` joint moves; answer the new key."""
        role = None if asked.get("role") is None else text_of(asked, "role")
        step = int(number_of(asked, "step", 0, MAX_LINE))
        table = await self._tables.again(self._table(request), role, step)
        return answered({"key": table.key})

    async def _hint(self, _asked: dict[str, Any], request: web.Request) -> web.Response:
        """The move that the agent suggests to the person."""
        table = self._table(request)
        if table.hides:
            raise PageError("hints are not available in games with hidden information")
        return answered(await self._studies.hint(table.log, table.plan.role, HINT))

    async def _table_events(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events of a game against the agent: its state, its moves and the search."""
        table = self._tables.get(request.match_info["key"])
        if table is None:
            return await unknown(request)

        def told() -> dict[str, Any]:
            return {
                "table": person_game_view(table, self._running(table)),
                "story": story(table.log, MAX_STEPS),
                "thinking": thinking_view(table.log),
            }

        def sections() -> Sections:
            return Sections(self._gallery.signal, told, lambda: self._drawing.draw(table.log))

        table.watchers += 1
        try:
            return await stream(request, self._tables_shown.of(table, sections), self._gallery.signal, self._closing)
        finally:
            table.watchers -= 1
            table.touch()

    def _running(self, table: PersonGame) -> tuple[float, float] | None:
        found = (self._gallery.running(match_id) for match_id in table.match_ids)
        return next((running.asked for running in found if running and running.asked), None)

    async def _move(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        """Make the person's move."""
        step = asked.get("step")
        if not isinstance(step, int):
            raise PageError("`step` must be a whole number")
        self._table(request).choose(step, text_of(asked, "move"))
        return answered({})

    async def _leave(self, _asked: dict[str, Any], request: web.Request) -> web.Response:
        """End a game against the agent."""
        self._table(request).leave()
        return answered({})

    def _table(self, request: web.Request) -> PersonGame:
        table = self._tables.get(request.match_info["key"])
        if table is None:
            raise PageError("this game no longer exists; start a new one")
        return table


def _sent(asset: Asset) -> web.Response:
    return web.Response(body=asset.body, headers=asset.headers)
