"""What the agent answers to each message. No HTTP here: messages in, text out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import structlog

from agent.errors import SpecError
from agent.journal.folder import Journals
from agent.journal.journal import NO_JOURNAL, Journal
from agent.journal.replayed_match import ReplayedMatch, known
from agent.protocol.messages import Abort, ImperfectPlay, Info, Message, Moves, Play, Preview, Start, Stop
from agent.protocol.observation import item_of
from agent.protocol.write import ABORTED, BUSY, DONE, READY, write_info
from agent.server.match import Gone, Match, Shared
from agent.server.metrics import Metrics
from agent.server.question import Deadlines
from agent.server.rate import Rate
from agent.server.watch import NOBODY, MatchWatcher
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import Clock

SPECIES = "alien"
"""How programs name themselves to managers that also know humans."""
REPORTED = ("engine", "playouts", "simulations", "seconds", "solved", "by")
"""Figures about the last move that INFO tells."""
DOWN = 600.0
"""Seconds that an agent may have been down, beyond that silence, and still go on with a match."""
WARMING = 60.0
"""Seconds of silence more for a match that is gone on with: nobody is heard before this agent is warm."""
STOPPING = "the agent stops"
SILENCE = 10
"""Play clocks without a message after which a match is dropped, on top of its start clock."""


class Matches:
    """The matches being played, at most as many as the settings allow."""

    def __init__(
        self,
        settings: Settings,
        workers: Workers,
        clock: Clock,
        watcher: MatchWatcher = NOBODY,
        metrics: Metrics | None = None,
    ) -> None:
        self._settings = settings
        self._workers = workers
        self._clock = clock
        self._watcher = watcher
        self._journals: Journals | None = None
        self.metrics = metrics or Metrics()
        self._shared = Shared(settings, workers, clock, watcher, self.metrics)
        self._stopping = False
        self._rate = Rate(settings.server.starts_per_minute)
        self._written: dict[str, Journal] = {}
        self._matches: dict[str, Match] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._last_report: dict[str, Any] = {}  # of the match that ended last; its worker may still fill it
        self._report_before: dict[str, Any] = {}
        self._log = structlog.get_logger()

    async def answer(self, message: Message, arrival: float, gone: Gone) -> str:
        """The answer to a message that arrived at `arrival`, in seconds of the clock."""
        self.metrics.messages.labels(type(message).__name__.lower()).inc()
        match message:
            case Info():
                info = self.info()
                self.metrics.info_seconds.observe(max(self._clock.now() - arrival, 0.0))
                return info
            case Preview():  # nothing is prepared; managers learn whether a START would be taken
                return READY if self.free else BUSY
            case Start():
                return await self._start(message, arrival)
            case Play(match_id, moves):
                match = self._heard_of(match_id)
                return await match.play(moves, arrival, gone) if match else BUSY
            case Stop(match_id, moves):
                return DONE if self._end(match_id, "stopped", moves) else BUSY
            case Abort(match_id):
                return ABORTED if self._end(match_id, "aborted") else BUSY
            case ImperfectPlay(match_id, stop=True):
                return DONE if self._end(match_id, "stopped", item_of(message)) else BUSY
            case ImperfectPlay(match_id):
                match = self._heard_of(match_id)
                return await match.play(item_of(message), arrival, gone) if match else BUSY

    def info(self) -> str:
        """Who we are and whether a match can begin; then what is known of the last move."""
        ended = self._last_report or self._report_before
        report = next(iter(self._matches.values())).report if self._matches else ended
        more = {key: str(report[key]) for key in REPORTED if key in report}
        return write_info(self._settings.server.name, free=self.free, species=SPECIES, more=more)

    @property
    def free(self) -> bool:
        """Whether a match can begin."""
        return self.room > 0 and self._workers.warm

    @property
    def room(self) -> int:
        """How many matches can begin besides those that run, once the agent is warm."""
        now = self._clock.now()
        running = sum(not match.overdue(now) for match in self._matches.values())
        return 0 if self._stopping else max(0, self._settings.server.matches - running)

    @property
    def state(self) -> str:
        """In a word, how it stands with the agent: available, busy, warming up, stopping."""
        if self._stopping:
            return "stopping"
        return "warming up" if not self._workers.warm else "available" if self.free else "busy"

    @property
    def trouble(self) -> str | None:
        """Why no match can begin though it should; None where nothing is wrong."""
        trouble = self._workers.trouble
        return None if trouble is None else f"there is no fork server: {trouble}"

    def __len__(self) -> int:
        return len(self._matches)

    def starts(self) -> list[Start]:
        """How the matches that run began, the newest last."""
        return [match.message for match in self._matches.values()]

    def admit(self) -> bool:
        """Whether one more process may begin for somebody who looks at rules; it counts as a START does."""
        now = self._clock.now()
        if self._rate.full(now):
            self.metrics.error("too many starts")
            return False
        self._rate.count(now)
        return True

    def keep(self, match_id: str) -> bool:
        """Count the silence of a match anew, as its manager is there and waits for others; whether it runs."""
        return self._heard_of(match_id) is not None

    def close(self) -> None:
        """End all matches; questions still open are answered with the best move known. Journals stay unfinished."""
        self._stopping = True
        for match_id in list(self._matches):
            self._end(match_id, STOPPING)

    async def finish(self, seconds: float) -> None:
        """Take no match any more, and wait for the answers to what was asked, at most so long."""
        self._stopping = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(match.finished() for match in self._matches.values()))

    async def caught_up(self, seconds: float) -> None:
        """Wait until the matches that were gone on with could be played, at most so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(match.caught_up.wait() for match in self._matches.values()))

    def restore(self, journals: Journals | None, left: Callable[[Start], bool] = lambda _: False) -> None:
        """Keep journals from now on, and go on with the matches that an earlier agent has left in them.

        The newest comes first, and none that is `left` by all.
        """
        self._journals = journals
        if journals is None:
            return
        for journal, replayed in reversed(journals.unfinished()):
            recent = journals.age(replayed) < DOWN + _silence(replayed.start, self._settings)
            fits = len(self._matches) < self._settings.server.matches and replayed.start.match_id not in self._matches
            if replayed.ended is None and recent and fits and not left(replayed.start):
                self._go_on(journal, replayed)
            else:
                journal.add("end", reason="dropped while the agent was down", moves=None)
                journals.end(journal)

    async def _start(self, message: Start, arrival: float) -> str:
        match_id = message.match_id
        running = self._matches.get(match_id)
        if running is not None and running.just_started(message):
            self._log.info("the same START again", match=match_id)
            return await running.started()
        refusal = self._refusal(match_id, message.rules, arrival)
        if refusal is None and not await self._warm_by(
            Deadlines.of(arrival, message.start_clock, self._settings.clock).due
        ):
            refusal = "kernels are still being compiled"
        if refusal is not None:
            return self._turned_away(match_id, refusal)
        self._end(match_id, "restarted")
        self._drop_overdue(arrival)
        if len(self._matches) >= self._settings.server.matches:
            return self._turned_away(match_id, "another match runs; the setting server.matches lets more run at once")
        return await self._begun(message, arrival)

    def _turned_away(self, match_id: str, reason: str) -> str:
        self._log.warning(f"busy: {reason}", match=match_id)
        self._watcher.refused(match_id, reason)
        return BUSY

    async def _begun(self, message: Start, arrival: float) -> str:
        match_id = message.match_id
        self._log.info(
            "match starts", match=match_id, role=message.role, clocks=(message.start_clock, message.play_clock)
        )
        self._watcher.began(message)
        journal = self._journals.begin(message) if self._journals is not None else None
        if journal is not None and message.joints:
            journal.add("applied", n=0, keep=0, added=message.joints)
        match = self._match(message, arrival, journal)
        self._silence_after(message)
        answer = await match.start()
        if answer == BUSY and self._matches.get(match_id) is match:
            self._end(match_id, "refused")
        return answer

    def _go_on(self, journal: Journal, replayed: ReplayedMatch) -> None:
        self._log.info("going on with a match", match=replayed.start.match_id, turn=known(replayed.joints))
        self._watcher.began(replayed.start)
        journal.add("again")
        match = self._match(replayed.start, self._clock.now(), journal)
        self._silence_after(replayed.start, WARMING)
        match.go_on(replayed)

    def _match(self, message: Start, arrival: float, journal: Journal | None) -> Match:
        match = Match(message, self._shared, arrival, journal or NO_JOURNAL)
        self._matches[message.match_id] = match
        if journal is not None:
            self._written[message.match_id] = journal
        self.metrics.started.inc()
        self.metrics.matches.set(len(self._matches))
        return match

    def _refusal(self, match_id: str, rules: str, arrival: float) -> str | None:
        """Why no match can begin now, whatever runs; each START that could begin one is counted."""
        if self._stopping:
            return "the agent is about to stop"
        if self._rate.full(arrival):
            self.metrics.error("too many starts")
            return "more STARTs than server.starts_per_minute allows"
        if len(rules) > self._settings.rules.characters:
            return f"the rules have {len(rules):,} characters, more than rules.characters allows"
        if match_id in self._matches or self.free or not self._workers.warm:
            self._rate.count(arrival)
        return None

    def _drop_overdue(self, now: float) -> None:
        """Make room where a match's manager has most likely gone."""
        for match_id, match in list(self._matches.items()):
            if len(self._matches) >= self._settings.server.matches and match.overdue(now):
                self._end(match_id, "dropped for another match")

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
            match.kept = self._clock.now()
            self._silence_after(match.message)
        return match

    def _silence_after(self, message: Start, more: float = 0.0) -> None:
        """Count the silence of a match anew, and so many seconds more."""
        seconds = _silence(message, self._settings) + more
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
        self._report_before, self._last_report = self._last_report or self._report_before, match.report
        match.end(moves)
        self._write_end(match_id, reason, moves)
        self.metrics.ended.labels(reason).inc()
        self.metrics.matches.set(len(self._matches))
        self._watcher.ended(match_id, reason)
        self._log.info("match ends", match=match_id, reason=reason)
        return True

    def _write_end(self, match_id: str, reason: str, moves: Moves) -> None:
        """The last line of a journal, unless the match only waits for the agent to be started again."""
        journal = self._written.pop(match_id, None)
        if journal is None or self._journals is None:
            return
        if reason == STOPPING:  # to be gone on with
            journal.close()
        else:
            journal.add("end", reason=reason, moves=moves)
            self._journals.end(journal)


def _silence(message: Start, settings: Settings) -> float:
    """Seconds without a message after which a match is dropped."""
    return max(message.start_clock + SILENCE * message.play_clock, settings.clock.silence)
