"""Dispatch of messages to matches, without HTTP: messages in, text out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import structlog

from agent.journal.folder import Journals
from agent.journal.journal import NO_JOURNAL, Journal
from agent.journal.replayed_match import ReplayedMatch, known
from agent.protocol.messages import Abort, ImperfectPlay, Info, Message, Moves, Play, Preview, Start, Stop
from agent.protocol.observation import item_of
from agent.protocol.write import ABORTED, BUSY, DONE, READY, write_info
from agent.server.managers import Managers, manager_of
from agent.server.match import Match
from agent.server.match_journals import STOPPING, MatchJournals
from agent.server.metrics import Metrics
from agent.server.question import Deadlines, check_clocks
from agent.server.rate import Rate
from agent.server.room import Room
from agent.server.shared import Shared
from agent.server.silence import Silence
from agent.server.successor import Successor
from agent.server.waiters import Gone, Waiters
from agent.server.watch import NOBODY, HeldWatcher, MatchWatcher
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import Clock

SPECIES = "alien"
"""Species of programs, for managers that distinguish them from humans."""
REPORTED = ("engine", "lanes", "playouts", "simulations", "seconds", "solved", "by")
"""Figures of the last move in the answer to INFO."""
DOWN = 600.0
"""A match is resumed if its last message is no older than its silence limit plus this many seconds."""
WARMING = 60.0
"""Additional seconds of silence for a resumed match, because the agent warms up first."""
WAITING = (Start, Play, ImperfectPlay)
"""Messages whose answers may take a whole clock."""
REPLACED, REFUSED = "restarted", "refused"
BY_MANAGER = ("stopped", "aborted")


class Matches:
    """The running matches, limited by `server.matches`."""

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
        self._journals = MatchJournals()
        self.metrics = metrics or Metrics()
        self._shared = Shared(settings, workers, clock, watcher, self.metrics)
        self._stopping = False
        self._rate = Rate(settings.server.starts_per_minute)
        self._page_rate = Rate(settings.server.starts_per_minute)
        self._waiters = Waiters(settings.server.matches, settings.server.connections)
        self._managers = Managers()
        self._matches: dict[str, Match] = {}
        self._room = Room(self._matches, settings.server.matches, clock, self._drop)
        self._successors: dict[str, Successor] = {}  # by id of the match before
        self._silence = Silence(settings, lambda match_id: self._end(match_id, "dropped after silence"))
        self._last_report: dict[str, Any] = {}  # of the last ended match; its worker may still fill it
        self._report_before: dict[str, Any] = {}
        self._log = structlog.get_logger()

    async def answer(self, message: Message, arrival: float, gone: Gone, sender: str | None = None) -> str:
        """Answer a message of the manager `sender` that arrived at `arrival`, in seconds of the clock.

        Without a sender, the message is from the agent's own page. Raises CrowdedError if too many managers wait for
        answers, ProtocolError for a START with too long a clock.
        """
        if not isinstance(message, Info | Preview | Start) and self._managers.refused(message.match_id, sender):
            return BUSY
        if sender is None or not isinstance(message, WAITING):
            return await self._answer(message, arrival, gone, sender)
        with self._waiters.place(message, gone):
            return await self._answer(message, arrival, gone, sender)

    async def _answer(self, message: Message, arrival: float, gone: Gone, sender: str | None) -> str:
        self.metrics.messages.labels(type(message).__name__.lower()).inc()
        match message:
            case Info():
                info = self.info(sender)
                self.metrics.info_seconds.observe(max(self._clock.now() - arrival, 0.0))
                return info
            case Preview():  # nothing is prepared; the answer says whether a START would be accepted
                return READY if self._free_for(sender) else BUSY
            case Start():
                check_clocks(message, self._settings.clock.longest)
                return await self._start(message, arrival, sender)
            case Play(match_id, moves):
                return await self._play(match_id, moves, arrival, gone)
            case Stop(match_id, moves):
                return DONE if self._end(match_id, "stopped", moves) else BUSY
            case Abort(match_id):
                return ABORTED if self._end(match_id, "aborted") else BUSY
            case ImperfectPlay(match_id, stop=True):
                return DONE if self._end(match_id, "stopped", item_of(message)) else BUSY
            case ImperfectPlay(match_id):
                return await self._play(match_id, item_of(message), arrival, gone)

    def info(self, sender: str | None = None) -> str:
        """Return the answer to INFO: name, status for `sender`, and figures of the last move."""
        ended = self._last_report or self._report_before
        report = next(iter(self._matches.values())).report if self._matches else ended
        more = {key: str(report[key]) for key in REPORTED if key in report}
        return write_info(self._settings.server.name, free=self._free_for(sender), species=SPECIES, more=more)

    @property
    def free(self) -> bool:
        """Whether a match can start."""
        return self.room > 0 and self._workers.warm

    @property
    def room(self) -> int:
        """Return how many more matches can start once the agent is warm."""
        now = self._clock.now()
        running = sum(not match.overdue(now) for match in self._matches.values())
        return 0 if self._stopping else max(0, self._settings.server.matches - running)

    def _free_for(self, sender: str | None) -> bool:
        """Whether a match can start and `sender` may start one."""
        return self.free and (sender is None or not self._rate.full(sender, self._clock.now()))

    @property
    def state(self) -> str:
        """The agent's state: available, busy, warming up or stopping."""
        if self._stopping:
            return "stopping"
        return "warming up" if not self._workers.warm else "available" if self.free else "busy"

    @property
    def trouble(self) -> str | None:
        """The reason why no match can start, or None."""
        trouble = self._workers.trouble
        return None if trouble is None else f"there is no fork server: {trouble}"

    @property
    def lanes(self) -> str | None:
        """The emitter of circuits, as in `build.emitter`; None if unknown yet or without circuits."""
        return self._workers.lanes

    def __len__(self) -> int:
        return len(self._matches)

    def starts(self) -> list[Start]:
        """Return the STARTs of the running matches, the newest last."""
        return [match.message for match in self._matches.values()]

    def admit(self, sender: str) -> bool:
        """Whether the page may start one more process for `sender`; STARTs are counted separately."""
        if self._page_rate.full(sender, self._clock.now()):
            self.metrics.error("too many starts")
            return False
        return True

    def admitted(self, sender: str) -> None:
        """Count a process that the page started for `sender`."""
        self._page_rate.count(sender, self._clock.now())

    def keep(self, match_id: str, *, idle: bool = False) -> bool:
        """Reset the silence timer and return whether the match is running. Another START may replace an `idle` one."""
        return self._heard_of(match_id, idle=idle) is not None

    def close(self) -> None:
        """End all matches; open questions get the best known move. Journals stay unfinished."""
        self._stopping = True
        for match_id in list(self._successors):
            self._dismiss(match_id)
        for match_id in list(self._matches):
            self._end(match_id, STOPPING)

    async def finish(self, seconds: float) -> None:
        """Refuse new matches, and wait at most `seconds` for the answers to open questions."""
        self._stopping = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(match.finished() for match in self._matches.values()))

    async def caught_up(self, seconds: float) -> None:
        """Wait at most `seconds` until the resumed matches are ready."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(match.caught_up.wait() for match in self._matches.values()))

    def restore(self, journals: Journals | None, left: Callable[[Start], bool] = lambda _: False) -> None:
        """Write journals from now on, and resume the unfinished matches in them.

        The newest is resumed first. Matches for which `left` is true are dropped.
        """
        self._journals.folder = journals
        if journals is None:
            return
        for journal, replayed in reversed(journals.unfinished()):
            hindrance = self._hindrance(replayed, journals.age(replayed))
            if hindrance is None and not left(replayed.start):
                self._go_on(journal, replayed)
                continue
            if hindrance is not None:
                self._log.warning(f"a match is not resumed: {hindrance}", match=replayed.start.match_id)
            journal.add("end", reason="dropped while the agent was down", moves=None)
            journals.end(journal)

    def _hindrance(self, replayed: ReplayedMatch, age: float) -> str | None:
        """Return why a match without a message for `age` seconds cannot be resumed; None: it can."""
        if replayed.ended is not None or replayed.full:
            return "its journal does not hold the whole match"
        if age >= DOWN + self._silence.seconds(replayed.start):
            return f"its last message came {age:.0f} s ago"
        if replayed.start.longest_clock > self._settings.clock.longest:
            return f"its clock is longer than clock.longest = {self._settings.clock.longest:g}"
        if replayed.start.match_id in self._matches:
            return "a newer match has this id"
        return None if not self._room.full else f"no match slot is free; increase server.matches = {len(self._matches)}"

    async def _start(self, message: Start, arrival: float, sender: str | None = None) -> str:
        match_id = message.match_id
        held = self._matches.get(match_id)
        if held and not held.overdue(arrival) and self._managers.refuses(match_id, sender):
            if self._managers.refuse(match_id, manager_of(sender)):
                self._journals.refuse(match_id, manager_of(sender))
            return self._turned_away(match_id, "a manager at another address plays a match with this id")
        successor = self._successors.get(match_id)
        for running in (None if successor is None else successor.match, held):
            if running is not None and running.just_started(message):
                self._log.info("the same START again", match=match_id)
                return await running.started()
        if (refusal := self._refusal(message.rules, arrival, sender)) is not None:
            return self._turned_away(match_id, refusal)
        due = Deadlines.of(arrival, message.start_clock, self._settings.clock).due
        if match_id in self._matches:
            answer = await self._restarted(message, arrival, sender)
        elif await self._room.free(due) and match_id not in self._matches:
            answer = await self._begun(message, arrival, sender)
        elif match_id in self._matches:  # a START with this id waited, too
            return await self._start(message, arrival, sender)
        else:
            allowed = self._settings.server.matches
            return self._turned_away(match_id, f"no match slot is free; increase server.matches = {allowed}")
        if sender is not None and answer != BUSY:
            self._rate.count(sender, arrival)
        return answer

    def _turned_away(self, match_id: str, reason: str) -> str:
        self._log.warning(f"busy: {reason}", match=match_id)
        self._watcher.refused(match_id, reason)
        return BUSY

    async def _begun(self, message: Start, arrival: float, sender: str | None) -> str:
        match_id = message.match_id
        self._dismiss(match_id)  # an earlier START whose rules are still being loaded
        self._log_start(message)
        self._watcher.began(message)
        journal = self._journals.begin(message, manager_of(sender))
        match = self._match(message, arrival, journal)
        self._managers.started(match_id, manager_of(sender))
        self._silence.begin(message)
        answer = await match.start()
        if answer == BUSY and self._matches.get(match_id) is match:
            self._end(match_id, REFUSED)
        return answer

    async def _restarted(self, message: Start, arrival: float, sender: str | None) -> str:
        """Replace a match by a new one with its id when its rules are loaded; or after an identical START, at PLAY."""
        match_id = message.match_id
        self._log_start(message)
        before = self._matches[match_id]
        held = before.message
        if held.role != message.role and held.rules == message.rules and before.just_started(held):
            self._log.warning("the agent plays one role of a match; start another agent for each further role")
        watcher = HeldWatcher(self._watcher)
        match = Match(message, replace(self._shared, watcher=watcher), arrival)
        same = held == message and not before.overdue(arrival)
        self._dismiss(match_id)
        successor = self._successors[match_id] = Successor(match, watcher, manager_of(sender), same)
        if same:  # no other match may take its slot before its first PLAY
            before.kept = max(before.kept, arrival + message.start_clock)
            self._silence.begin(message)
        playable = await match.begin()
        if self._successors.get(match_id) is successor:
            if not playable or (match_id not in self._matches and self._room.full):
                self._dismiss(match_id)
                return BUSY
            if not same:
                self._succeed(match_id)
            if await match.started() == READY:
                return READY
        return READY if same and self._matches.get(match_id) in (before, match) else BUSY

    def _succeed(self, match_id: str) -> None:
        """Put a restarted match in the place of the one before. Only now it gets a journal, to be resumed from it."""
        successor = self._successors.pop(match_id)
        match, message = successor.match, successor.match.message
        self._end(match_id, REPLACED)
        self._watcher.began(message)
        successor.watcher.release()
        journal = self._journals.begin(message, successor.manager)
        match.journal = journal or NO_JOURNAL
        self._register(match, journal)
        self._managers.started(match_id, successor.manager)
        self._silence.begin(message)

    def _dismiss(self, match_id: str) -> None:
        """End a restarted match that has not taken the place of the one before, if there is one."""
        if (successor := self._successors.pop(match_id, None)) is not None:
            successor.match.end(replaced=True)

    def _log_start(self, message: Start) -> None:
        clocks = message.start_clock, message.play_clock
        self._log.info("match starts", match=message.match_id, role=message.role, clocks=clocks)

    def _go_on(self, journal: Journal, replayed: ReplayedMatch) -> None:
        self._log.info("resuming a match", match=replayed.start.match_id, turn=known(replayed.joints))
        self._watcher.began(replayed.start)
        journal.add("again")
        match = self._match(replayed.start, self._clock.now(), journal)
        self._silence.begin(replayed.start, WARMING)
        if replayed.manager is not None:
            self._managers.started(replayed.start.match_id, replayed.manager)
        for manager in replayed.refused:
            self._managers.refuse(replayed.start.match_id, manager)
        match.go_on(replayed)

    def _match(self, message: Start, arrival: float, journal: Journal | None) -> Match:
        match = Match(message, self._shared, arrival, journal or NO_JOURNAL)
        self._register(match, journal)
        return match

    def _register(self, match: Match, journal: Journal | None) -> None:
        self._matches[match.message.match_id] = match
        self._journals.register(match.message.match_id, journal)
        self.metrics.started.inc()
        self.metrics.matches.set(len(self._matches))

    def _refusal(self, rules: str, arrival: float, sender: str | None) -> str | None:
        """Return why `sender` cannot start a match now, regardless of running matches."""
        if self._stopping:
            return "the agent is stopping"
        if sender is not None and self._rate.full(sender, arrival):
            self.metrics.error("too many starts")
            return "more STARTs from one address than server.starts_per_minute allows"
        if len(rules) > self._settings.rules.characters:
            return f"the rules have {len(rules):,} characters, more than rules.characters allows"
        return None

    def _drop(self, match_id: str) -> None:
        self._end(match_id, "dropped for another match")

    async def _play(self, match_id: str, moves: Moves, arrival: float, gone: Gone) -> str:
        match = self._heard_of(match_id)
        if match is None:
            self._log.warning("busy: no match with this id is running", match=match_id)
            return BUSY
        if (successor := self._successors.get(match_id)) is not None and successor.same:
            if successor.begins(moves, match):
                self._succeed(match_id)
                match = successor.match
            else:
                self._log.info("the START was a late copy", match=match_id)
                self._dismiss(match_id)
        return await match.play(moves, arrival, gone)

    def _heard_of(self, match_id: str, *, idle: bool = False) -> Match | None:
        match = self._matches.get(match_id)
        if match is not None:
            match.kept, match.idle = self._clock.now(), idle
            self._silence.begin(match.message)
        return match

    def _end(self, match_id: str, reason: str, moves: Moves = None) -> bool:
        """End a match; return whether it existed."""
        if (successor := self._successors.get(match_id)) is not None and (reason in BY_MANAGER or successor.same):
            self._dismiss(match_id)
        match = self._matches.pop(match_id, None)
        if match is None:
            return False
        self._silence.end(match_id)
        self._managers.ended(match_id)
        self._report_before, self._last_report = self._last_report or self._report_before, match.report
        match.end(moves, replaced=reason == REPLACED)
        self._journals.end(match_id, reason, moves)
        self.metrics.ended.labels(reason).inc()
        self.metrics.matches.set(len(self._matches))
        self._watcher.ended(match_id, reason)
        self._log.info("match ends", match=match_id, reason=reason)
        return True
