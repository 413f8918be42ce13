"""The games between people on one agent's page, by the keys of their places."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.page.errors import PageError
from agent.page.games.game_plan import GamePlan, bundled_name
from agent.page.games.people_game import PeopleGame, Seat
from agent.page.host import Host
from agent.page.readers import Readers
from agent.page.requests import asker
from agent.page.sources import Source
from reasoner.rules.chance import is_chance

LEAST_FOR_ONE = 2
"""One client address may have made this many games that are not over, or half of `page.people` if that is more."""


class PeopleGames:
    """The games, at most `page.people` at once."""

    def __init__(self, host: Host, readers: Readers) -> None:
        self._host = host
        self._readers = readers
        self._games: list[PeopleGame] = []
        self._made = 0

    async def open(self, source: Source, role: str, seconds: float) -> Seat:
        """Start a game and return the place of the person that asks for it.

        Raises RulesFaultError, RefereeError, PageError.
        """

        def plan(roles: Sequence[str]) -> GamePlan:
            if role not in roles or is_chance(role):
                raise PageError(f"the rules have no role {role:.60} for a person")
            return _plan(source, roles, seconds)

        game = await self._start(source.rules, plan, None)
        return game.take(game.plan.roles.index(role))

    async def _start(
        self, rules: str, plan: Callable[[Sequence[str]], GamePlan], before: PeopleGame | None
    ) -> PeopleGame:
        """Start a game; `plan` makes its plan from the roles of the rules, `before` is the game before a rematch."""
        self._make_room(before)
        referee, _, roles = await self._readers.read(rules)
        try:
            self._make_room(before)  # another game may have started meanwhile
            planned = plan(roles)
        except PageError:
            referee.close()
            raise
        self._made += 1
        name = f"people.{round(time.time() * 1000)}.{self._made}"
        game = PeopleGame(name, planned, referee, self._host, asker.get())
        self._games.append(game)
        return game

    async def again(self, seat: Seat) -> Seat:
        """Return the place of a person in the rematch, in which each has the role of the next one.

        The first one who asks starts the game. Raises RulesFaultError, RefereeError, PageError.
        """
        game = seat.game
        if seat.role is None or not game.over or not all(one.taken for one in game.seats.values()):
            raise PageError("only the players of a game that is over may ask for a rematch")
        async with game.rematching:
            if game.rematch is None or game.rematch.over:
                plan = replace(game.plan, seed=random.getrandbits(32))
                game.rematch, game.heirs = await self._start(plan.rules, lambda _: plan, game), {}
            if seat.role not in game.heirs:
                order = list(game.seats)
                role = order[(order.index(seat.role) + 1) % len(order)]
                game.heirs[seat.role] = game.rematch.take(role)
                game.touch(seat)
        return game.heirs[seat.role]

    def seat(self, key: str) -> Seat | None:
        """Return the place with this key."""
        places = (seat for game in self._games for seat in (*game.seats.values(), game.watching))
        return next((seat for seat in places if seat.key == key), None)

    def invited(self, invite: str) -> PeopleGame | None:
        """Return the game of an invitation."""
        return next((game for game in self._games if game.invite == invite), None)

    def close(self) -> None:
        """End all games."""
        for game in self._games:
            game.end()

    def _make_room(self, before: PeopleGame | None) -> None:
        """Make room for a game: end those that nobody has open, else one of the client address with the most games.

        before: a game that is over and kept, because its rematch starts. Raises PageError if the asker has too many
        games, or no address has more games than the asker would have.
        """
        who, most = asker.get(), self._host.settings.page.people
        if not most:
            raise PageError("games between people are disabled on this agent; set page.people to 1 or more")
        self._games = [game for game in self._games if not game.stale]
        for_one = max(LEAST_FOR_ONE, most // 2)
        if sum(game.asker == who and not game.over for game in self._games) >= for_one:
            self._drop([game for game in self._games if game.unseen and game.asker == who])
        if sum(game.asker == who and not game.over for game in self._games) >= for_one:
            raise PageError(
                f"{for_one} games between people from your address are open; leave or end one of them first"
            )
        if self._count(before) < most:
            return
        self._drop([game for game in self._games if game is not before and (game.over or game.unseen)])
        if self._count(before) < most:
            return
        askers = Counter(game.asker for game in self._games if game is not before)
        greedy, count = askers.most_common(1)[0]
        if count <= askers[who] + 1:
            raise PageError("too many games between people are open on this agent; try again later")
        self._drop([next(game for game in self._games if game.asker == greedy and game is not before)])

    def _count(self, before: PeopleGame | None) -> int:
        return sum(game is not before for game in self._games)

    def _drop(self, games: Sequence[PeopleGame]) -> None:
        for game in games:
            game.end("the agent needed the place for another game")
            self._games.remove(game)


def _plan(source: Source, roles: Sequence[str], seconds: float) -> GamePlan:
    """Return the plan of a game without roles of the agent. Raises PageError if it has no roles for two people."""
    if sum(not is_chance(role) for role in roles) < 2:
        raise PageError("a game between people needs rules with two roles or more")
    clocks, seed = (0.0, seconds), random.getrandbits(32)
    game = bundled_name(source)
    return GamePlan(source.title, source.rules, tuple(roles), None, *clocks, seed, source.joints, game=game)
