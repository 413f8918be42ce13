"""Limit on the text that a player prints: it goes to the log, where too much of it would fill the disk."""

from __future__ import annotations

import io
from typing import TextIO

import structlog

MAX_CHARACTERS = 100_000
"""Maximum characters that the player in one process may print."""


class PlayerOutput(io.TextIOBase):
    """Standard output and standard error of a worker, written to `stream`; the log bypasses this limit."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._left = MAX_CHARACTERS

    def writable(self) -> bool:
        """See `io.IOBase`."""
        return True

    def fileno(self) -> int:
        """Return the descriptor of standard error; `agent.worker.raw_output` limits what is written there."""
        return 2

    def write(self, text: str) -> int:
        """Write the text as far as the limit allows; log once that the rest is dropped."""
        if self._left > 0:
            self._stream.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                reason = f"it has more than {MAX_CHARACTERS:,} characters"
                structlog.get_logger().warning("further output of the player is discarded", reason=reason)
        return len(text)

    def flush(self) -> None:
        """See `io.IOBase`."""
        self._stream.flush()
