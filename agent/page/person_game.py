"""A game between a person and the agent: the page's own small game manager, without HTTP.

The referee's process knows the rules. The agent is asked with the same messages that any manager sends, a match for
each role that is neither the person's nor chance; a role that the agent has no room for is played at random.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from sys import intern
from typing import Any

import structlog

from agent.errors import ProtocolError
from agent.page.errors import PageError, RefereeError
from agent.page.history import MatchLog, Moment
from agent.page.host import Host
from agent.page.readers import Readers
from agent.page.referee import Referee
from agent.page.sources import Source
from agent.protocol.messages import Abort, ImperfectPlay, Play, Start, Stop
from agent.protocol.read import read_move
from agent.protocol.write import BUSY
from agent.worker.messages import Position
from reasoner.rules.chance import is_chance

UNSEEN = "unseen"
"""In the place of a move that the person was not told."""
KEY_BYTES = 16
"""Random bytes of what only the visitor knows who began a game or an analysis."""
MANY = 10**15
BEAT = 2.0
"""Seconds between two signs to the agent's matches that their manager is there, while the person thinks."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """What is to be played. `role` is the person's, None to look on; clocks are the agent's, in seconds."""

    title: str
    rules: str
    roles: tuple[str, ...]
    role: int | None
    start_clock: float
    play_clock: float
    seed: int
    joints: tuple[tuple[str, ...], ...] = ()  # made already: the game goes on from where they lead
    simulations: int = 0  # descents of the agent's search a move; 0: as many as the clock allows


