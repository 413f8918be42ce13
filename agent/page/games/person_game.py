"""Game between a person and the agent: a small game manager inside the page, without HTTP.

The referee's process applies the rules. The agent plays each role that is neither the person's nor chance in a match of
its own, and gets the same messages as from any manager. A role without a free match slot moves at random.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from sys import intern

import structlog

from agent.errors import ProtocolError
from agent.gamemaster.addresses import is_url
from agent.page.errors import PageError, RefereeError
from agent.page.games.course import Course, Reached
from agent.page.games.game_plan import TAKEN, GamePlan, wanted
from agent.page.games.opponents import RemoteOpponent
from agent.page.games.role_view import forced, seen_by
from agent.page.history import MatchLog, Moment
from agent.page.host import KEY_BYTES, Host
from agent.page.referee import Referee
from agent.page.requests import asker
from agent.protocol.messages import Abort, ImperfectPlay, Message, Play, Start, Stop
from agent.protocol.read import read_move
from agent.protocol.write import BUSY, READY
from agent.worker.worker_messages import Position, Ready
from reasoner.rules.chance import is_chance

OVER = ("over", "left")
"""Phases of a finished game."""
LEFT = "the game was left"
"""Why a game ended early, if the person wanted it."""
GOES_ON = "Moves were taken back, or sides swapped, in another tab: the game goes on there."
"""The note to the other tabs of a game that a new game continues."""
MANY, BEAT = 10**15, 2.0
"""Number of secrets in a match id; seconds between two checks for visitors and keep-alives to the matches."""
RELOAD = 5.0
"""Seconds that a page may take to reload; after that, its game may be ended to start another one."""
IDLE_SECONDS = 300.0
"""Seconds without the person's move after which another match or game may take the place of the game."""
REPLACED = f"you made no move for {IDLE_SECONDS / 60:g} minutes, and another match needed the match slot"
CONTINUE = "; continue this game when a match slot is free"
MAX_CIRCUIT_WAIT_SECONDS = 600.0
"""Maximum seconds that the agent's move waits for the circuit."""


