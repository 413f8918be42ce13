"""HTTP handlers of games against the agent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from aiohttp import web

from agent.page.analyses import Analyses
from agent.page.answers import CheckAnswer, GameKey, GamePhase, Hint, PersonGameEvents, PositionView, TitledRules
from agent.page.begun_at import begun_at
from agent.page.drawing import Drawing
from agent.page.errors import PageError, UnknownError
from agent.page.events import Shown, stream
from agent.page.games.game_plan import GameWish
from agent.page.games.opponents import offered
from agent.page.games.person_game import PersonGame
from agent.page.games.person_games import PersonGames
from agent.page.host import Host
from agent.page.match_views import earlier
from agent.page.requested import (
    AgainRequest,
    AwaitRequest,
    CheckRequest,
    MoveRequest,
    Nothing,
    PlayRequest,
    RulesRequest,
)
from agent.page.schema import Endpoint, Events
from agent.page.sources import Source, Sources
from agent.page.story import MAX_STEPS, story
from agent.page.view_models import agent_view, person_game_view, thinking_view
from agent.server.long_texts import LongTexts

HINT = 2.0
"""Search time of a hint in seconds."""


class PlaySite:
    """The endpoints of games against the agent."""

    def __init__(
        self,
        host: Host,
        sources: Sources,
        games: PersonGames,
        analyses: Analyses,
        drawing: Drawing,
        texts: LongTexts,
        closing: asyncio.Event,
    ) -> None:
        self._host = host
        self._gallery = host.gallery
        self._sources = sources
        self._tables = games
        self._analyses = analyses
        self._drawing = drawing
        self._texts = texts
        self._closing = closing
        self._shown = Shown(host.gallery.signal, self._sections, lambda table: drawing.draw(table.log))

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints below /api/play, and /api/check."""
        return [
            Endpoint("POST", "/api/check", self._check),
            Endpoint("GET", "/api/opponents", self._opponents),
            Endpoint("POST", "/api/play", self._play),
            Endpoint("GET", "/api/play/{key}", self._phase),
            Endpoint("GET", "/api/play/{key}/rules", self._rules),
            Endpoint("GET", "/api/play/{key}/events", self._events),
            Endpoint("GET", "/api/play/{key}/position/{step:[0-9]{1,5}}", self._position),
            Endpoint("POST", "/api/play/{key}/move", self._move),
            Endpoint("POST", "/api/play/{key}/await", self._await),
            Endpoint("POST", "/api/play/{key}/again", self._again),
            Endpoint("POST", "/api/play/{key}/hint", self._hint),
            Endpoint("POST", "/api/play/{key}/leave", self._leave),
        ]

    async def _check(self, asked: CheckRequest, _: web.Request) -> CheckAnswer:
        """The diagnostics and the roles of a rulesheet."""
        if "url" not in asked and "rules" not in asked:
            raise PageError("the request names no rules: give `rules` or `url`")
        rules = (await self._sources.of({"url": asked["url"]})).rules if "url" in asked else asked["rules"]
        return await self._tables.check(rules)

    async def _opponents(self, _: web.Request) -> Sequence[str]:
        """The names of the players that may be chosen in place of the agent's own."""
        return list(offered(self._host.settings))

    async def _play(self, asked: PlayRequest, _: web.Request) -> GameKey:
        """Start a game against the agent, and return its key."""
        source = await self.source(asked)
        clocks = asked["startClock"], asked["playClock"]
        if max(clocks) > (longest := self._host.settings.clock.longest):
            raise PageError(f"a clock has at most {longest:g} seconds; raise the setting clock.longest to allow more")
        random = asked.get("random") is True
        told = source, asked.get("role"), *clocks, asked.get("simulations", 0)
        wish = GameWish(*told, random=random, opponent=asked.get("opponent") or "")
        return {"key": (await self._tables.open(wish)).key}

    async def source(self, asked: RulesRequest) -> Source:
        """Return the rules of a request, from `Sources` or an ``analysis``; ``facts`` may set the first position."""
        if "analysis" in asked:
            analysis = self._analyses.get(asked["analysis"])
            if analysis is None:
                raise PageError("this analysis was closed; start a new one")
            asked = {**asked, "rules": analysis.rules, "name": analysis.title}
        source = await self._sources.of(asked)
        if not source.facts:
            return source
        begun = await self._texts.read(lambda: begun_at(source.rules, source.facts), len(source.rules))
        return replace(source, rules=begun)

    async def _phase(self, request: web.Request) -> GamePhase:
        """The key, title and phase of a game against the agent."""
        table = self._found(request)
        return {"key": table.key, "title": table.plan.title, "phase": table.phase}

    async def _rules(self, request: web.Request) -> TitledRules:
        """The title and the rules of a game against the agent."""
        plan = self._found(request).plan
        return {"title": plan.title, "rules": plan.rules}

    async def _position(self, request: web.Request) -> PositionView:
        """An earlier position of a game against the agent."""
        return await earlier(self._found(request).log, request, self._drawing)

    async def _events(self, request: web.Request) -> Annotated[web.StreamResponse, Events(PersonGameEvents)]:
        """Server-sent events of a game against the agent: its state, its moves and the search."""
        table = self._found(request)
        table.watchers += 1
        try:
            return await stream(request, self._shown.of(table), self._gallery.signal, self._closing)
        finally:
            table.watchers -= 1
            table.touch()

    def _sections(self, table: PersonGame) -> dict[str, object]:
        """Return `PersonGameEvents` without the time."""
        return {
            "agent": agent_view(self._host),
            "table": person_game_view(table, self._running(table)),
            "story": story(table.log, MAX_STEPS),
            "thinking": thinking_view(table.log),
        }

    def _running(self, table: PersonGame) -> tuple[float, float] | None:
        found = (self._gallery.running(match_id) for match_id in table.match_ids)
        return next((running.asked for running in found if running and running.asked), None)

    async def _move(self, asked: MoveRequest, request: web.Request) -> Nothing:
        """Make the person's move."""
        self._table(request).choose(asked["step"], asked["move"])
        return {}

    async def _await(self, asked: AwaitRequest, request: web.Request) -> Nothing:
        """Choose whether the agent's next move waits for the compiled circuit."""
        self._table(request).patience(wanted=asked["wait"])
        return {}

    async def _again(self, asked: AgainRequest, request: web.Request) -> GameKey:
        """Start the same game again from the position after ``step`` joint moves, and return the new key."""
        table = await self._tables.again(self._table(request), asked.get("role"), asked["step"])
        return {"key": table.key}

    async def _hint(self, _asked: Nothing, request: web.Request) -> Hint:
        """The move that the agent suggests to the person."""
        table = self._table(request)
        if table.hides:
            raise PageError("hints are not available in games with hidden information")
        if table.log.full:
            raise PageError("hints are not available any more, because the log of this game has no more room")
        return await self._analyses.hint(table.log, table.plan.role, HINT)

    async def _leave(self, _asked: Nothing, request: web.Request) -> Nothing:
        """End a game against the agent."""
        self._table(request).leave()
        return {}

    def _found(self, request: web.Request) -> PersonGame:
        """Return the game of a request. Raises UnknownError."""
        table = self._tables.get(request.match_info["key"])
        if table is None:
            raise UnknownError
        return table

    def _table(self, request: web.Request) -> PersonGame:
        """Return the game of a request. Raises PageError, which says what to do."""
        table = self._tables.get(request.match_info["key"])
        if table is None:
            raise PageError("this game no longer exists; start a new one")
        return table
