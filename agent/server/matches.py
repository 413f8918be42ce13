"""What the agent answers to each message. No HTTP here: messages in, text out."""

from __future__ import annotations

import asyncio
from typing import Any

import structlog

from agent.errors import ProtocolError, SpecError
from agent.protocol.messages import Abort, ImperfectPlay, Info, Message, Moves, Play, Preview, Start, Stop
from agent.protocol.write import ABORTED, BUSY, DONE, READY, write_info
from agent.server.match import Gone, Match
from agent.server.question import Times
from agent.server.watch import NOBODY, Watcher
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import Clock

SPECIES = "alien"
"""How programs name themselves to managers that also know humans."""
REPORTED = ("engine", "playouts", "simulations", "seconds")
"""Figures about the last move that INFO tells."""
SILENCE = 10
"""Play clocks without a message after which a match is dropped, on top of its start clock."""


class Matches:
    """The matches being played, at most as many as the settings allow."""

    def __init__(self, settings: Settings, workers: Workers, clock: Clock, watcher: Watcher = NOBODY) -> None:
        self._settings = settings
        self._workers = workers
        self._clock = clock
        self._watcher = watcher
        self._matches: dict[str, Match] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._last_report: dict[str, Any] = {}
        self._log = structlog.get_logger()

    async def answer(self, message: Message, arrival: float, gone: Gone) -> str:
        """The answer to a message that arrived at `arrival`, in seconds of the clock.

        Raises ProtocolError for what is understood and not served.
        """
        match message:
            case Info():
                return self.info()
            case Preview():
                return READY
            case Start():
                return await self._start(message, arrival)
            case Play(match_id, moves):
                match = self._heard_of(match_id)
                return await match.play(moves, arrival, gone) if match else BUSY
            case Stop(match_id, moves):
                return DONE if self._end(match_id, "stopped", moves) else BUSY
            case Abort(match_id):
                return ABORTED if self._end(match_id, "aborted") else BUSY
            case ImperfectPlay():
                raise ProtocolError("games with imperfect information (GDL-II) are not played")

    def info(self) -> str:
        """Who we are and whether a match can begin; then what is known of the last move."""
        report = next(iter(self._matches.values())).report if self._matches else self._last_report
        more = {key: str(report[key]) for key in REPORTED if key in report}
        return write_info(self._settings.server.name, free=self.free, species=SPECIES, more=more)

    @property
    def free(self) -> bool:
        """Whether a match can begin."""
        return len(self._matches) < self._settings.server.matches and self._workers.warm

    def keep(self, match_id: str) -> bool:
        """Count the silence of a match anew, as its manager is there and waits for others; whether it runs."""
        return self._heard_of(match_id) is not None

    def close(self) -> None:
        """End all matches; questions still open are answered with the best move known."""
        for match_id in list(self._matches):
            self._end(match_id, "the agent stops")

    async def _start(self, message: Start, arrival: float) -> str:
        match_id = message.match_id
        self._end(match_id, "restarted")
        if not await self._warm_by(Times.of(arrival, message.start_clock, self._settings.clock).due):
            self._log.warning("busy: kernels are still being compiled", match=match_id)
            return BUSY
        if len(self._matches) >= self._settings.server.matches:
            self._log.info("busy: another match runs", match=match_id)
            return BUSY
        self._log.info(
            "match starts", match=match_id, role=message.role, clocks=(message.start_clock, message.play_clock)
        )
        self._watcher.began(message)
        match = Match(message, self._workers, self._settings, self._clock, arrival, self._watcher)
        self._matches[match_id] = match
        self._silence_after(message)
        answer = await match.start()
        if answer == BUSY and self._matches.get(match_id) is match:
            self._end(match_id, "refused")
        return answer

    async def _warm_by(self, due: float) -> bool:
        """Whether a match could begin at `due`; a cold start compiles for some seconds, a second one does not."""
        if self._workers.warm:
            return True
        try:
            await asyncio.wait_for(self._workers.wait_warm(), max(due - self._clock.now(), 0))
        except TimeoutError:
            return False
        except SpecError:
            return True  # the match is refused with the reason
        return True

    def _heard_of(self, match_id: str) -> Match | None:
        match = self._matches.get(match_id)
        if match is not None:
            self._silence_after(match.message)
        return match

    def _silence_after(self, message: Start) -> None:
        """Count the silence of a match anew."""
        seconds = max(message.start_clock + SILENCE * message.play_clock, self._settings.clock.silence)
        if timer := self._timers.get(message.match_id):
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[message.match_id] = loop.call_later(seconds, self._end, message.match_id, "dropped after silence")

    def _end(self, match_id: str, reason: str, moves: Moves = None) -> bool:
        """End a match; whether there was one."""
        match = self._matches.pop(match_id, None)
        if match is None:
            return False
        self._timers.pop(match_id).cancel()
        self._last_report = match.report or self._last_report
        match.end(moves)
        self._watcher.ended(match_id, reason)
        self._log.info("match ends", match=match_id, reason=reason)
        return True
