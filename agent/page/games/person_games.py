"""The games between a person and the agent on one agent's page, by key."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence

from agent.gamemaster.addresses import is_url
from agent.page.answers import CheckAnswer
from agent.page.errors import BusyError, PageError
from agent.page.games.game_plan import GamePlan, GameWish
from agent.page.games.person_game import LEFT, OVER, PersonGame
from agent.page.history import Moment
from agent.page.host import Host
from agent.page.readers import Readers
from agent.page.referee import Referee
from agent.page.requests import asker
from agent.page.sources import Source

MADE_ROOM = "the agent needed the place for another visitor's game"
KEPT = 32
"""Maximum games that are over and still shown on a page."""


class PersonGames:
    """The games on the page by key. At most `LIMIT`, or `server.matches` if that is more, are played at once."""

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
        self._forget()
        while self._full and (unseen := self._unseen):
            await self._end(unseen[:1])
        if self._full and (idle := next((table for table in self._played if table.idle), None)) is not None:
            idle.replace()
            await asyncio.wait((idle.task,))
        if self._full and (crowding := self._crowding()) is not None:
            await self._end([crowding], MADE_ROOM)
        if self._full:
            raise PageError("too many games are open on this agent's page; leave one of them first")
        self._opening += 1
        try:
            referee, _, roles = await self._readers.read(wish.source.rules)
            try:
                plan = await self._planned(wish, tuple(roles))
            except BaseException:  # including cancellation, when the sender leaves
                referee.close()
                raise
            return self._laid(plan, referee, wish.before)
        finally:
            self._opening -= 1

    async def _planned(self, wish: GameWish, roles: tuple[str, ...]) -> GamePlan:
        """Return the plan of a wish; games that no page shows end until there are enough match slots."""
        while True:
            unseen = [table for table in self._unseen if not is_url(table.plan.spec)]  # others have no slots
            try:
                return wish.plan(roles, self._host, self._starting)
            except BusyError:
                if not unseen:
                    raise
            await self._end(unseen[:1])

    async def again(self, table: PersonGame, role: str | None, steps: int) -> PersonGame:
        """Start the same game after `steps` joint moves, with the person as `role`. Raises the errors of `open`."""
        plan, moments = table.plan, table.log.moments
        if steps > 0 and steps >= len(moments):
            raise PageError("the game cannot be continued from this position, because its log has no more room")
        source = Source(plan.title, plan.rules, tuple(moment.joint for moment in moments[1 : steps + 1]))
        told = source, role, plan.start_clock, plan.play_clock, plan.simulations, tuple(moments[: steps + 1])
        wish = GameWish(*told, plan.random, plan.opponent)
        wish.check(plan.roles, self._host)  # before the game ends
        if table.phase not in OVER:
            await table.give_way()
        if self._tables.pop(table.key, None) is None:  # another request or `_forget` has removed it
            raise PageError("this game no longer exists; start a new one")
        try:
            opened = await self.open(wish)
        except BaseException:  # the person may try again later, also one who left before the rules were read
            self._tables[table.key] = table
            table.keep()
            raise
        table.goes_on()
        return opened

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

    @property
    def _played(self) -> list[PersonGame]:
        return [table for table in self._tables.values() if table.phase not in OVER]

    @property
    def _full(self) -> bool:
        return len(self._played) + self._opening >= max(self.LIMIT, self._host.settings.server.matches)

    @property
    def _starting(self) -> int:
        """The number of match slots that games will take as soon as they are prepared."""
        running = {start.match_id for start in self._host.matches.starts()}
        preparing = [table for table in self._played if table.phase == "preparing" and not is_url(table.plan.spec)]
        return sum(len({*table.match_ids} - running) for table in preparing)

    def _crowding(self) -> PersonGame | None:
        """Return the oldest game of the client address with the most games, if it has two more than the asker."""
        counts = Counter(table.asker for table in self._played)
        greedy, count = max(counts.items(), key=lambda each: each[1], default=("", 0))
        if count <= counts[asker.get()] + 1:
            return None
        return next(table for table in self._played if table.asker == greedy)

    @property
    def _unseen(self) -> list[PersonGame]:
        """The games that no page shows, the oldest first."""
        return [table for table in self._played if table.unseen]

    def _forget(self) -> None:
        """Forget the oldest of too many games that are over."""
        for key in [table.key for table in self._tables.values() if table.phase in OVER][:-KEPT]:
            del self._tables[key]

    async def _end(self, tables: Sequence[PersonGame], reason: str = LEFT) -> None:
        for table in tables:
            table.leave(reason)
        if tables:
            await asyncio.wait([table.task for table in tables])  # unlike `gather`, cancels no task if it is cancelled
