"""One message that waits for the worker's word, and the times by which it must be answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from agent.protocol.messages import Moves
from agent.settings import ClockSettings
from search.clock import Clock

UTMOST = 0.98
"""Share of a clock that is waited for a first legal move: a guess in time is worth no more than a move too late."""
UNMEASURED = 0.1
"""Seconds that stand in for a clock of 0: managers grant the way there and back, and a guess helps nobody."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds of the clock: when the worker should be done, and when an answer leaves in any case.

    Where no legal move is known then, one is waited for until `utmost`.
    """

    due: float
    last: float
    end: float = 0.0  # of the clock
    utmost: float = 0.0

    @classmethod
    def of(cls, arrival: float, clock: float, settings: ClockSettings) -> Deadlines:
        """For a message that arrived at `arrival` and may take `clock` seconds; nobody can keep a clock of none."""
        clock = clock or UNMEASURED
        margin = settings.margin_of(clock)
        end = arrival + clock
        return cls(due=end - margin, last=end - margin / 2, end=end, utmost=arrival + UTMOST * clock)


class Question:
    """START or PLAY under way. It is answered once, by whoever is first: the worker, or the clock."""

    def __init__(
        self,
        number: int,
        times: Deadlines,
        moves: Moves = None,
        *,
        play: bool,
        repeated: bool = False,
        gap: bool = False,
    ) -> None:
        self.number = number
        self.times = times
        self.moves = moves
        self.play = play  # PLAY, not START
        self.repeated = repeated  # whether the message before carried the same moves
        self.gap = gap  # whether messages may have been missed before it
        self.offer: str | None = None  # a legal move to answer if nothing better comes
        self._offered = asyncio.Event()
        self.applied = False  # whether the worker has taken in the moves
        self.restarts = 0  # workers lost over it
        self.lost = False  # whether the connection was gone when the answer was ready
        self._answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def open(self) -> bool:
        """Whether it is not answered yet."""
        return not self._answer.done()

    @property
    def answer(self) -> str | None:
        """The answer, once there is one."""
        return self._answer.result() if self._answer.done() else None

    def settle(self, answer: str) -> None:
        """Answer, unless that has been done."""
        if not self._answer.done():
            self._answer.set_result(answer)

    def offers(self, move: str) -> None:
        """A legal move is known."""
        self.offer = move
        self._offered.set()

    async def wait_for_offer(self, clock: Clock) -> None:
        """Wait until a legal move is known, or the question is answered, as long as that makes sense."""
        offered = asyncio.create_task(self._offered.wait())
        left = max(self.times.utmost - clock.now(), 0.0)
        waited: list[asyncio.Future[Any]] = [offered, self._answer]
        await asyncio.wait(waited, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        offered.cancel()

    async def wait(self, clock: Clock) -> str | None:
        """The answer; None when it is not there at the last moment."""
        await asyncio.wait([self._answer], timeout=max(self.times.last - clock.now(), 0.0))
        return self.answer
