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
        self.within_line = False  # whether the last line is not ended yet

    def writable(self) -> bool:
        """See `io.IOBase`."""
        return True

    def fileno(self) -> int:
        """Return the descriptor of standard error; `agent.worker.raw_output` limits what is written there."""
        return 2

    def write(self, text: str) -> int:
        """Write the text as far as the limit allows; log once that the rest is dropped."""
        if text and self._left > 0:
            self._stream.write(shown := text[: self._left])
            self.within_line = not shown.endswith("\n")
            self._left -= len(text)
            if self._left <= 0:
                reason = f"it has more than {MAX_CHARACTERS:,} characters"
                structlog.get_logger().warning("further output of the player is discarded", reason=reason)
        return len(text)

    def flush(self) -> None:
        """See `io.IOBase`."""
        self._stream.flush()


class LogBeside(io.TextIOBase):
    """The log on the same stream: each entry begins a line, also after text that the player printed without one."""

    def __init__(self, stream: TextIO, output: PlayerOutput) -> None:
        self._stream = stream
        self._output = output

    def write(self, text: str) -> int:
        """Write an entry."""
        start, self._output.within_line = "\n" if self._output.within_line else "", False
        return self._stream.write(start + text)

    def isatty(self) -> bool:
        """See `io.IOBase`."""
        return self._stream.isatty()

    def flush(self) -> None:
        """See `io.IOBase`."""
        self._stream.flush()
