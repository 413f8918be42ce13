"""Monotonic clocks of the search, replaceable in tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """A source of monotonic time."""

    def now(self) -> float:
        """Seconds since a fixed moment."""


def stop_at(until: float, clock: Clock, stop: Callable[[], bool] | None) -> Callable[[], bool]:
    """Return a function that tells whether the clock has reached `until`, or `stop` returns true."""
    return lambda: clock.now() >= until or bool(stop and stop())


class MonotonicClock:
    """The machine's own monotonic clock."""

    def now(self) -> float:
        """Seconds since a fixed moment, which is the same for all processes of one machine."""
        return time.monotonic()