class PersonGame:
    """One game. The gallery's signal changes with everything new to be seen; `phase` says whose turn it is."""

    def __init__(self, name: str, plan: GamePlan, referee: Referee, host: Host, before: Sequence[Moment] = ()) -> None:
        """`name` is for all to see; `before` are positions of a game that this one goes on from, with thoughts."""
        self.name = name
        self.key = secrets.token_urlsafe(KEY_BYTES)  # who has it may play, and leave
        self.plan = plan
        self.phase = "preparing"  # preparing, person, agent, over, left
        self.notes: list[str] = []  # what went otherwise than asked for
        self.watchers = 0  # pages that show it
        self.legal: Sequence[Sequence[str]] = []  # per role, in the position at hand
        self.log = self._new_log()
        self._referee = referee
        self._host = host
        self._ids = self._seats()
        self._name_players()
        self._before = before
        self._kept = True  # whether it goes into the history when it ends
        self._choice: asyncio.Future[str] | None = None
        self._reached: list[tuple[Position, float, tuple[str, ...]]] = []  # with its time and its errors
        self._touched = host.clock.now()
        self.task = asyncio.create_task(self._run())

    @property
    def match_ids(self) -> list[str]:
        """The agent's matches at this table."""
        return list(self._ids.values())

    @property
    def hides(self) -> bool:
        """Whether the rules hide something from somebody."""
        return bool(self._reached and self._reached[0][0].percepts)

    @property
    def step(self) -> int:
        """Joint moves made."""
        return max(len(self.log.moments) - 1, 0)

    def choose(self, step: int, move: str) -> None:
        """The person's move after `step` joint moves. Raises PageError when it cannot be."""
        self._touched = self._host.clock.now()
        if self._choice is None or self._choice.done() or step != self.step:
            raise PageError("it is not your turn any more; look at the board again")
        if move not in self._own_moves():
            raise PageError("that is no legal move here; choose one of those shown")
        self._choice.set_result(move)

    def leave(self) -> None:
        """The person goes; the agent's matches are aborted."""
        self.task.cancel()

    async def give_way(self) -> None:
        """End for a game that goes on from here, and is kept in place of this one; a finished game stays."""
        self._kept = False
        self.leave()
        await asyncio.gather(self.task, return_exceptions=True)

    def touch(self) -> None:
        """The person is there."""
        self._touched = self._host.clock.now()

    def _own_moves(self) -> Sequence[str]:
        role = self.plan.role
        return self.legal[role] if role is not None and self.legal else []

    def _new_log(self) -> MatchLog:
        plan = self.plan
        log = MatchLog(self.name, plan.title, time.time(), plan.start_clock, plan.play_clock, plan.roles)
        others = [index for index, role in enumerate(plan.roles) if index != plan.role and not is_chance(role)]
        log.rules = intern(plan.rules)
        log.role = others[0] if len(others) == 1 else None
        return log

    def _seats(self) -> dict[int, str]:
        """The agent's roles, with the id of the match that each is played in."""
        plan = self.plan
        others = [i for i, role in enumerate(plan.roles) if i != plan.role and not is_chance(role)]
        secret = secrets.randbelow(MANY)  # else anybody could end the agent's matches by their ids
        ids = {index: f"{self.name}{secret}.{index}" for index in others}
        self.log.seats = tuple(ids.values())
        for role, match_id in ids.items():
            self._host.gallery.own(match_id, self.log, role)
        return ids

    async def _run(self) -> None:
        try:
            await self._play()
        except RefereeError as error:
            self._end("left", str(error))
        except asyncio.CancelledError:
            self._end("left", "the game was left")
            raise
        except Exception:  # whatever it is, the page must say that the game is over, and the agent be free again
            structlog.get_logger().exception("a game on the page failed")
            self._end("left", "the game could not go on; the agent's log says why")
        finally:
            await self._dismiss()

    async def _play(self) -> None:
        first = await self._referee.begin(self.plan.seed, self.plan.role)
        if first.known is not None:
            self._keep_secrets()
        self.log.may_hold(first)
        self._reach(first)
        if self.hides and self.plan.joints:
            raise RefereeError("a game in which something is hidden is played from its beginning only")
        for made in self.plan.joints:
            self._reach(await self._referee.follow(made))
        self._remember()
        await self._seat_agents()
        self._name_players()
        while not self.log.terminal:
            joint = await self._joint_move()
            self._reach(await self._referee.advance(joint))
        self._end("over", "finished")

    def _remember(self) -> None:
        """Keep what was thought before in the same line of play."""
        for moment, known in zip(self.log.moments, self._before, strict=False):
            if moment.facts != known.facts:
                break
            moment.thinking, moment.values, moment.at = known.thinking, known.values, known.at

    async def _seat_agents(self) -> None:
        plan = self.plan
        if plan.role is not None and not self._ids:
            self.notes.append("You have all of this game; to see the agent play it, choose “nobody; I watch”.")

        async def seat(role: int, match_id: str) -> None:
            start = Start(match_id, plan.roles[role], plan.rules, plan.start_clock, plan.play_clock)
            start = replace(start, joints=plan.joints[:-1], simulations=plan.simulations)  # PLAY brings the last one
            if await self._host.ask(start) == BUSY:
                del self._ids[role]
                self._host.gallery.disown(match_id)
                self.notes.append(
                    f"The agent has no room to play {plan.roles[role]}, which moves at random. "
                    "Another match may be running; the setting server.matches lets more run at once."
                )

        await asyncio.gather(*(seat(role, match_id) for role, match_id in list(self._ids.items())))

    def _name_players(self) -> None:
        plan = self.plan

        def name(index: int) -> str:
            if index == plan.role:
                return "you"
            if index in self._ids:
                return self._host.name
            return "chance" if is_chance(plan.roles[index]) else "random moves"

        self.log.players = tuple(map(name, range(len(plan.roles))))

    async def _joint_move(self) -> list[str | None]:
        """One move a role, asked for at the same moment; None is for the referee to draw."""
        joint: list[str | None] = [None] * len(self.plan.roles)

        async def ask(role: int, match_id: str) -> None:
            joint[role] = _move(await self._host.ask(self._told(role, match_id)))

        async def person(role: int) -> None:
            joint[role] = await self._persons_move(role)
            self._turn_to("agent")

        async with asyncio.TaskGroup() as group:
            for role, match_id in self._ids.items():
                group.create_task(ask(role, match_id))
            if self.plan.role is not None:
                group.create_task(person(self.plan.role))
            else:
                self._turn_to("agent")
        return joint

    def _told(self, role: int, match_id: str, *, stop: bool = False) -> Play | Stop | ImperfectPlay:
        """What the agent is told in a role: the joint move, or its own and its percepts where the rules hide others."""
        position = self._reached[-1][0]
        joint = tuple(position.joint) or None
        if position.percepts:
            own = "NIL" if joint is None else joint[role]
            return ImperfectPlay(match_id, position.step, own, tuple(position.percepts[role]), stop)
        return Stop(match_id, joint) if stop else Play(match_id, joint)

    def _keep_secrets(self) -> None:
        """Have nothing shown of what the agent thinks, who sees what the person does not."""
        for match_id in self._ids.values():
            self._host.gallery.own(match_id, self.log, secret=True)
        self.notes.append("You see what your role knows; the rest is shown when the game is over.")

    async def _persons_move(self, role: int) -> str:
        moves = self.legal[role]
        waits = any(len(others) > 1 for index, others in enumerate(self.legal) if index != role)
        if len(moves) == 1 and (waits or not moves[0].startswith("(")):
            return moves[0]  # nothing to choose
        self._choice = asyncio.get_running_loop().create_future()
        self._turn_to("person")
        while not self._choice.done():
            await asyncio.wait([self._choice], timeout=BEAT)
            self._keep_seats()
        return self._choice.result()

    def _keep_seats(self) -> None:
        """Tell the agent's matches that someone is there; leave when nobody is."""
        if self.watchers:
            self.touch()
        if self._host.clock.now() > self._touched + self._host.settings.page.idle:
            self.task.cancel()
        for match_id in self._ids.values():
            self._host.matches.keep(match_id)

    def _reach(self, position: Position) -> None:
        error = tuple("IL" if role in position.replaced else "" for role in range(len(self.plan.roles)))
        self._reached.append((position, time.time(), error))
        hidden = any(told.known is not None for told, _, _ in self._reached)
        for told, at, wrong in self._reached if hidden and position.terminal else self._reached[-1:]:
            self.log.take(self._seen(told, over=position.terminal), at, wrong)
        self.legal = position.legal
        self._host.gallery.signal.change()

    def _seen(self, position: Position, *, over: bool) -> Position:
        """A position as the person knows it; when the game is `over`, as it was."""
        if position.known is None or over:
            return position
        joint = [move if role == self.plan.role else UNSEEN for role, move in enumerate(position.joint)]
        return replace(position, joint=joint, facts=position.known)

    def _turn_to(self, phase: str) -> None:
        self.phase = phase
        self._host.gallery.signal.change()

    def _end(self, phase: str, status: str) -> None:
        self.log.status = status if phase == "over" else "left"
        if phase == "left":
            self.notes.append(f"{status[:1].upper()}{status[1:]}.")
        self._turn_to(phase)

    async def _dismiss(self) -> None:
        """End the agent's matches and the referee's process, and keep what was played."""
        for role, match_id in self._ids.items():
            over = self._told(role, match_id, stop=True) if self.log.terminal else Abort(match_id)
            await self._host.ask(over)
            self._host.gallery.disown(match_id)
        self._referee.close()
        if self.step and self._kept:
            self._host.gallery.history.add(self.log)
        self._host.gallery.signal.change()


