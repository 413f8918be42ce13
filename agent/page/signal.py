"""Something that changes, and those who wait for it."""

from __future__ import annotations

import asyncio


class Signal:
    """Counts changes; `after` waits for one that has not been seen."""

    def __init__(self) -> None:
        self.version = 0
        self._changed = asyncio.Event()

    def change(self) -> None:
        """Something has changed."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def after(self, version: int, seconds: float) -> int:
        """The version now, as soon as it is another than `version`, and after `seconds` in any case."""
        if self.version == version:
            waiting = asyncio.create_task(self._changed.wait())
            await asyncio.wait([waiting], timeout=seconds)
            waiting.cancel()
        return self.version
