"""Game between people: each takes a role by the link of an invitation, and the referee's process applies the rules.

The agent plays no role. In GDL-II each person sees what its role knows, and watchers see nothing until the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Sequence
from sys import intern

import structlog
from msgspec.structs import replace

from agent.page.errors import PageError, RefereeError
from agent.page.games.course import Course, Reached
from agent.page.games.game_plan import GamePlan
from agent.page.games.person_game import BEAT, OVER, RELOAD
from agent.page.games.role_view import forced, seen_by
from agent.page.history import MatchLog
from agent.page.host import KEY_BYTES, Host
from agent.page.referee import Referee
from agent.worker.worker_messages import Position
from reasoner.rules.chance import is_chance

AWAY = 600.0
"""Seconds without an open page of a person after which a game ends. A phone suspends the page while a link is sent."""
PERSON = "a person"
"""Name of a person in the history."""
LATE = "TO"
"""Error of a move that came too late, in the spelling of a match record."""


class Seat:
    """The place of one person with a secret key, or of all watchers with a public one; then `role` is None."""

    def __init__(self, game: PeopleGame, role: int | None) -> None:
        self.game = game
        self.role = role
        self.key = secrets.token_urlsafe(KEY_BYTES)
        self.taken = False
        self.token = ""  # of the request that took the place
        self.pages = 0  # number of open pages
        self._left = 0.0  # time at which the last page was closed

    @property
    def log(self) -> MatchLog:
        """The game as this place sees it."""
        return self.game.log_of(self.role)

    @property
    def present(self) -> bool:
        """Whether a page shows the game from this place, or is only reloading."""
        return self.taken and (self.pages > 0 or self.game.now() <= self._left + RELOAD)

    def expect(self) -> None:
        """Count the person as present until its page opens."""
        self._left = self.game.now()

    def arrive(self) -> None:
        """Count an opened page."""
        self.pages += 1
        self.game.touch(self)

    def depart(self) -> None:
        """Count a closed page."""
        self.pages -= 1
        self._left = self.game.now()
        self.game.touch(self)


class PeopleGame:
    """One game; every visible change triggers the gallery's signal. `seconds` is the time of a move, 0: no limit."""

    def __init__(self, name: str, plan: GamePlan, referee: Referee, host: Host, asker: str) -> None:
        """Start the game. `name` is public; `asker` is the client address that made it."""
        self.name = name
        self.plan = plan
        self.asker = asker
        self.invite = secrets.token_urlsafe(KEY_BYTES)  # secret: its holder may take a free role
        self.phase = "preparing"  # preparing, inviting, playing, over, left
        self.even = False  # whether the people may agree on a draw
        self.offers: set[int] = set()  # roles that offer a draw
        self.awaited: list[int] = []  # roles whose moves are missing
        self.asked: tuple[float, float] | None = None  # time of the current request and its clock
        self.log = self._new_log()
        self.seats = {role: Seat(self, role) for role, name in enumerate(plan.roles) if not is_chance(name)}
        self.watching = Seat(self, None)
        self._logs: dict[int, MatchLog] = {}  # what each role knows, in a running game with hidden information
        self._referee = referee
        self._host = host
        self._course = Course()
        self._chosen: dict[int, str] = {}
        self._taken, self._complete = asyncio.Event(), asyncio.Event()
        self._ended, self._reason = False, "the game was left"
        self._touched = self.now()
        self.rematch: PeopleGame | None = None
        self.heirs: dict[int, Seat] = {}  # places in the rematch, by the role in this game
        self.rematching = asyncio.Lock()  # two people who ask at once get one game
        self._leaving = asyncio.create_task(self._watch())
        self.task = asyncio.create_task(self._run())

    def now(self) -> float:
        """Return the time of the agent's clock."""
        return self._host.clock.now()

    @property
    def hides(self) -> bool:
        """Whether the game has hidden information."""
        return self._course.percepts

    @property
    def step(self) -> int:
        """Number of joint moves made."""
        return self.log.turn

    @property
    def over(self) -> bool:
        """Whether the game has ended, or will in the next steps of the event loop."""
        return self.phase in OVER or self._ended

    @property
    def empty(self) -> bool:
        """Whether no page shows the game."""
        return not any(seat.pages for seat in (*self.seats.values(), self.watching))

    @property
    def stale(self) -> bool:
        """Whether the game is over, and nobody can be expected to ask for a rematch."""
        return self.over and self.empty and self.now() > self._touched + AWAY

    @property
    def unseen(self) -> bool:
        """Whether no person has the game open."""
        return self.now() > self._touched + RELOAD and not any(seat.present for seat in self.seats.values())

    def log_of(self, role: int | None) -> MatchLog:
        """Return the game as a role sees it; None is a watcher."""
        return self.log if role is None else self._logs.get(role, self.log)

    def legal(self, role: int) -> Sequence[str]:
        """Return the legal moves of a role in the current position."""
        last = self._course.last
        return last.position.legal[role] if last and last.position.legal else []

    def percepts(self, role: int) -> Sequence[str]:
        """Return what a role has perceived since its last choice, in GDL-II."""
        return self._course.perceived[role] if self.hides else ()

    def touch(self, seat: Seat) -> None:
        """Record that the page of a person was opened or closed."""
        if seat.role is not None:
            self._touched = self.now()
            self._host.gallery.signal.change()

    def take(self, role: int, token: str = "") -> Seat:
        """Give a role to a person, again if the person's secret `token` has it: the first answer may be lost.

        Raises PageError if somebody else has the role.
        """
        seat = self.seats.get(role)
        if seat is not None and token and secrets.compare_digest(_bytes(seat.token), _bytes(token)):
            return seat
        if seat is None or seat.taken or self.over:
            raise PageError("this role is no longer free; take another one, or watch")
        seat.taken, seat.token = True, token
        seat.expect()
        if all(one.taken for one in self.seats.values()):
            self._taken.set()
        self.touch(seat)
        return seat

    def choose(self, seat: Seat, step: int, move: str) -> None:
        """Make a person's move after `step` joint moves. Raises PageError if the move is late or illegal."""
        role = self._player(seat)
        if step != self.step or role not in self.awaited:
            raise PageError("it is no longer your turn; check the board")
        if move not in self.legal(role):
            raise PageError("this move is not legal here; choose one of the listed moves")
        self._chosen[role] = move
        self.awaited.remove(role)
        self.offers &= {role}  # a move declines the offers of the others
        if not self.awaited:
            self._complete.set()
        self._host.gallery.signal.change()

    def offer(self, seat: Seat) -> None:
        """Offer a draw, or accept the offer of the others. Raises PageError if the rules have no draw."""
        role = self._player(seat)
        if not self.even:
            raise PageError("the rules of this game have no draw")
        self.offers.add(role)
        if self.offers == set(self.seats):
            self.end("draw agreed")
        self._host.gallery.signal.change()

    def resign(self, seat: Seat) -> None:
        """Give the game up. Raises PageError if it has not begun or is over."""
        self.end(f"{self.plan.roles[self._player(seat)]} resigned")

    def leave(self, seat: Seat) -> None:
        """Leave the game, which ends it. A watcher ends nothing."""
        if seat.role is not None:
            self.end(f"{self.plan.roles[seat.role]} left")

    def end(self, reason: str = "") -> None:
        """End the game for a reason that people see."""
        if not self.over:
            self._ended, self._reason = True, reason or self._reason
            self.task.cancel()

    def _player(self, seat: Seat) -> int:
        """Return the role of a place in a running game. Raises PageError."""
        if seat.role is None:
            raise PageError("you watch this game; only its players may do this")
        if self.phase != "playing":
            raise PageError("the game is not running; check the board")
        return seat.role

    def _new_log(self) -> MatchLog:
        plan = self.plan
        log = MatchLog(self.name, plan.title, time.time(), plan.start_clock, plan.play_clock, plan.roles)
        log.rules = intern(plan.rules)
        log.players = tuple("chance" if is_chance(role) else PERSON for role in plan.roles)
        return log

    async def _run(self) -> None:
        try:
            await self._play()
            self._finish("over", "finished")
        except RefereeError as error:
            self._finish("left", str(error))
        except asyncio.CancelledError:
            self._finish("left", self._reason)
            raise
        except Exception:  # on any error the page must show the end, and the process must end
            structlog.get_logger().exception("a game between people failed")
            self._finish("left", "the game failed; the agent's log has the reason")
        finally:
            self._leaving.cancel()
            self._referee.close()

    async def _play(self) -> None:
        first = await self._referee.begin(self.plan.seed, list(self.seats))
        if first.known:
            self._logs = {role: self._new_log() for role in self.seats}
        for log in (self.log, *self._logs.values()):
            log.may_hold(first)
        self.even = first.even
        self._reach(first)
        if self.hides and self.plan.joints:
            raise RefereeError("a game with hidden information can only be played from its start")
        for made in self.plan.joints:
            self._reach(await self._referee.follow(made))
        self._turn_to("inviting")
        await self._taken.wait()
        self._turn_to("playing")
        while not self.log.terminal:
            joint = await self._joint_move()
            late = [role for role in self.seats if joint[role] is None]
            self._reach(await self._referee.advance(joint), late)

    async def _joint_move(self) -> list[str | None]:
        """Return the moves of all roles; None, of chance or of a late person, later becomes a random move."""
        position = self._course.position
        self._chosen = {role: move for role in self.seats if (move := forced(position.legal, role)) is not None}
        self.awaited = [role for role in self.seats if role not in self._chosen]
        if self.awaited:
            seconds = self.plan.play_clock
            self.asked = (time.time(), seconds) if seconds else None
            self._complete.clear()
            self._host.gallery.signal.change()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds or None):  # before Python 3.12, `wait_for` may lose a cancellation
                    await self._complete.wait()
            self.asked, self.awaited = None, []
        return [self._chosen.get(role) for role in range(len(self.plan.roles))]

    async def _watch(self) -> None:
        """End the game when no person has had it open for `AWAY` seconds."""
        while self.now() <= self._touched + AWAY:
            await asyncio.sleep(BEAT)
            if any(seat.pages for seat in self.seats.values()):
                self._touched = self.now()
        self.end("everybody left")

    def _reach(self, position: Position, late: Sequence[int] = ()) -> None:
        """Add a position to the logs, as each place sees it."""
        error = tuple(LATE if role in late else "" for role in range(len(self.plan.roles)))
        reached = Reached(position, time.time(), error)
        self._course.add(reached)
        if position.terminal:
            self._reveal()
        else:
            self._log(reached, None)
            for role in self._logs:
                self._log(reached, role)
        self._host.gallery.signal.change()

    def _log(self, reached: Reached, role: int | None) -> None:
        position, at, error = reached
        if self._logs:  # how many moves the others have may be hidden, too
            legal = [moves if one == role else [] for one, moves in enumerate(position.legal)]
            position = replace(seen_by(position, role), legal=legal)
        self.log_of(role).take(position, at, error)

    def _reveal(self) -> None:
        """Show the whole game to everybody."""
        self._logs = {}
        for position, at, error in self._course.revealed():
            self.log.take(position, at, error)

    def _turn_to(self, phase: str) -> None:
        self.phase = phase
        self._host.gallery.signal.change()

    def _finish(self, phase: str, status: str) -> None:
        """End the game, and add it to the history if moves were made."""
        if phase == "left" and self._logs:
            self._reveal()
        self.awaited, self.asked = [], None
        self.log.status = status
        if self.step:
            self._host.gallery.history.add(self.log)
        self._turn_to(phase)


def _bytes(token: str) -> bytes:
    return token.encode("utf-8", "surrogatepass")  # JSON may hold lone surrogates
