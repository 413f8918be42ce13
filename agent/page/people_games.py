"""The games between people on one agent's page, by the keys of their places."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence

from agent.page.errors import PageError
from agent.page.game_plan import GamePlan, bundled_name
from agent.page.host import Host
from agent.page.people_game import PeopleGame, Seat
from agent.page.readers import Readers
from agent.page.requests import asker
from agent.page.sources import Source
from reasoner.rules.chance import is_chance

FOR_ONE = 2
"""Maximum games that one client address has made and that are not over."""


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
        self._make_room()
        referee, _, roles = await self._readers.read(source.rules)
        try:
            self._make_room()  # another game may have started meanwhile
            plan = _plan(source, roles, seconds)
            if role not in roles or is_chance(role):
                raise PageError(f"the rules have no role {role:.60} for a person")
        except PageError:
            referee.close()
            raise
        self._made += 1
        name = f"people.{round(time.time() * 1000)}.{self._made}"
        game = PeopleGame(name, plan, referee, self._host, asker.get())
        self._games.append(game)
        return game.take(roles.index(role))

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

    def _make_room(self) -> None:
        """End games that nobody has open until another one fits; then one of the address that has most.

        Raises PageError if the asker has too many games, or no address has more games than the asker would have.
        """
        who, most = asker.get(), self._host.settings.page.people
        if not most:
            raise PageError("games between people are disabled on this agent; set page.people to 1 or more")
        self._games = [game for game in self._games if not (game.over and game.empty)]
        if sum(game.asker == who and not game.over for game in self._games) >= FOR_ONE:
            self._drop([game for game in self._games if game.unseen and game.asker == who])
        if sum(game.asker == who and not game.over for game in self._games) >= FOR_ONE:
            raise PageError(f"you have {FOR_ONE} open games between people; leave one of them first")
        if len(self._games) < most:
            return
        self._drop([game for game in self._games if game.over or game.unseen])
        if len(self._games) < most:
            return
        askers = Counter(game.asker for game in self._games)
        greedy, count = askers.most_common(1)[0]
        if count <= askers[who] + 1:
            raise PageError("too many games between people are open on this agent; try again later")
        self._drop([next(game for game in self._games if game.asker == greedy)])

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
