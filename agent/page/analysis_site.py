"""HTTP handlers of the analysis board: trees of positions, and search results as events."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web

from agent.page.errors import PageError, RefereeError
from agent.page.events import Sections, Shown, stream
from agent.page.host import Host
from agent.page.requests import Doors, answered, number_of, text_of, unknown, written
from agent.page.sheets import Sheet
from agent.page.sources import Sources
from agent.page.study import MAX_NODES, Node, Studies, Study, follow_all

MAX_SECONDS = 3600.0
UNFIT = "the moves of this record do not fit these rules: {}; choose the game that was played"
"""Message for a record with moves that are not legal."""
MAX_MOVES = 1_000
"""Maximum number of roles in a joint move."""


class AnalysisSite:
    """The endpoints of the analysis board."""

    def __init__(self, host: Host, doors: Doors, sources: Sources, studies: Studies, closing: asyncio.Event) -> None:
        self._host = host
        self._doors = doors
        self._sources = sources
        self._studies = studies
        self._closing = closing
        self._drawing = asyncio.Lock()
        self._shown: Shown[Study] = Shown()

    def add_routes(self, app: web.Application) -> None:
        """Add all routes below /api/analysis and /api/sheets."""
        add, doors = app.router, self._doors
        add.add_post("/api/sheets", doors.guarded(self._keep))
        add.add_get("/api/sheets/{key}", doors.seen(self._sheet))
        add.add_post("/api/analysis", doors.guarded(self._open))
        add.add_get("/api/analysis/{key}", doors.seen(self._tree))
        add.add_get("/api/analysis/{key}/rules", doors.seen(self._rules))
        add.add_get("/api/analysis/{key}/events", doors.seen(self._events))
        add.add_get("/api/analysis/{key}/nodes/{node:[0-9]{1,5}}", doors.seen(self._node))
        add.add_post("/api/analysis/{key}/try", doors.guarded(self._try))
        add.add_post("/api/analysis/{key}/place", doors.guarded(self._place))
        add.add_post("/api/analysis/{key}/think", doors.guarded(self._think))

    async def _open(self, asked: dict[str, Any], _: web.Request) -> web.Response:
        """Start an analysis; a line with an illegal move is cut there, and a ``record`` with one is refused."""
        source = await self._sources.of(asked)
        study = await self._studies.open(source.title, source.rules)
        study.named = {kind: asked[kind] for kind in ("game", "url", "match") if kind in asked}
        note = ""
        try:
            await follow_all(study, source.joints, source.facts)
        except (PageError, RefereeError) as error:
            if asked.get("record"):
                self._studies.drop(study)
                raise PageError(UNFIT.format(error)) from None
            note = str(error)
        return answered({**_told(study), "note": note})

    async def _tree(self, request: web.Request) -> web.Response:
        """An analysis with all its positions."""
        study = self._studies.get(request.match_info["key"])
        return answered(_told(study)) if study else await unknown(request)

    async def _rules(self, request: web.Request) -> web.Response:
        """The title and the rules of an analysis."""
        study = self._studies.get(request.match_info["key"])
        return answered({"title": study.title, "rules": study.rules}) if study else await unknown(request)

    async def _keep(self, asked: dict[str, Any], _: web.Request) -> web.Response:
        """Store rules that are too long for a link; answer their key."""
        source = await self._sources.of({key: asked[key] for key in ("rules", "name") if key in asked})
        return answered({"sheet": self._sources.sheets.keep(Sheet(source.title, source.rules))})

    async def _sheet(self, request: web.Request) -> web.Response:
        """The title and the text of stored rules."""
        sheet = self._sources.sheets.get(request.match_info["key"])
        return answered({"title": sheet.title, "rules": sheet.rules})

    async def _node(self, request: web.Request) -> web.Response:
        """One position of an analysis with its board and its legal moves."""
        study = self._study(request)
        return await self._shown_node(study, study.node(int(request.match_info["node"])))

    async def _try(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        """The position after the moves ``joint`` at ``node``; without ``joint``, ``node`` with another role to move."""
        study, node = self._study(request), int(number_of(asked, "node", 0, MAX_NODES))
        joint = asked.get("joint")
        if joint is None:
            return await self._shown_node(study, await study.swap(node))
        if not isinstance(joint, list) or len(joint) > MAX_MOVES or not all(isinstance(move, str) for move in joint):
            raise PageError("`joint` must be a list with one move per role")
        return await self._shown_node(study, await study.follow(node, joint))

    async def _place(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        """Add a position that is given by its facts."""
        study = self._study(request)
        return await self._shown_node(study, await study.place(text_of(asked, "facts")))

    async def _think(self, asked: dict[str, Any], request: web.Request) -> web.Response:
        """Start or stop the search of a position."""
        study = self._study(request)
        node = None if asked.get("node") is None else int(number_of(asked, "node", 0, MAX_NODES))
        role = None if asked.get("role") is None else int(number_of(asked, "role", 0, len(study.roles) - 1))
        seconds = number_of(asked, "seconds", 0.1, MAX_SECONDS) if "seconds" in asked else None
        study.touch()
        searches = node is None or self._studies.may_search(study)
        study.think(node if searches else None, role, seconds)
        return answered({"searches": searches})

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events of an analysis: the search results, and whether a search may start."""
        study = self._studies.get(request.match_info["key"])
        if study is None:
            return await unknown(request)

        def told() -> dict[str, Any]:
            number = study.searched
            about = None if number is None else study.nodes[number]
            thought = (
                None if about is None else {"node": number, "figures": about.figures, "values": study.values(about)}
            )
            return {"thought": thought, "free": self._studies.free(study)}

        signal = self._host.gallery.signal
        study.watchers += 1
        study.touch()
        try:
            return await stream(request, self._shown.of(study, lambda: Sections(signal, told)), signal, self._closing)
        finally:
            study.watchers -= 1
            study.touch()

    async def _shown_node(self, study: Study, node: Node) -> web.Response:
        """Return a position; draw it in a thread, one at a time."""
        async with self._drawing:
            text = await asyncio.to_thread(lambda: json.dumps(study.view(node), allow_nan=False))
        return written(text)

    def _study(self, request: web.Request) -> Study:
        study = self._studies.get(request.match_info["key"])
        if study is None:
            raise PageError("this analysis was closed: it was unused, or another one started; start a new one")
        return study


def _told(study: Study) -> dict[str, Any]:
    """Return the whole tree; the page opens it at the end of the main line."""
    return {
        "key": study.key,
        "title": study.title,
        "source": study.named or None,
        "roles": study.roles,
        "opposed": study.opposed,
        "points": study.points,
        "nodes": [study.entry(node) for node in study.nodes],
    }
