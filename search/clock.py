"""Monotonic clocks of the search, replaceable in tests."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A source of monotonic time."""

    def now(self) -> float:
        """Seconds since a fixed moment."""


class MonotonicClock:
    """The machine's own monotonic clock."""

    def now(self) -> float:
        """Seconds since a fixed moment, which is the same for all processes of one machine."""
        return time.monotonic()