class PersonGame:
    """One game. Every visible change triggers the gallery's signal. `phase` includes whose turn it is."""

    def __init__(self, name: str, plan: GamePlan, referee: Referee, host: Host, before: Sequence[Moment] = ()) -> None:
        """Start the game. `name` is public; `before` are the positions of the game that this game continues."""
        self.name = name
        self.key = secrets.token_urlsafe(KEY_BYTES)  # secret: its holder may play and leave
        self.plan = plan
        self.asker = asker.get()  # client address that started the game
        self.phase = "preparing"  # preparing, waiting, person, agent, over, left
        self.notes: list[str] = []  # notes to the person
        self.watchers = 0  # number of pages that show the game
        self.waiting = False  # whether the agent's next move waits for the circuit
        self.legal: Sequence[Sequence[str]] = []  # per role, in the current position
        self.log = self._new_log()
        self._referee = referee
        self._host = host
        self._remote = RemoteOpponent(plan.opponent, plan.spec) if is_url(plan.spec) else None
        self._ids = self._seats()
        self._name_players()
        self._before = before
        self._kept = True  # whether the game goes into the history when it ends
        self._left, self._reason = False, LEFT
        self._choice: asyncio.Future[str] | None = None
        self._course = Course()
        self._touched = self._turn_began = host.clock.now()
        self._leaving = asyncio.create_task(self._watch())
        self.task = asyncio.create_task(self._run())

    @property
    def match_ids(self) -> list[str]:
        """Ids of the agent's matches in this game."""
        return list(self._ids.values())

    @property
    def hides(self) -> bool:
        """Whether the game has hidden information."""
        return self._course.percepts

    @property
    def percepts(self) -> Sequence[str]:
        """What the person's role has perceived since its last choice, in GDL-II."""
        role = self.plan.role
        return self._course.perceived[role] if role is not None and self._course.perceived else ()

    @property
    def step(self) -> int:
        """Number of joint moves made."""
        return self.log.turn

    def choose(self, step: int, move: str) -> None:
        """Make the person's move after `step` joint moves. Raises PageError if the move is late or illegal."""
        self._touched = self._host.clock.now()
        if self._choice is None or self._choice.done() or step != self.step:
            raise PageError("it is no longer your turn; check the board")
        if move not in self._own_moves():
            raise PageError("this move is not legal here; choose one of the listed moves")
        self._choice.set_result(move)

    def patience(self, *, wanted: bool) -> None:
        """Make the agent's next move wait for the circuit, or stop the wait."""
        self.touch()
        self.waiting = wanted
        self._host.gallery.signal.change()

    @property
    def unseen(self) -> bool:
        """Whether the page of the game is closed, and not only reloading."""
        return not self.watchers and self._host.clock.now() > self._touched + RELOAD

    @property
    def idle(self) -> bool:
        """Whether the person has not moved for `IDLE_SECONDS`."""
        waits = self._choice is not None and not self._choice.done() and self.phase not in OVER
        return waits and self._host.clock.now() > self._turn_began + IDLE_SECONDS

    def replace(self) -> None:
        """End the game because another one needs its place."""
        self.leave(REPLACED if self.hides else REPLACED + CONTINUE)

    def leave(self, reason: str = LEFT) -> None:
        """End the game for `reason`; the agent's matches are aborted."""
        if not self._left and self.phase not in OVER:  # a second cancellation would end the cleanup
            self._left, self._reason = True, reason
            self.task.cancel()

    async def give_way(self) -> None:
        """End the game because another game continues it. An unfinished game gets no entry in the history."""
        self._kept = False
        self.leave()
        await asyncio.wait((self.task,))  # unlike `gather`, cancels no task if it is cancelled

    def keep(self) -> None:
        """Add a game that has given way to the history after all, because no game continues it."""
        if not self._kept:
            self._kept = True
            self._record()

    @property
    def remote(self) -> bool:
        """Whether the opponent is a player at an address, which plays only from the start of a game."""
        return self._remote is not None

    def goes_on(self) -> None:
        """Tell the pages of this game that another game continues it."""
        if self.phase == "left":
            self.notes[-1:] = [GOES_ON]
            self._host.gallery.signal.change()

    def touch(self) -> None:
        """Record that the person is present."""
        self._touched = self._host.clock.now()

    def _own_moves(self) -> Sequence[str]:
        role = self.plan.role
        return self.legal[role] if role is not None and self.legal else []

    def _new_log(self) -> MatchLog:
        plan = self.plan
        log = MatchLog(self.name, plan.title, time.time(), plan.start_clock, plan.play_clock, plan.roles)
        log.rules = intern(plan.rules)
        log.role = plan.others[0] if len(plan.others) == 1 else None
        return log

    def _seats(self) -> dict[int, str]:
        """Return the id of the agent's match for each of its roles."""
        secret = secrets.randbelow(MANY)  # keeps others from ending the agent's matches by their ids
        ids = {index: f"{self.name}{secret}.{index}" for index in self.plan.others}
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
            self._end("left", self._reason)
            raise
        except Exception:  # on any error the page must show the end, and the agent must become free
            structlog.get_logger().exception("a game on the page failed")
            self._end("left", "the game failed; the agent's log has the reason")
        finally:
            await self._dismiss()

    async def _play(self) -> None:
        first = await self._referee.begin(self.plan.seed, () if self.plan.role is None else (self.plan.role,))
        if first.known:
            self._keep_secrets()
        self.log.may_hold(first)
        self._reach(first)
        if self.hides and self.plan.joints:
            raise RefereeError("a game with hidden information can only be played from its start")
        for made in self.plan.joints:
            self._reach(await self._referee.follow(made))
        self._remember()
        await self._seat_agents()
        self._name_players()
        while not self.log.terminal:
            await self._awaited()
            if self._left:  # before Python 3.12, a cancellation is lost if what is waited for ends at that moment
                raise asyncio.CancelledError
            joint = await self._joint_move()
            self._reach(await self._referee.advance(joint))
        self._end("over", "finished")

    async def _awaited(self) -> None:
        """Wait for the circuit, if the person has asked for that and a circuit is being built."""
        end = self._host.clock.now() + MAX_CIRCUIT_WAIT_SECONDS
        self._turn_to("waiting" if self.waiting else self.phase)
        while self.waiting and self._host.clock.now() < end and self._builds():
            await self._host.gallery.signal.after(self._host.gallery.signal.version, BEAT)
            self._keep_seats()
        self.waiting = False

    def _builds(self) -> bool:
        """Whether a faster engine is being built, according to the reports of the match."""
        told = (moment.thinking for moment in reversed(self.log.moments) if moment.thinking)
        return bool(next((one["building"] for one in told if "building" in one), self._ids and not self.hides))

    def _remember(self) -> None:
        """Copy the search figures of the same positions from the earlier game."""
        for moment, known in zip(self.log.moments, self._before, strict=False):
            if moment.facts != known.facts:
                break
            moment.thinking, moment.values, moment.at = known.thinking, known.values, known.at

    async def _seat_agents(self) -> None:
        plan = self.plan
        if plan.role is not None and not self._ids:
            self.notes.append("You play every role of this game. To see the agent play it, choose “nobody; I watch”.")

        async def seat(role: int, match_id: str) -> None:
            clocks, made = (plan.start_clock, plan.play_clock), plan.joints[:-1]  # PLAY sends the last joint move
            start = Start(match_id, plan.roles[role], plan.rules, *clocks, joints=made, simulations=plan.simulations)
            answer = await self._ask(role, start if self._remote else replace(start, player=plan.spec))
            if self._remote and answer.lower() != READY:
                refusal = "does not accept the game; it may be busy" if answer else "does not answer"
                raise RefereeError(f"{plan.opponent} {refusal}")
            if answer == BUSY:
                if self.log.note:  # the player or the rules are refused
                    raise RefereeError(self.log.note)
                del self._ids[role]
                self._host.gallery.disown(match_id)

        await asyncio.gather(*(seat(role, match_id) for role, match_id in list(self._ids.items())))
        if not plan.random and len(self._ids) < wanted(len(plan.others), self._host):
            raise RefereeError(TAKEN)
        for role in sorted(set(plan.others) - set(self._ids)):
            self.notes.append(
                f"The agent has no free match slot for {plan.roles[role]}, which moves at random. "
                "Another match may be running. Raise `server.matches` to allow more at once."
            )

    def _name_players(self) -> None:
        plan = self.plan

        def name(index: int) -> str:
            if index == plan.role:
                return "you"
            if index in self._ids:
                return self.plan.opponent or self._host.name
            return "chance" if is_chance(plan.roles[index]) else "random moves"

        self.log.players = tuple(map(name, range(len(plan.roles))))

    async def _joint_move(self) -> list[str | None]:
        """Request the moves of all roles at the same time and return them; None becomes a random move later."""
        joint: list[str | None] = [None] * len(self.plan.roles)

        async def ask(role: int, match_id: str) -> None:
            joint[role] = _move(await self._ask(role, self._told(role, match_id)))

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

    async def _ask(self, role: int, message: Message) -> str:
        """Return the answer of a role's player: the agent, or a player at an address."""
        if self._remote is None:
            return await self._host.ask(message)
        gallery, match_id = self._host.gallery, self._ids[role]
        if isinstance(message, Play | ImperfectPlay):
            gallery.asked(match_id, self.plan.play_clock)
        try:
            return await self._remote.ask(message)
        finally:
            gallery.heard(match_id, Ready())

    def _told(self, role: int, match_id: str, *, stop: bool = False) -> Play | Stop | ImperfectPlay:
        """Return the message to the match of a role: the joint move, or in GDL-II the role's own move and percepts."""
        position = self._course.position
        joint = tuple(position.joint) or None
        if position.percepts:
            own = "NIL" if joint is None else joint[role]
            return ImperfectPlay(match_id, position.step, own, tuple(position.percepts[role]), stop)
        return Stop(match_id, joint) if stop else Play(match_id, joint)

    def _keep_secrets(self) -> None:
        """Hide the agent's search figures, because they reveal what the person does not see."""
        for match_id in self._ids.values():
            self._host.gallery.own(match_id, self.log, secret=True)

    async def _persons_move(self, role: int) -> str:
        if (move := forced(self.legal, role)) is not None:
            return move
        self._choice, self._turn_began = asyncio.get_running_loop().create_future(), self._host.clock.now()
        self._turn_to("person")
        while not self._choice.done():
            await asyncio.wait([self._choice], timeout=BEAT)
            self._keep_seats()
        return self._choice.result()

    def _keep_seats(self) -> None:
        """Send a keep-alive to the agent's matches; end the game if another match has replaced one of them."""
        if self._remote:
            return
        kept = [self._host.matches.keep(match_id, idle=self.idle) for match_id in self._ids.values()]
        if not all(kept):
            self.replace()

    async def _watch(self) -> None:
        """End the game when no page has shown it for `page.idle` seconds."""
        while self._host.clock.now() <= self._touched + self._host.settings.page.idle:
            await asyncio.sleep(BEAT)
            if self.watchers:
                self.touch()
        self.leave()

    def _reach(self, position: Position) -> None:
        error = tuple("IL" if role in position.replaced else "" for role in range(len(self.plan.roles)))
        reached = Reached(position, time.time(), error)
        self._course.add(reached)
        for told, at, wrong in self._course.revealed() if position.terminal else [reached]:
            self.log.take(self._seen(told, over=position.terminal), at, wrong)
        self.legal = position.legal
        self._host.gallery.signal.change()

    def _seen(self, position: Position, *, over: bool) -> Position:
        """Return what the person knows of a position; when the game is `over`, return the full position."""
        return position if over else seen_by(position, self.plan.role)

    def _turn_to(self, phase: str) -> None:
        self.phase = phase
        self._host.gallery.signal.change()

    def _end(self, phase: str, status: str) -> None:
        self.log.status = status if phase == "over" else "left"
        if phase == "left":
            self.notes.append(f"{status[:1].upper()}{status[1:]}.")
        self._turn_to(phase)

    async def _dismiss(self) -> None:
        """End the agent's matches and the referee's process, and add the game to the history."""
        self._leaving.cancel()
        for role, match_id in self._ids.items():
            over = self._told(role, match_id, stop=True) if self.log.terminal else Abort(match_id)
            await self._ask(role, over)
            self._host.gallery.disown(match_id)
        self._referee.close()
        if self._remote:
            await self._remote.close()
        self._record()

    def _record(self) -> None:
        if self.step and self._kept:
            self._host.gallery.history.add(self.log)
        self._host.gallery.signal.change()


def _move(answer: str) -> str:
    """Parse an answer as a move; other text stays, and the referee replaces it by a random move."""
    try:
        return read_move(answer)
    except ProtocolError:
        return answer
