"""The games between a person and the agent on one agent's page, by key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from agent.page.answers import CheckAnswer
from agent.page.errors import PageError
from agent.page.game_plan import GamePlan, GameWish
from agent.page.history import Moment
from agent.page.host import Host
from agent.page.person_game import OVER, PersonGame
from agent.page.readers import Readers
from agent.page.referee import Referee
from agent.page.sources import Source


class PersonGames:
    """The games on the page by key, at most `LIMIT` at once."""

    LIMIT = 4

    def __init__(self, host: Host, readers: Readers) -> None:
        self._host = host
        self._readers = readers
        self._tables: dict[str, PersonGame] = {}
        self._opening = 0  # games whose rules are being parsed
        self._made = 0

    async def check(self, rules: str) -> CheckAnswer:
        """Return the diagnostics and roles of a rulesheet. Raises RulesFaultError, RefereeError, PageError."""
        _, faults, roles = await self._readers.read(rules, kept=False)
        return {"faults": faults, "roles": roles}

    async def open(self, wish: GameWish) -> PersonGame:
        """Start a game. Raises RulesFaultError, RefereeError, PageError."""
        await self._clear()
        if len(self._tables) + self._opening >= self.LIMIT:
            raise PageError("too many games are open on this agent's page; leave one of them first")
        self._opening += 1
        try:
            referee, _, roles = await self._readers.read(wish.source.rules)
            try:
                plan = wish.plan(tuple(roles), self._host)
            except PageError:
                referee.close()
                raise
            return self._laid(plan, referee, wish.before)
        finally:
            self._opening -= 1

    async def again(self, table: PersonGame, role: str | None, steps: int) -> PersonGame:
        """Start the same game after `steps` joint moves, with the person as `role`. Raises the errors of `open`."""
        if table.phase not in OVER:
            await table.give_way()
        if self._tables.pop(table.key, None) is None:  # another request or `_clear` has removed it
            raise PageError("this game no longer exists; start a new one")
        plan, moments = table.plan, table.log.moments
        source = Source(plan.title, plan.rules, tuple(moment.joint for moment in moments[1 : steps + 1]))
        told = source, role, plan.start_clock, plan.play_clock, plan.simulations, tuple(moments[: steps + 1])
        return await self.open(GameWish(*told, plan.random, plan.opponent))

    def _laid(self, plan: GamePlan, referee: Referee, before: Sequence[Moment]) -> PersonGame:
        self._made += 1
        table = PersonGame(f"page.{round(time.time() * 1000)}.{self._made}", plan, referee, self._host, before)
        self._tables[table.key] = table
        return table

    def get(self, key: str) -> PersonGame | None:
        """Return the game with this key."""
        return self._tables.get(key)

    def close(self) -> None:
        """End all games."""
        for table in self._tables.values():
            table.leave()

    async def _clear(self) -> None:
        """End and forget the games that no page shows, so that the agent is free for another game."""
        unseen = [one for one in self._tables.values() if one.unseen or (one.phase in OVER and not one.watchers)]
        for table in unseen:
            table.leave()
            del self._tables[table.key]
        if unseen:
            await asyncio.wait([table.task for table in unseen])  # unlike `gather`, cancels no task if it is cancelled
