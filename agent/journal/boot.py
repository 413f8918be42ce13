"""Time that nobody can set: seconds since the machine was started, and which start that was."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_ID = Path("/proc/sys/kernel/random/boot_id")
LETTERS = 8
"""Of the name that Linux gives each start, which is drawn at random; so many tell one from the next."""


@dataclass(frozen=True, slots=True)
class Boot:
    """One start of the machine. `name` is empty where the system does not tell one from another."""

    name: str
    seconds: Callable[[], float]

    @classmethod
    def at_hand(cls) -> Boot:
        """The start of the machine that this process lives in."""
        name = ""
        with contextlib.suppress(OSError):
            name = _ID.read_text(encoding="ascii").strip()[:LETTERS]
        return cls(name, _seconds)


def _seconds() -> float:
    """Sleep of the machine counts, too, where the system has such a clock."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)
