"""The matches being played, as they are told by `agent.server.watch`, kept for the page; and who waits for news."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from sys import intern  # matches of one game share its text

from agent.page.history import History, MatchLog
from agent.protocol.messages import Start
from agent.server.watch import MatchWatcher
from agent.worker.messages import Answered, MatchEvent, Ready, Refused, Reported, Seen, Thought

REASONS = {"stopped": "finished", "aborted": "aborted", "restarted": "started again", "refused": "refused"}
"""What the page says of how a match ended; another reason is shown as it is."""


ENDED = 8
"""Matches over whose workers are still listened to."""
TURNED_AWAY = 3
"""STARTs answered busy that are shown, the last ones."""


class Signal:
    """Counts changes; `after` waits for one that has not been seen."""

    def __init__(self) -> None:
        self.version = 0
        self._changed = asyncio.Event()

    def change(self) -> None:
        """Something has changed."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def after(self, version: int, seconds: float) -> int:
        """The version now, as soon as it is another than `version`, and after `seconds` in any case."""
        if self.version == version:
            waiting = asyncio.create_task(self._changed.wait())
            await asyncio.wait([waiting], timeout=seconds)
            waiting.cancel()
        return self.version


@dataclass(slots=True)
class RunningMatch:
    """A match under way. `owned` says that somebody else writes its positions, and only thoughts are taken here."""

    log: MatchLog
    owned: bool = False
    role: int | None = None  # the agent's, of several at one table
    secret: bool = False  # whether thoughts are not taken, either
    asked: tuple[float, float] | None = None  # when the question at hand came, and its clock; None: answered


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """A START that was answered busy, and why; `at` in seconds since 1970."""

    match_id: str
    reason: str
    at: float


class Gallery(MatchWatcher):
    """Everything that can be seen of matches. `signal` changes whenever something new can be."""

    def __init__(self, history: History, name: str, wall: Callable[[], float] = time.time) -> None:
        self.history = history
        self.signal = Signal()
        self._name = name
        self._wall = wall
        self._running: dict[str, RunningMatch] = {}
        self.turned_away: deque[TurnedAway] = deque(maxlen=TURNED_AWAY)
        self._ended: dict[str, RunningMatch] = {}  # the last ones, whose workers may still tell something

    def own(self, match_id: str, log: MatchLog, role: int | None = None, *, secret: bool = False) -> None:
        """A match that somebody else writes into `log`; what is thought in it as `role` is added, unless `secret`."""
        self._running[match_id] = RunningMatch(log, owned=True, role=role, secret=secret)

    def disown(self, match_id: str) -> None:
        """Nothing more is to be seen of such a match."""
        if running := self._running.pop(match_id, None):
            self._keep(match_id, running)
        self.signal.change()

    def current(self) -> RunningMatch | None:
        """The match to show: the one that began last."""
        return next(reversed(self._running.values()), None)

    def beside(self) -> list[str]:
        """The titles of the matches under way that are not the one to show; a game counts once for all its roles."""
        shown = self.current()
        logs = {id(running.log): running.log.title for running in self._running.values()}
        return [title for log, title in logs.items() if shown is None or log != id(shown.log)]

    def log_of(self, match_id: str) -> MatchLog | None:
        """What is known of a match under way."""
        running = self._running.get(match_id)
        return running.log if running else None

    def running(self, match_id: str) -> RunningMatch | None:
        """A match under way."""
        return self._running.get(match_id)

    def began(self, message: Start) -> None:
        """A match begins."""
        if message.match_id not in self._running:
            title = message.match_id
            log = MatchLog(message.match_id, title, self._wall(), message.start_clock, message.play_clock)
            log.rules = intern(message.rules)
            self._running[message.match_id] = RunningMatch(log)
        self.signal.change()

    def refused(self, match_id: str, reason: str) -> None:
        """A START was answered busy."""
        self.turned_away.append(TurnedAway(match_id, reason, self._wall()))
        self.signal.change()

    def asked(self, match_id: str, seconds: float) -> None:
        """A clock begins."""
        if running := self._running.get(match_id):
            running.asked = (self._wall(), seconds)
            self.signal.change()

    def heard(self, match_id: str, event: MatchEvent) -> None:
        """The match's worker has told something."""
        running = self._running.get(match_id) or self._ended.get(match_id)
        if running is None or (isinstance(event, Seen) and running.owned):
            return
        if isinstance(event, Thought) and running.secret:
            return
        match event:
            case Seen():
                self._see(running.log, event)
            case Thought(step, figures):
                running.log.think(step, figures, self._wall(), running.role)
            case Ready() | Answered():
                running.asked = None
            case Refused(reason, faults):
                running.log.note, running.log.faults = reason, faults
            case Reported():
                pass  # INFO tells of it
            case _:
                return  # nothing of it can be seen
        self.signal.change()

    def ended(self, match_id: str, reason: str) -> None:
        """A match is over."""
        running = self._running.get(match_id)
        if running is None or running.owned:
            return
        del self._running[match_id]
        running.log.status = REASONS.get(reason, reason)
        self.history.add(running.log)
        self._keep(match_id, running)
        self.signal.change()

    def _keep(self, match_id: str, running: RunningMatch) -> None:
        """A match is over; what its worker still tells of it is heard until a few others have ended."""
        self._ended.pop(match_id, None)
        self._ended[match_id] = running
        if len(self._ended) > ENDED:
            del self._ended[next(iter(self._ended))]

    def _see(self, log: MatchLog, event: Seen) -> None:
        if not log.roles:
            log.roles, log.role = tuple(event.roles), event.role
            log.players = tuple(self._name if i == log.role else "" for i in range(len(log.roles)))
        log.take(event, self._wall(), again=event.again)
