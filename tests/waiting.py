"""Waiting for what another task, thread or process does: no wait is longer than three minutes.

They are those of the system's clock, also where a test's loop skips its own time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

MOST = 180.0
"""Seconds; what has not come about by then never will."""
LOOK = 0.005
"""Seconds between two looks: a loop without a pause takes a processor from what it waits for."""


def _looks(holds: Callable[[], object]) -> Iterator[None]:
    end = time.monotonic() + MOST
    while not holds():
        assert time.monotonic() < end, f"waited for {MOST:g} s in vain"
        yield


async def until(holds: Callable[[], object], look: float = LOOK) -> None:
    """Return when `holds` is true; the event loop goes on meanwhile, and with `look` 0 nothing else is waited for."""
    for _ in _looks(holds):
        await asyncio.sleep(look)


def wait_until(holds: Callable[[], object]) -> None:
    """The same for a test without an event loop."""
    for _ in _looks(holds):
        time.sleep(LOOK)
