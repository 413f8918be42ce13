"""HTTP handlers of the analysis board: trees of positions, and search results as events."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from aiohttp import web

from agent.boards.edits import EditDomain
from agent.boards.pictures import Picture
from agent.boards.svg import as_svg
from agent.page.analyses import Analyses
from agent.page.analysis import Analysis, Node, follow_all
from agent.page.answers import (
    AnalysisEvents,
    Image,
    NodeView,
    OpenedTree,
    Searches,
    SheetKey,
    StudyKey,
    StudyText,
    TitledRules,
    TreeView,
)
from agent.page.errors import PageError, RefereeError, UnknownError
from agent.page.events import Shown, stream
from agent.page.host import Host
from agent.page.requested import OpenRequest, PlaceRequest, RulesRequest, SheetRequest, ThinkRequest, TryRequest
from agent.page.requests import long_answer, written
from agent.page.schema import Endpoint, Events
from agent.page.sheets import Sheet, Sheets
from agent.page.sources import Sources, facts_of
from agent.page.view_models import agent_view

UNFIT = "the moves of this record do not fit these rules: {}; choose the game that was played"
"""Message for a record with moves that are not legal."""
DrawnNode = Annotated[web.Response, NodeView]
"""A response whose text is written in a thread."""


class AnalysisSite:
    """The endpoints of the analysis board."""

    def __init__(self, host: Host, sources: Sources, analyses: Analyses, closing: asyncio.Event) -> None:
        self._host = host
        self._sources = sources
        self._analyses = analyses
        self._closing = closing
        self._drawing = asyncio.Lock()
        self._studies = Sheets("study")
        self._shown = Shown(host.gallery.signal, self._sections)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints below /api/analysis, /api/sheets and /api/studies."""
        return [
            Endpoint("POST", "/api/sheets", self._keep),
            Endpoint("GET", "/api/sheets/{key}", self._sheet),
            Endpoint("POST", "/api/studies", self._keep_study),
            Endpoint("GET", "/api/studies/{key}", self._study),
            Endpoint("POST", "/api/analysis", self._open),
            Endpoint("GET", "/api/analysis/{key}", self._tree),
            Endpoint("GET", "/api/analysis/{key}/rules", self._rules),
            Endpoint("GET", "/api/analysis/{key}/events", self._events),
            Endpoint("GET", "/api/analysis/{key}/nodes/{node:[0-9]{1,5}}", self._node),
            Endpoint("GET", "/api/analysis/{key}/nodes/{node:[0-9]{1,5}}/svg", self._svg),
            Endpoint("POST", "/api/analysis/{key}/try", self._try),
            Endpoint("POST", "/api/analysis/{key}/place", self._place),
            Endpoint("POST", "/api/analysis/{key}/think", self._think),
            Endpoint("GET", "/api/analysis/{key}/domain", self._domain),
            Endpoint("POST", "/api/analysis/{key}/draw", self._draw),
        ]

    async def _open(self, asked: OpenRequest, _: web.Request) -> OpenedTree:
        """Start an analysis; its line ends before an illegal move, but with ``record`` the request is refused."""
        source = await self._sources.of(asked)
        analysis = await self._analyses.open(source)
        analysis.named = {kind: value for kind, value in asked.items() if kind in ("game", "url", "match")}
        note = ""
        try:
            await follow_all(analysis, source.joints, source.facts)
        except (PageError, RefereeError) as error:
            if asked.get("record") and all(source.joints):
                self._analyses.drop(analysis)
                raise PageError(UNFIT.format(error)) from None
            note = str(error)
        return {**analysis.tree(), "note": note}

    async def _tree(self, request: web.Request) -> TreeView:
        """An analysis with all its positions."""
        return self._found(request).tree()

    async def _rules(self, request: web.Request) -> TitledRules:
        """The title and the rules of an analysis."""
        analysis = self._found(request)
        return {"title": analysis.title, "rules": analysis.rules}

    async def _keep(self, asked: SheetRequest, _: web.Request) -> SheetKey:
        """Store rules that are too long for a link, and return their key."""
        named: RulesRequest = {"rules": asked["rules"], "name": asked.get("name")}
        source = await self._sources.of(named)
        return {"sheet": self._sources.sheets.keep(Sheet(source.title, source.rules))}

    async def _sheet(self, request: web.Request) -> TitledRules:
        """The title and the text of stored rules."""
        sheet = self._sources.sheets.get(request.match_info["key"])
        return {"title": sheet.title, "rules": sheet.rules}

    async def _keep_study(self, asked: StudyText, _: web.Request) -> StudyKey:
        """Store a study, the JSON text that the page saves, and return its key."""
        return {"study": self._studies.keep(Sheet("study", asked["study"]))}

    async def _study(self, request: web.Request) -> Annotated[web.StreamResponse, StudyText]:
        """The JSON text of a stored study."""
        study = self._studies.get(request.match_info["key"])
        return await long_answer(request, await asyncio.to_thread(lambda: json.dumps({"study": study.rules})))

    async def _svg(self, request: web.Request) -> Annotated[web.StreamResponse, Image]:
        """The picture of a position of an analysis as an SVG image."""
        analysis = self._analysis(request)
        node = analysis.node(int(request.match_info["node"]))
        async with self._drawing:
            text = await asyncio.to_thread(lambda: json.dumps({"svg": as_svg(analysis.drawn(node))}))
        return await long_answer(request, text)

    async def _node(self, request: web.Request) -> DrawnNode:
        """One position of an analysis with its board and its legal moves."""
        analysis = self._analysis(request)
        return await self._drawn(analysis, analysis.node(int(request.match_info["node"])))

    async def _try(self, asked: TryRequest, request: web.Request) -> DrawnNode:
        """The position after ``joint`` at ``node``; without ``joint``, position ``node`` with another role to move."""
        analysis, joint = self._analysis(request), asked.get("joint")
        if joint is None:
            return await self._drawn(analysis, await analysis.swap(asked["node"]))
        return await self._drawn(analysis, await analysis.follow(asked["node"], joint))

    async def _place(self, asked: PlaceRequest, request: web.Request) -> DrawnNode:
        """Add a position that is given by its facts."""
        analysis = self._analysis(request)
        return await self._drawn(analysis, await analysis.place(asked["facts"]))

    async def _think(self, asked: ThinkRequest, request: web.Request) -> Searches:
        """Start or stop the search of a position; if too many analyses search, the analysis waits in the queue."""
        analysis, node = self._analysis(request), asked.get("node")
        analysis.touch()
        searches = node is None or self._analyses.may_search(analysis)
        analysis.think(node if searches else None, asked.get("role"), asked.get("seconds"))
        return {"searches": searches}

    async def _domain(self, request: web.Request) -> Annotated[web.StreamResponse, EditDomain]:
        """The facts that may be placed in a position of an analysis."""
        analysis = self._analysis(request)
        async with self._drawing:
            text = await asyncio.to_thread(lambda: json.dumps(analysis.domain()))
        return await long_answer(request, text)

    async def _draw(self, asked: PlaceRequest, request: web.Request) -> Annotated[web.Response, Picture]:
        """The picture of any facts; nothing is added to the analysis."""
        analysis, facts = self._analysis(request), facts_of(asked["facts"])
        async with self._drawing:
            text = await asyncio.to_thread(lambda: json.dumps(analysis.sketch(facts), allow_nan=False))
        return written(text)

    async def _events(self, request: web.Request) -> Annotated[web.StreamResponse, Events(AnalysisEvents)]:
        """Server-sent events of an analysis: the search results, and its place in the queue."""
        analysis, signal = self._found(request), self._host.gallery.signal
        analysis.watchers += 1
        analysis.touch()
        try:
            return await stream(request, self._shown.of(analysis), signal, self._closing)
        finally:
            analysis.watchers -= 1
            analysis.touch()

    def _sections(self, analysis: Analysis) -> dict[str, object]:
        """Return `AnalysisEvents` without the time."""
        number = analysis.searched
        about = None if number is None else analysis.nodes[number]
        thought = (
            None if about is None else {"node": number, "figures": about.figures, "values": analysis.values(about)}
        )
        return {
            "agent": agent_view(self._host),
            "closed": analysis.closed or None,
            "thought": thought,
            "free": self._analyses.free(analysis),
            "queue": self._analyses.waiting(analysis),
        }

    async def _drawn(self, analysis: Analysis, node: Node) -> DrawnNode:
        """Return a position; draw it in a thread, one at a time."""
        async with self._drawing:
            text = await asyncio.to_thread(lambda: json.dumps(analysis.view(node), allow_nan=False))
        return written(text)

    def _found(self, request: web.Request) -> Analysis:
        """Return the analysis of a request. Raises UnknownError."""
        analysis = self._analyses.get(request.match_info["key"])
        if analysis is None:
            raise UnknownError
        return analysis

    def _analysis(self, request: web.Request) -> Analysis:
        """Return the analysis of a request. Raises PageError, with possible reasons, if it was closed."""
        try:
            return self._found(request)
        except UnknownError:
            raise PageError(
                "this analysis was closed: it was unused, its process ended, or another one started; start a new one"
            ) from None
