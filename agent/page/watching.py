"""Running matches for the page, fed by `agent.server.watch`, and the signal of changes."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from sys import intern  # matches of one game share the text of its rules

from agent.page.history import History, MatchLog
from agent.protocol.messages import Start
from agent.server.watch import MatchWatcher
from agent.worker.worker_messages import Answered, MatchEvent, Ready, Refused, Reported, Seen, Thought

REASONS = {"stopped": "finished", "aborted": "aborted", "restarted": "started again", "refused": "refused"}
"""Texts that the page shows for the reasons of a match's end; other reasons are shown unchanged."""


TURNED_AWAY = 3
"""Maximum refused STARTs that are shown."""


class Signal:
    """Counter of changes; `after` waits for the next one."""

    def __init__(self) -> None:
        self.version = 0
        self._changed = asyncio.Event()

    def change(self) -> None:
        """Count a change."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def after(self, version: int, seconds: float) -> int:
        """Return the version once it differs from `version`, or after `seconds`."""
        if self.version == version:
            waiting = asyncio.create_task(self._changed.wait())
            await asyncio.wait([waiting], timeout=seconds)
            waiting.cancel()
        return self.version


@dataclass(slots=True)
class RunningMatch:
    """A running match. If `owned`, a game on the page adds the positions, and the gallery adds only search figures."""

    log: MatchLog
    owned: bool = False
    role: int | None = None  # the agent's role in a game on the page
    secret: bool = False  # whether search figures are ignored, too
    asked: tuple[float, float] | None = None  # time of the current request and its clock; None: answered


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """A START that was answered busy, and why; `at` in seconds since 1970."""

    match_id: str
    reason: str
    at: float


class Gallery(MatchWatcher):
    """Logs of running matches and the history. `signal` changes with every visible change."""

    def __init__(self, history: History, name: str, wall: Callable[[], float] = time.time) -> None:
        self.history = history
        self.signal = Signal()
        self._name = name
        self._wall = wall
        self._running: dict[str, RunningMatch] = {}
        self.turned_away: deque[TurnedAway] = deque(maxlen=TURNED_AWAY)

    def own(self, match_id: str, log: MatchLog, role: int | None = None, *, secret: bool = False) -> None:
        """Register a match of a game on the page, which writes `log`; figures of `role` are added, unless `secret`."""
        self._running[match_id] = RunningMatch(log, owned=True, role=role, secret=secret)

    def disown(self, match_id: str) -> None:
        """Unregister a match of a game on the page."""
        self._running.pop(match_id, None)
        self.signal.change()

    def current(self) -> RunningMatch | None:
        """Return the match to show: the one that started last."""
        return next(reversed(self._running.values()), None)

    def beside(self) -> list[str]:
        """Return the titles of the other running matches; a game on the page counts once."""
        shown = self.current()
        logs = {id(running.log): running.log.title for running in self._running.values()}
        return [title for log, title in logs.items() if shown is None or log != id(shown.log)]

    def log_of(self, match_id: str) -> MatchLog | None:
        """Return the log of a running match by its public id; the ids of a game's matches on the page are secret."""
        return next((running.log for running in self._running.values() if running.log.match_id == match_id), None)

    def running(self, match_id: str) -> RunningMatch | None:
        """Return a running match."""
        return self._running.get(match_id)

    def began(self, message: Start) -> None:
        """Handle the start of a match."""
        if message.match_id not in self._running:
            title = message.match_id
            log = MatchLog(message.match_id, title, self._wall(), message.start_clock, message.play_clock)
            log.rules = intern(message.rules)
            self._running[message.match_id] = RunningMatch(log)
        self.signal.change()

    def refused(self, match_id: str, reason: str) -> None:
        """Handle a START that was answered busy."""
        self.turned_away.append(TurnedAway(match_id, reason, self._wall()))
        self.signal.change()

    def asked(self, match_id: str, seconds: float) -> None:
        """Handle the start of a clock."""
        if running := self._running.get(match_id):
            running.asked = (self._wall(), seconds)
            self.signal.change()

    def heard(self, match_id: str, event: MatchEvent) -> None:
        """Handle an event of the match's worker."""
        if running := self._running.get(match_id):
            self._hear(running, event)

    def receiver(self, match_id: str) -> Callable[[MatchEvent], None]:
        """Return the receiver of the events that the match's worker sends after the end."""
        running = self._running.get(match_id)
        return partial(self._hear, running) if running else lambda _: None

    def _hear(self, running: RunningMatch, event: MatchEvent) -> None:
        if (running.owned and isinstance(event, Seen)) or (running.secret and isinstance(event, Thought)):
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
                pass  # shown by INFO
            case _:
                return  # not visible
        self.signal.change()

    def ended(self, match_id: str, reason: str) -> None:
        """Handle the end of a match."""
        running = self._running.get(match_id)
        if running is None or running.owned:
            return
        del self._running[match_id]
        running.log.status, running.log.ended = REASONS.get(reason, reason), self._wall()
        self.history.add(running.log)
        self.signal.change()

    def _see(self, log: MatchLog, event: Seen) -> None:
        if not log.roles:
            log.roles, log.role = tuple(event.roles), event.role
            log.players = tuple(self._name if i == log.role else "" for i in range(len(log.roles)))
        log.take(event, self._wall(), again=event.again)
