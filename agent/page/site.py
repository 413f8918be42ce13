"""The page's HTTP skin: files, data as JSON and as events, and the requests of the play view.

Only pages of the agent's own origin may change anything: a request that does is JSON, its Origin, where a browser names
one, is the address it was sent to, and that is known to be the agent's. No answer repeats anything that was sent.
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
from agent.page.assets import Asset, assets, gamemaster
from agent.page.begun_at import begun_at
from agent.page.drawing import Drawing
from agent.page.errors import PageError
from agent.page.events import Sections, Shown, stream
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.looks import Looks
from agent.page.match_views import Replays, position, record, summary
from agent.page.person_game import GameWish, PersonGame, PersonGames
from agent.page.readers import Readers
from agent.page.relay import Relay
from agent.page.requests import CROWDED, Doors, Handler, answered, clock_of, long_answer, number_of, text_of, unknown
from agent.page.sketches import Sketches
from agent.page.sources import MAX_LINE, Source, Sources
from agent.page.story import MAX_STEPS, story
from agent.page.study import Studies
from agent.page.view_models import agent_view, match_view, person_game_view, thinking_view
from agent.protocol.read import decode
from agent.server.answers import answer
from agent.server.connection import connection_of
from agent.server.long_texts import LongTexts
from agent.server.origins import UNKNOWN_NAME
from agent.server.receive import let_go

HINT = 2.0
"""Seconds that a hint takes."""
MAX_SIMULATIONS = 1_000_000
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
        self._closing = asyncio.Event()
        self.address = f"http://127.0.0.1:{host.settings.server.port}"
        self._doors = Doors(host.origins)
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
        self._analysis = AnalysisSite(host, self._doors, self._sources, self._studies, self._closing)
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

    def add_routes(self, app: web.Application, otherwise: Handler) -> None:
        """Everything of the page; `otherwise` answers a GET of / that no browser sends."""

        async def index(request: web.Request) -> web.StreamResponse:
            if "text/html" in request.headers.get("Accept", ""):
                if not self._origins.known(request):
                    return answer(f"error: {UNKNOWN_NAME}", 403)
                return _sent(self._assets["index.html"])
            return await otherwise(request)

        add, doors = app.router, self._doors
        add.add_get("/", index)
        add.add_get("/page/{name}", self._file)
        add.add_get("/gamemaster.html", self._gamemaster)
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
        add.add_post("/api/matches/{key:[0-9]{1,9}}/delete", doors.guarded(self._delete))
        add.add_post("/api/check", doors.guarded(self._check))
        add.add_post("/api/play", doors.guarded(self._play))
        add.add_get("/api/play/{key}/events", doors.seen(self._table_events))
        add.add_get("/api/play/{key}/position/{step:[0-9]{1,5}}", doors.seen(self._table_position))
        add.add_post("/api/play/{key}/move", doors.guarded(self._move))
        add.add_post("/api/play/{key}/again", doors.guarded(self._again))
        add.add_post("/api/play/{key}/hint", doors.guarded(self._hint))
        add.add_post("/api/play/{key}/leave", doors.guarded(self._leave))
        self._analysis.add_routes(app)
        add.add_route("*", "/api/{rest:.*}", unknown)

    async def _file(self, request: web.Request) -> web.Response:
        asset = self._assets.get(request.match_info["name"])
        return _sent(asset) if asset else await unknown(request)

    async def _gamemaster(self, _: web.Request) -> web.Response:
        return _sent(gamemaster(self.address))

    async def _relay_asked(self, _: web.Request) -> web.Response:
        return web.Response(headers=RELAY_HEADERS)

    async def _relayed(self, request: web.Request) -> web.Response:
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
        return answered(catalogue())

    async def _rules(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in bundled():
            return await unknown(request)
        return answered({"name": name, "rules": bundled_game(name).text})

    async def _sketch(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        return answered(await self._sketches.of(name)) if name in bundled() else await unknown(request)

    async def _match(self, request: web.Request) -> web.StreamResponse:
        log = await self._log_of(request)
        return await long_answer(request, await self._replays.text(log)) if log else await unknown(request)

    async def _record(self, request: web.Request) -> web.StreamResponse:
        log = await self._log_of(request)
        if log is None:
            return await unknown(request)
        name = f"match-{log.key}-{round(log.began)}.json"
        text = await asyncio.to_thread(lambda: json.dumps(record(log), indent=1, allow_nan=False))
        return await long_answer(request, text, {"Content-Disposition": f'attachment; filename="{name}"'})

    async def _final(self, request: web.Request) -> web.Response:
        """The last position of a match."""
        log = await self._log_of(request)
        return answered(position(log)) if log else await unknown(request)

    async def _delete(self, _asked: dict[str, Any], request: web.Request) -> web.Response:
        """Forget a match, and delete its journals."""
        log = self._gallery.history.remove(int(request.match_info["key"]))
        if log is None:
            return await unknown(request)
        self._gallery.signal.change()
        await self.archive.forget(log)
        return answered({})

    async def _watched_position(self, request: web.Request) -> web.Response:
        """An earlier position of the match at hand."""
        return await self._earlier(self._gallery.log_of(request.query.get("match", "")), request)

    async def _table_position(self, request: web.Request) -> web.Response:
        table = self._tables.get(request.match_info["key"])
        return await self._earlier(table.log if table else None, request)

    async def _earlier(self, log: MatchLog | None, request: web.Request) -> web.Response:
        """The position of a match after so many steps, where it is kept."""
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
        rules = (await self._sources.of(asked)).rules if "url" in asked else text_of(asked, "rules")
        return answered(await self._tables.check(rules))

    async def _play(self, asked: dict[str, Any], _: web.Request) -> web.Response:
        source = await self._source(asked)
        role = None if asked.get("role") is None else text_of(asked, "role")
        clocks = clock_of(asked, "startClock"), clock_of(asked, "playClock")
        if max(clocks) > (longest := self._host.settings.clock.longest):
            raise PageError(f"clocks are {longest:g} seconds at most on this agent; the setting clock.longest says so")
        level = int(number_of(asked, "simulations", 0, MAX_SIMULATIONS)) if "simulations" in asked else 0
        table = await self._tables.open(GameWish(source, role, *clocks, level))
        return answered({"key": table.key})

    async def _source(self, asked: dict[str, Any]) -> Source:
        """What is to be played: what `Sources` knows, or the rules of a ``study``, begun at ``facts`` where given."""
        if "study" in asked:
            study = self._studies.get(text_of(asked, "study"))
            if study is None:
                raise PageError("this analysis was closed; begin it anew")
            asked = {**asked, "rules": study.rules}
        source = await self._sources.of(asked)
        if not source.facts:
            return source
        rules = await self._texts.read(lambda: begun_at(source.rules, source.facts), len(source.rules))
        return replace(source, rules=rules)

    async def _again(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        """The game of a table once more, from the position after ``step`` joint moves."""
        role = None if asked.get("role") is None else text_of(asked, "role")
        step = int(number_of(asked, "step", 0, MAX_LINE))
        table = await self._tables.again(self._table(request), role, step)
        return answered({"key": table.key})

    async def _hint(self, _asked: dict[str, Any], request: web.Request) -> web.Response:
        """What the agent would play in the person's place."""
        table = self._table(request)
        if table.hides:
            raise PageError("there are no hints in a game in which something is hidden")
        return answered(await self._studies.hint(table.log, table.plan.role, HINT))

    async def _table_events(self, request: web.Request) -> web.StreamResponse:
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

    def _running(self, table: PersonGame) -> tuple[float, float] | None:
        found = (self._gallery.running(match_id) for match_id in table.match_ids)
        return next((running.asked for running in found if running and running.asked), None)

    async def _move(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        step = asked.get("step")
        if not isinstance(step, int):
            raise PageError("`step` must be a whole number")
        self._table(request).choose(step, text_of(asked, "move"))
        return answered({})

    async def _leave(self, _asked: dict[str, Any], request: web.Request) -> web.Response:
        self._table(request).leave()
        return answered({})

    def _table(self, request: web.Request) -> PersonGame:
        table = self._tables.get(request.match_info["key"])
        if table is None:
            raise PageError("this game is not known any more; begin a new one")
        return table


def _sent(asset: Asset) -> web.Response:
    return web.Response(body=asset.body, headers=asset.headers)
