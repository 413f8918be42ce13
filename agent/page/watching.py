"""The matches being played, as they are told by `agent.server.watch`, kept for the page."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from agent.page.history import History, MatchLog
from agent.page.signal import Signal
from agent.protocol.messages import Start
from agent.server.watch import Watcher
from agent.worker.messages import Answered, Event, Ready, Refused, Reported, Seen, Thought

REASONS = {"stopped": "finished", "aborted": "aborted", "restarted": "started again", "refused": "refused"}
"""What the page says of how a match ended; another reason is shown as it is."""


ENDED = 8
"""Matches over whose workers are still listened to."""
TURNED_AWAY = 3
"""STARTs answered busy that are shown, the last ones."""


@dataclass(slots=True)
class Running:
    """A match under way. `owned` says that somebody else writes its positions, and only thoughts are taken here."""

    log: MatchLog
    owned: bool = False
    asked: tuple[float, float] | None = None  # when the question at hand came, and its clock; None: answered


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """A START that was answered busy, and why; `at` in seconds since 1970."""

    match_id: str
    reason: str
    at: float


class Gallery(Watcher):
    """Everything that can be seen of matches. `signal` changes whenever something new can be."""

    def __init__(self, history: History, name: str, wall: Callable[[], float] = time.time) -> None:
        self.history = history
        self.signal = Signal()
        self._name = name
        self._wall = wall
        self._running: dict[str, Running] = {}
        self.turned_away: deque[TurnedAway] = deque(maxlen=TURNED_AWAY)
        self._ended: dict[str, Running] = {}  # the last ones, whose workers may still tell something

    def own(self, match_id: str, log: MatchLog) -> None:
        """A match that somebody else writes into `log`; what the agent thinks in it is added."""
        self._running[match_id] = Running(log, owned=True)

    def disown(self, match_id: str) -> None:
        """Nothing more is to be seen of such a match."""
        if running := self._running.pop(match_id, None):
            self._keep(match_id, running)
        self.signal.change()

    def current(self) -> Running | None:
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

    def running(self, match_id: str) -> Running | None:
        """A match under way."""
        return self._running.get(match_id)

    def began(self, message: Start) -> None:
        """A match begins."""
        if message.match_id not in self._running:
            title = message.match_id
            log = MatchLog(message.match_id, title, self._wall(), message.start_clock, message.play_clock)
            self._running[message.match_id] = Running(log)
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

    def heard(self, match_id: str, event: Event) -> None:
        """The match's worker has told something."""
        running = self._running.get(match_id) or self._ended.get(match_id)
        if running is None or (isinstance(event, Seen) and running.owned):
            return
        match event:
            case Seen():
                self._see(running.log, event)
            case Thought(step, figures):
                running.log.think(step, figures, self._wall())
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

    def _keep(self, match_id: str, running: Running) -> None:
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
