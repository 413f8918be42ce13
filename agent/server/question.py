"""One message that waits for the worker's word, and the times by which it must be answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agent.protocol.messages import Moves
from agent.settings import ClockSettings
from search.clock import Clock

UNMEASURED = 0.1
"""Seconds that stand in for a clock of 0: managers grant the way there and back, and a guess helps nobody."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds of the clock: when the worker should be done, and when an answer leaves in any case."""

    due: float
    last: float
    end: float = 0.0  # of the clock

    @classmethod
    def of(cls, arrival: float, clock: float, settings: ClockSettings) -> Deadlines:
        """For a message that arrived at `arrival` and may take `clock` seconds; nobody can keep a clock of none."""
        clock = clock or UNMEASURED
        margin = settings.margin_of(clock)
        return cls(due=arrival + clock - margin, last=arrival + clock - margin / 2, end=arrival + clock)


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

    async def wait(self, clock: Clock) -> str | None:
        """The answer; None when it is not there at the last moment."""
        await asyncio.wait([self._answer], timeout=max(self.times.last - clock.now(), 0.0))
        return self.answer
