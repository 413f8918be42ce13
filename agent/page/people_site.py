"""HTTP handlers of games between people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

from aiohttp import web

from agent.page.answers import GameKey, PositionView, TitledRules
from agent.page.drawing import Drawing
from agent.page.errors import PageError, UnknownError
from agent.page.events import Shown, stream
from agent.page.games.people_game import PeopleGame, Seat
from agent.page.games.people_games import PeopleGames
from agent.page.host import Host
from agent.page.match_views import earlier
from agent.page.people_answers import Invitation, InvitedGame, PeopleGameEvents
from agent.page.requested import JoinRequest, MoveRequest, Nothing, PeopleRequest, RulesRequest
from agent.page.schema import Endpoint, Events
from agent.page.sources import Source
from agent.page.story import MAX_STEPS, story
from agent.page.view_models import agent_view, people_game_view

FindSource = Callable[[RulesRequest], Awaitable[Source]]
GONE = "this game no longer exists; start a new one"


class PeopleSite:
    """The endpoints of games between people."""

    def __init__(
        self, host: Host, source: FindSource, games: PeopleGames, drawing: Drawing, closing: asyncio.Event
    ) -> None:
        self._host = host
        self._gallery = host.gallery
        self._source = source
        self._games = games
        self._drawing = drawing
        self._closing = closing
        self._shown = Shown(host.gallery.signal, self._sections, lambda seat: drawing.draw(seat.log))

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints below /api/people."""
        return [
            Endpoint("POST", "/api/people", self._begin),
            Endpoint("GET", "/api/people/invited/{invite}", self._invited),
            Endpoint("POST", "/api/people/invited/{invite}", self._join),
            Endpoint("GET", "/api/people/{key}/rules", self._rules),
            Endpoint("GET", "/api/people/{key}/events", self._events),
            Endpoint("GET", "/api/people/{key}/position/{step:[0-9]{1,5}}", self._position),
            Endpoint("POST", "/api/people/{key}/move", self._move),
            Endpoint("POST", "/api/people/{key}/draw", self._draw),
            Endpoint("POST", "/api/people/{key}/resign", self._resign),
            Endpoint("POST", "/api/people/{key}/rematch", self._rematch),
            Endpoint("POST", "/api/people/{key}/leave", self._leave),
        ]

    async def _begin(self, asked: PeopleRequest, _: web.Request) -> Invitation:
        """Start a game between people, and return the keys of its places."""
        return _keys(await self._games.open(await self._source(asked), asked["role"], asked["seconds"]))

    async def _invited(self, request: web.Request) -> InvitedGame:
        """The game of an invitation, with the roles that are free."""
        game = self._game(request)
        roles = game.plan.roles
        free = [] if game.over else [roles[role] for role, seat in game.seats.items() if not seat.taken]
        seconds, watch = game.plan.play_clock, game.watching.key
        return {"title": game.plan.title, "roles": roles, "free": free, "seconds": seconds, "watch": watch}

    async def _join(self, asked: JoinRequest, request: web.Request) -> GameKey:
        """Take a free role of the game of an invitation, and return the secret key of the place."""
        game = self._game(request)
        if asked["role"] not in game.plan.roles:
            raise PageError("the rules have no such role")
        return {"key": game.take(game.plan.roles.index(asked["role"]), asked.get("token", "")).key}

    async def _rules(self, request: web.Request) -> TitledRules:
        """The title and the rules of a game between people."""
        plan = self._found(request).game.plan
        return {"title": plan.title, "rules": plan.rules}

    async def _events(self, request: web.Request) -> Annotated[web.StreamResponse, Events(PeopleGameEvents)]:
        """Server-sent events of a game between people, as the place with this key sees it."""
        seat = self._found(request)
        seat.arrive()
        try:
            return await stream(request, self._shown.of(seat), self._gallery.signal, self._closing)
        finally:
            seat.depart()

    def _sections(self, seat: Seat) -> dict[str, object]:
        """Return `PeopleGameEvents` without the time."""
        return {
            "agent": agent_view(self._host),
            "table": people_game_view(seat),
            "story": story(seat.log, MAX_STEPS),
        }

    async def _position(self, request: web.Request) -> PositionView:
        """An earlier position of a game between people."""
        return await earlier(self._found(request).log, request, self._drawing)

    async def _move(self, asked: MoveRequest, request: web.Request) -> Nothing:
        """Make a person's move."""
        seat = self._seat(request)
        seat.game.choose(seat, asked["step"], asked["move"])
        return {}

    async def _draw(self, _asked: Nothing, request: web.Request) -> Nothing:
        """Offer a draw, or accept one."""
        seat = self._seat(request)
        seat.game.offer(seat)
        return {}

    async def _resign(self, _asked: Nothing, request: web.Request) -> Nothing:
        """Give the game up."""
        seat = self._seat(request)
        seat.game.resign(seat)
        return {}

    async def _rematch(self, _asked: Nothing, request: web.Request) -> Invitation:
        """Take one's place in the rematch of a game that is over; the first one who asks starts it."""
        return _keys(await self._games.again(self._seat(request)))

    async def _leave(self, _asked: Nothing, request: web.Request) -> Nothing:
        """Leave the game; if a person leaves, it ends."""
        seat = self._seat(request)
        seat.game.leave(seat)
        return {}

    def _game(self, request: web.Request) -> PeopleGame:
        """Return the game of an invitation. Raises UnknownError."""
        game = self._games.invited(request.match_info["invite"])
        if game is None:
            raise UnknownError
        return game

    def _found(self, request: web.Request) -> Seat:
        """Return the place of a request. Raises UnknownError."""
        seat = self._games.seat(request.match_info["key"])
        if seat is None:
            raise UnknownError
        return seat

    def _seat(self, request: web.Request) -> Seat:
        """Return the place of a request. Raises PageError, which says what to do."""
        seat = self._games.seat(request.match_info["key"])
        if seat is None:
            raise PageError(GONE)
        return seat


def _keys(seat: Seat) -> Invitation:
    return {"key": seat.key, "invite": seat.game.invite, "watch": seat.game.watching.key}