def _move(answer: str) -> str:
    """An answer as the rules spell moves; text that is no move stays, and is replaced by the referee."""
    try:
        return read_move(answer)
    except ProtocolError:
        return answer


@dataclass(frozen=True, slots=True)
class GameWish:
    """What a person wants to play, as which role, and how well the agent is to play."""

    source: Source
    role: str | None
    start_clock: float
    play_clock: float
    simulations: int = 0
    before: Sequence[Moment] = ()  # positions of a game that it goes on from

    def plan(self, roles: tuple[str, ...]) -> GamePlan:
        """The plan, once the roles are known."""
        role = None if self.role is None else roles.index(self.role)
        clocks, seed = (self.start_clock, self.play_clock), random.getrandbits(32)
        source = self.source
        return GamePlan(source.title, source.rules, roles, role, *clocks, seed, source.joints, self.simulations)


class PersonGames:
    """The games on the page, at most a few at once, each known by its key; and the rules that are read for it."""

    LIMIT = 4

    def __init__(self, host: Host, readers: Readers) -> None:
        self._host = host
        self._readers = readers
        self._tables: dict[str, PersonGame] = {}
        self._opening = 0  # games whose rules are being read
        self._made = 0

    async def check(self, rules: str) -> Mapping[str, Any]:
        """The faults and roles of a rulesheet. Raises RulesFaultError, RefereeError, PageError."""
        _, faults, roles = await self._readers.read(rules, kept=False)
        return {"faults": faults, "roles": roles}

    async def open(self, wish: GameWish) -> PersonGame:
        """A new game. Raises RulesFaultError, RefereeError, PageError."""
        await self._clear()
        if len(self._tables) + self._opening >= self.LIMIT:
            raise PageError("there are too many games on this agent's page already; leave one of them first")
        self._opening += 1
        try:
            referee, _, roles = await self._readers.read(wish.source.rules)
            if wish.role is not None and wish.role not in roles:
                referee.close()
                raise PageError(f"the rules have no role {wish.role:.60}; their roles are {', '.join(roles):.200}")
            return self._laid(wish.plan(tuple(roles)), referee, wish.before)
        finally:
            self._opening -= 1

    async def again(self, table: PersonGame, role: str | None, steps: int) -> PersonGame:
        """The game of a table from the position after so many joint moves, the person as `role`. Raises as `open`."""
        if table.phase not in ("over", "left"):
            await table.give_way()
        if self._tables.pop(table.key, None) is None:  # another request was first, or it was made room for
            raise PageError("this game is not known any more; begin a new one")
        plan, moments = table.plan, table.log.moments
        source = Source(plan.title, plan.rules, tuple(moment.joint for moment in moments[1 : steps + 1]))
        wish = GameWish(source, role, plan.start_clock, plan.play_clock, plan.simulations, tuple(moments[: steps + 1]))
        return await self.open(wish)

    def _laid(self, plan: GamePlan, referee: Referee, before: Sequence[Moment]) -> PersonGame:
        self._made += 1
        table = PersonGame(f"page.{round(time.time() * 1000)}.{self._made}", plan, referee, self._host, before)
        self._tables[table.key] = table
        return table

    def get(self, key: str) -> PersonGame | None:
        """The game of a key."""
        return self._tables.get(key)

    def close(self) -> None:
        """Leave all games."""
        for table in self._tables.values():
            table.leave()

    async def _clear(self) -> None:
        """Leave the games that no page shows, so that the agent is free for another, and forget them."""
        unseen = [table for table in self._tables.values() if not table.watchers]
        for table in unseen:
            table.leave()
            del self._tables[table.key]
        await asyncio.gather(*(table.task for table in unseen), return_exceptions=True)
