"""A clock whose time a test sets."""

from __future__ import annotations


class FakeClock:
    """A clock that moves by `tick` seconds with each look at it, and when a test sets its time."""

    def __init__(self, tick: float = 0.0, time: float = 100.0) -> None:
        self.time, self.tick = time, tick

    def now(self) -> float:
        self.time += self.tick
        return self.time
