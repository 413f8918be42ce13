"""One message that waits for the worker, and its deadlines."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from agent.errors import ProtocolError
from agent.protocol.messages import Moves, Start
from agent.server.waiters import Gone
from agent.settings import ClockSettings
from agent.worker.worker_messages import Choose
from search.clock import Clock

UTMOST = 0.98
"""Share of a clock to wait for a legal move before one is guessed: a guessed move is no better than a late one."""
UNMEASURED = 0.1
"""Seconds used for a clock of 0: managers allow for network delay, and a guessed move is worse than a late one."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Deadlines in seconds of the clock: `due` for the worker, `last` for the answer.

    If no legal move is known at `last`, wait for one until `utmost`.
    """

    due: float
    last: float
    end: float = 0.0  # end of the clock
    utmost: float = 0.0
    arrival: float = 0.0

    @classmethod
    def of(cls, arrival: float, clock: float, settings: ClockSettings) -> Deadlines:
        """Return the deadlines of a message that arrived at `arrival` with a clock of `clock` seconds."""
        clock = clock or UNMEASURED
        margin = settings.margin_of(clock)
        end = arrival + clock
        utmost = arrival + UTMOST * clock
        return cls(due=end - margin, last=end - margin / 2, end=end, utmost=utmost, arrival=arrival)


def check_clocks(message: Start, longest: float) -> None:
    """Raise ProtocolError if a clock is too long: an abandoned match would last that long."""
    if message.longest_clock > longest:
        raise ProtocolError(
            f"START: a clock of {message.longest_clock:g} s is longer than this agent accepts; give at most "
            f"{longest:g} s, or raise the agent's setting clock.longest"
        )


class Question:
    """A pending START or PLAY. It is answered once, by the worker or the clock, whichever is first."""

    def __init__(
        self,
        number: int,
        times: Deadlines,
        moves: Moves = None,
        own: str | None = None,
        *,
        play: bool,
        repeated: bool = False,
        gap: bool = False,
    ) -> None:
        self.number = number
        self.times = times
        self.moves = moves
        self.own = own  # our answer to the question before
        self.play = play  # PLAY, not START
        self.repeated = repeated  # whether the previous message had the same moves
        self.gap = gap  # whether messages may have been missed before it
        self.offer: str | None = None  # a legal move, the answer if nothing better follows
        self._offered = asyncio.Event()
        self.applied = False  # whether the worker has applied the moves
        self.restarts = 0  # restarts of the worker
        self.guessed = False  # whether the answer is a guess
        self.sent = False  # whether a client was there when the answer left
        self._clients: list[Gone] = []  # for each client that asked, whether it has left
        self._answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def open(self) -> bool:
        """Whether the question is unanswered."""
        return not self._answer.done()

    @property
    def asked(self) -> bool:
        """Whether a client has asked, and not only an agent before a restart."""
        return bool(self._clients)

    @property
    def lost(self) -> bool:
        """Whether all clients had left before the answer. One that has only closed its side may still read it."""
        return not self.sent and all(gone() for gone in self._clients)

    @property
    def waited_for(self) -> bool:
        """Whether it is an unanswered PLAY, and a client waits for the answer."""
        return self.play and self.open and not self.lost

    @property
    def answer(self) -> str | None:
        """The answer, or None."""
        return self._answer.result() if self._answer.done() else None

    @property
    def ours(self) -> bool:
        """Whether its answer is our move; a guess is one only if a client was there."""
        return self.sent or not (self.open or self.guessed)

    def join(self, gone: Gone, times: Deadlines) -> None:
        """Add a client that waits for the answer; after the end of the clock, its `times` are those of the answer."""
        if self.open and times.arrival > self.times.end:
            self.times = times
        self._clients = [*(other for other in self._clients if not other()), gone]

    def command(self, sent: int) -> Choose:
        """Return the PLAY as a command; `sent` is the number of the last PLAY whose answer is our move."""
        about = self.number, self.times.due, not self.applied, self.moves, self.repeated, self.gap, self.own
        return Choose(*about, sent)

    def settle(self, answer: str) -> None:
        """Store the answer, unless there is one."""
        if not self._answer.done():
            self._answer.set_result(answer)

    def offers(self, move: str) -> None:
        """Store a legal move."""
        self.offer = move
        self._offered.set()

    async def wait_for_offer(self, clock: Clock) -> None:
        """Wait until a legal move is known or the question is answered, at most until `utmost`."""
        offered = asyncio.create_task(self._offered.wait())
        left = max(self.times.utmost - clock.now(), 0.0)
        waited: list[asyncio.Future[Any]] = [offered, self._answer]
        await asyncio.wait(waited, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        offered.cancel()

    async def wait(self, clock: Clock) -> str | None:
        """Wait for the answer until `last`; None if there is none."""
        await asyncio.wait([self._answer], timeout=max(self.times.last - clock.now(), 0.0))
        return self.answer
