"""Parsing of long texts in threads, so that the event loop serves other clients meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

LONG = 64 << 10
"""Maximum characters of a text that is parsed on the event loop; longer ones are parsed in a thread."""
Read = TypeVar("Read")
READERS = 2
"""Maximum long texts that are parsed at the same time; more would take too much CPU time from the event loop."""


class LongTexts:
    """Parser of long texts, `READERS` at a time."""

    def __init__(self) -> None:
        self._readers = asyncio.Semaphore(READERS)

    async def read(self, read: Callable[[], Read], characters: int) -> Read:
        """Return the result of `read`, which parses a text of this many characters; its exceptions pass through."""
        if characters <= LONG:
            return read()
        async with self._readers:
            try:
                return await asyncio.to_thread(read)
            except RuntimeError:  # no thread can be started: block the event loop
                return read()
