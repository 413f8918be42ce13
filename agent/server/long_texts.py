"""Texts of strangers are read beside the event loop where they are long, so that all others are served meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

LONG = 64 << 10
"""Characters from which on a text is read in a thread."""
Read = TypeVar("Read")
READERS = 2
"""Long texts that are read at the same time; the others wait, so that they do not take all time from the loop."""


class LongTexts:
    """Where long texts are read, a few at the same time."""

    def __init__(self) -> None:
        self._readers = asyncio.Semaphore(READERS)

    async def read(self, read: Callable[[], Read], characters: int) -> Read:
        """Return the result of `read`, which scans this many characters; its exceptions pass through."""
        if characters <= LONG:
            return read()
        async with self._readers:
            try:
                return await asyncio.to_thread(read)
            except RuntimeError:  # no room for a thread: all others wait meanwhile
                return read()
