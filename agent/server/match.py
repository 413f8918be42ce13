"""One match in the event loop: its questions, its answers, and its worker process.

The worker knows the rules; this side knows the clock. Every question is answered before the clock ends with the best
move from the worker so far, even if the worker hangs or dies. A dead worker is replaced; the new one replays all moves.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, assert_never

import structlog

from agent.journal.journal import NO_JOURNAL, MatchWriter
from agent.journal.legal_answers import GUESS, LegalAnswers
from agent.journal.replayed_match import ReplayedMatch
from agent.journal.untaken_moves import UntakenMoves
from agent.protocol.messages import Moves, Start
from agent.protocol.observation import is_observed
from agent.protocol.write import BUSY, READY
from agent.server.applied_moves import AppliedMoves
from agent.server.ended_match import EndedMatch
from agent.server.fallback import Fallback
from agent.server.message_order import MessageOrder
from agent.server.question import Deadlines, Question
from agent.server.shared import Shared
from agent.server.vacancy import Vacancy
from agent.server.waiters import Gone
from agent.server.worker import Listener, Worker
from agent.worker.worker_messages import (
    OPENING,
    Answered,
    Applied,
    Begin,
    Choose,
    Offered,
    PlayerFailed,
    Ready,
    RefereeEvent,
    Refused,
    Reported,
    Seen,
    Thought,
    Told,
)

RESTARTS = 2
"""Maximum restarts of the worker per message; then the message is answered without one."""


class Match(Listener):
    """A match. Never raises: failures are logged, and the best available answer is given.

    `start` arrived at `arrival`, in seconds of the clock; `journal` records the match.
    """

    def __init__(self, start: Start, shared: Shared, arrival: float, journal: MatchWriter = NO_JOURNAL) -> None:
        self.message = start
        self.hides = True  # whether an empty list means percepts; the worker corrects this
        self.journal = journal
        self._settings, self._workers, self._clock = shared.settings, shared.workers, shared.clock
        self._watcher, self._metrics, self._openings = shared.watcher, shared.metrics, shared.openings
        self._worker: Worker | None = None
        self._engaging: asyncio.Task[None] | None = None
        self._helping: asyncio.Task[None] | None = None  # starts the fallback process
        self._fallback = Fallback(self._workers, self._heard_fallback)
        self._vacancy = Vacancy(self._workers, self, shared.metrics, start.match_id)
        self._joints, self._untaken = AppliedMoves(start.joints), UntakenMoves()  # moves that are applied or not yet
        self.order, self.caught_up = MessageOrder(), asyncio.Event()  # `caught_up`: a worker has replayed the match
        self._last_answer: str | None = None  # our last move; None: unknown
        self._answered = 0  # number of the last PLAY whose answer is known to be our move
        self._answers, self._last_heard = LegalAnswers(), arrival  # legal answers; time of the worker's last event
        self.kept, self.idle = arrival, False  # time of the manager's last message; whether it waits without end
        self._accepted = self._refused = False  # whether a worker has found a legal move; or refused the rules
        self._question = Question(0, Deadlines.of(arrival, start.start_clock, self._settings.clock), play=False)
        self.report: dict[str, Any] = {}  # the player's figures about its last move, and the engine
        self._log = structlog.get_logger().bind(match=start.match_id)
        self._watcher.asked(start.match_id, start.start_clock)

    def go_on(self, replayed: ReplayedMatch) -> None:
        """Resume a match from its journal; messages may have been missed meanwhile."""
        self._joints, self._untaken = AppliedMoves(*replayed.known), replayed.untaken
        self.order = MessageOrder(replayed.moves, replayed.earlier, resumed=True)
        self._last_answer, self._answers = replayed.last_answer, replayed.answers
        self._accepted = replayed.applied or bool(replayed.joints)
        if replayed.played:
            times = Deadlines.of(self._clock.now(), self.message.play_clock, self._settings.clock)
            question = Question(replayed.number, times, replayed.moves, replayed.own, play=True, gap=replayed.gap)
            question.applied, question.repeated, self._question = replayed.applied, replayed.repeated, question
            if replayed.answer is not None:  # else one is computed in case the message is repeated
                question.sent, self._answered = True, question.number
                question.settle(replayed.answer)
                self._keep_untaken(question)
        self._engage()

    def just_started(self, message: Start) -> bool:
        """Whether `message` started this match and no PLAY followed."""
        return self.message == message and not self._question.play

    @property
    def undecided(self) -> bool:
        """Whether its rules are still being loaded, or were just refused."""
        return not self._question.play and (self._refused or not self.caught_up.is_set())

    @property
    def overdue_from(self) -> float:
        """The time after which the next message is long overdue."""
        return max(self._question.times.end, self.kept + self.message.play_clock) + self._settings.server.takeover

    def overdue(self, now: float) -> bool:
        """Whether the match is idle or its next message is long overdue, so that the manager has probably gone."""
        return not self._question.waited_for and (self.idle or now > self.overdue_from)

    async def finished(self) -> None:
        """Wait until no question is open, or its clock has ended."""
        while self._question.open and self._clock.now() < self._question.times.last:
            await self._question.wait(self._clock)

    async def start(self) -> str:
        """Return the answer to START: ``ready``, or ``busy`` if the match cannot be played."""
        self._engage()
        return await self.started()

    async def begin(self) -> bool:
        """Begin as `start` does, and wait for the rules. Return False if they were refused before the clock ends."""
        self._engage()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.caught_up.wait(), max(self._question.times.last - self._clock.now(), 0.0))
        return not self._refused

    async def started(self) -> str:
        """Return the answer to the current START, or to its repetition."""
        question = self._question
        if await question.wait(self._clock) is None:
            self._log.warning("the start clock ends before the worker is ready")
            question.settle(READY)
        return BUSY if self._refused else question.answer or READY

    async def play(self, moves: Moves, arrival: float, gone: Gone) -> str:
        """Return the answer to PLAY: a move. docs/reference/protocol.md defines repeated messages."""
        moves = moves if moves or self.hides else None
        question = self._question
        if question.waited_for and self.order.is_late(moves):
            self._log.info("a late copy of an earlier message")
            return await question.wait(self._clock) or GUESS
        same = question.play and question.moves == moves
        known = question.open or question.lost or moves is None or is_observed(moves)
        if (same and known) or self.order.is_old(moves):
            self._log.info("a repeated message", answered=question.answer)
            self.order.came_again(moves)
            question.join(gone, Deadlines.of(arrival, self.message.play_clock, self._settings.clock))
            if question.open:
                self._engage()
        else:
            question = self._next_question(moves, arrival, gone, repeated=same)
        if await question.wait(self._clock) is None:
            if question.offer is None and self._opening(question) is None:
                await question.wait_for_offer(self._clock)
            if question.open:
                self._overdue(question)
        question.sent |= not gone()
        if question.ours and question is self._question and self._answered < question.number:
            self._note(question)
        return question.answer or self._answers.guess(question.number)  # a client may have closed only its side

    def end(self, moves: Moves = None, *, replaced: bool = False) -> None:
        """End the match with the last `moves`; an open question gets the best known answer.

        An open START is answered ``busy`` if another START has `replaced` it.
        """
        if not self._question.play and replaced:
            self._question.settle(BUSY)
            self.caught_up.set()
        self._close(self._question)
        self._fallback.close()
        if self._engaging is not None:
            self._engaging.cancel()
        if self._worker is not None:
            listener = EndedMatch(self._watcher.receiver(self.message.match_id), self._reported)
            self._workers.release(self._worker, moves, listener)
            self._worker = None

    def heard(self, event: Told) -> None:
        """Handle an event of the worker."""
        if isinstance(event, RefereeEvent):  # not sent by workers of a match
            return
        self._last_heard = self._clock.now()
        self._vacancy.filled()
        if isinstance(event, Ready | Offered | Answered):
            self._accepted = True
            self._fallback.close()
        if not isinstance(event, Refused):  # `_refuse` forwards it
            self._watcher.heard(self.message.match_id, event)
        match event:
            case Offered() | Answered():
                self._offered(self._question, event)
            case Applied():
                self.caught_up.set()
                self.hides = event.hides
                self._applied(self._question, event)
            case Reported() | PlayerFailed():
                self._reported(event)
            case Ready() if not self._question.play:
                self._question.settle(READY)
            case Refused():
                self._refuse(event)
            case Ready() | Seen() | Thought():
                pass  # for observers only
            case _:
                assert_never(event)

    def died(self) -> None:
        """Handle the unexpected end of the worker."""
        worker, self._worker = self._worker, None
        if worker is not None and worker.pid is None:
            self._vacancy.refused("the fork server could not fork a worker")
            self._engaging = asyncio.create_task(self._begin(again=True))
            return
        asked = self._question.number if self._question.play and self._question.open else 0
        self._log.error("the worker died", pid=worker and worker.pid, turn=self._joints.turn, question=asked)
        self._metrics.error("worker died")
        self._engage()

    def _heard_fallback(self, event: Applied | Offered) -> None:
        """Handle an event of the fallback process; what a worker has sent takes precedence."""
        if isinstance(event, Offered):
            if self._question.offer is None:
                self._offered(self._question, event)
            if self._question.offer is not None and self._question.restarts > 1 + RESTARTS:  # no worker comes
                self._close(self._question)
        elif self._worker is None:
            self.hides = event.hides
            self._applied(self._question, event)

    def _offered(self, question: Question, event: Offered | Answered) -> None:
        """Store a legal move for the current question; ignore moves for earlier ones."""
        if event.number == OPENING or (event.number == question.number and question.moves is None):
            self._openings.note(self.message, event.move)
        if event.number != question.number or not question.play:
            return
        question.offers(event.move)
        if isinstance(event, Answered):
            self._settle(question, event.move)

    def _reported(self, event: Reported | PlayerFailed) -> None:
        """Record the figures of the last move; they may arrive after the next message or the end."""
        self._metrics.heard(event)
        if isinstance(event, Reported):
            self.report.clear()
            self.report.update(event.figures, engine=event.engine)
            told = {"move": self._last_answer, "engine": event.engine, "figures": dict(event.figures)}
            self._log.info("moved", turn=self._joints.turn, **told)

    def _applied(self, question: Question, event: Applied) -> None:
        """Record that the worker has applied a message's moves, possibly of a message before `question`."""
        if self._joints.lacks(event.keep):  # `_untaken` still has them for the next worker
            return
        question.applied |= event.number == question.number
        changed = self._joints.put(event.keep, event.added, event.position)
        self._untaken.drop(event.number)
        if question.applied or changed:
            self.journal.add("applied", **event.entry)
        if self._joints.shorten(self._log) and self._worker is not None:  # the next worker counts from the gap
            self._worker.kill()

    def _next_question(self, moves: Moves, arrival: float, gone: Gone, *, repeated: bool) -> Question:
        before = self._question
        self._close(before)
        self._keep_untaken(before)
        times = Deadlines.of(arrival, self.message.play_clock, self._settings.clock)
        gap = self.order.gap_before(moves)
        question = Question(before.number + 1, times, moves, self._last_answer, play=True, repeated=repeated, gap=gap)
        question.join(gone, times)
        self.journal.add("play", n=question.number, moves=moves, gap=gap, repeated=repeated)
        self._question = question
        self._watcher.asked(self.message.match_id, self.message.play_clock)
        self._fallback.send(command := question.command(self._answered))
        self._fallback.begin_early(question, self._clock, self._first_commands)
        if self._refused:
            self._close(question)
        elif self._worker is not None:
            self._worker.send(command)
        else:
            self._engage()
        return question

    def _keep_untaken(self, question: Question) -> None:
        if question.moves is not None and not question.applied:
            flags = {"gap": question.gap, "repeated": question.repeated}
            if self._untaken.keep(question.number, question.moves, question.own, **flags) and self._worker is not None:
                self._log.error("the worker is too many messages behind and is stopped")
                self._worker.kill()

    def _settle(self, question: Question, answer: str, *, guessed: bool = False) -> None:
        """Answer an open PLAY. It is no move of ours if no client asked, or if it is a guess and all have left."""
        if question.open:
            question.settle(answer)
            question.guessed, self._last_answer = guessed, None
            if question.asked and not (guessed and question.lost):
                self._note(question)
            if not guessed:
                self._answers.note(question.number, answer)

    def _note(self, question: Question) -> None:
        """Record the answer to the current PLAY as our move."""
        self._last_answer, self._answered = question.answer, question.number
        self.journal.add("answer", n=question.number, move=question.answer, guessed=question.guessed)
        self._metrics.answered(question.times.end - self._clock.now())

    def _close(self, question: Question, *, final: bool = True) -> None:
        """Answer an open question with the best known answer. Unless it is `final`, guess nothing if nobody waits."""
        if question.open and not question.play:
            question.settle(BUSY if self._refused else READY)
        elif question.open and (move := question.offer or self._opening(question)):
            self._settle(question, move)
        elif question.open and (final or not question.lost):
            if not question.lost:
                self._log.error("no legal move was known in time; a move is guessed", turn=self._joints.turn)
                self._metrics.error("move guessed")
            self._settle(question, self._answers.guess(question.number), guessed=True)

    def _opening(self, question: Question) -> str | None:
        """Return a known first move of these rules, if this is the first question."""
        return self._openings.find(self.message) if question.moves is None and not self._refused else None

    def _overdue(self, question: Question) -> None:
        """Answer at the end of the clock, and kill the worker later if it stays silent."""
        about = {"turn": self._joints.turn, "offer": question.offer, "question": question.number}
        if self._worker is None and question.offer is not None:
            self._log.warning("no worker is available yet; a legal move is sent without a search", **about)
        else:
            self._log.warning("the worker is late", **about)
            self._metrics.error("worker late")
        self._close(question, final=False)
        worker, last = self._worker, question.times.last
        if question.offer is None:
            self._helping = asyncio.create_task(self._fallback.begin(self._first_commands))

        def check() -> None:
            if worker is not None and worker is self._worker and self._last_heard < last:
                self._log.error("the worker hangs and is stopped", pid=worker.pid, question=question.number)
                self._metrics.error("worker hung")
                worker.kill()

        asyncio.get_running_loop().call_later(self._settings.worker.hang, check)

    def _refuse(self, event: Refused) -> None:
        """Give up the match, unless another worker could play it: then only this worker has failed."""
        if self._accepted:
            self._log.error("a new worker cannot play the match", reason=event.reason)
            self._go_without() if self._worker is None else self._worker.kill()
            return
        self._fallback.close()
        self._log.error("the match cannot be played", reason=event.reason)
        self._watcher.heard(self.message.match_id, event)
        self._metrics.error("match refused")
        self.caught_up.set()
        self._refused = True
        self._close(self._question)

    def _engage(self) -> None:
        """Get a worker if there is none, unless the maximum number of restarts for this message is reached."""
        if self._worker is not None or (self._engaging is not None and not self._engaging.done()):
            return
        self._question.restarts += 1
        if self._question.restarts <= 1 + RESTARTS:
            self._engaging = asyncio.create_task(self._begin())
        elif self._question.play or self._accepted:
            self._log.error("no new worker is started before the next message")
            self._go_without()
        else:
            self._refuse(Refused("the worker died repeatedly"))

    def _go_without(self) -> None:
        """Answer the open question without a worker: a PLAY by the fallback process, if no legal move is known."""
        if self._question.waited_for and self._question.offer is None:
            self._helping = asyncio.create_task(self._fallback.begin(self._first_commands))
        else:
            self._close(self._question, final=False)

    async def _begin(self, *, again: bool = False) -> None:
        if self._workers.loading:
            await self._fallback.begin(self._first_commands)
        if isinstance(worker := await self._vacancy.take(again=again), Refused):
            self._refuse(worker)
        else:
            self._worker = worker
            for command in self._first_commands():
                worker.send(command)

    def _first_commands(self) -> Sequence[Begin | Choose]:
        """Return the commands for a new process: the match so far, and the open question."""
        if not (question := self._question).open:
            self._keep_untaken(question)
        own = None if question.applied and question.open else self._last_answer
        begin = self._joints.begin(self.message, question.times.due, own, self._untaken)
        return [begin, question.command(self._answered)] if question.play and question.open else [begin]
