"""Progress of kernel compilation: one process sends it to another as a line, and the command line shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TextIO

Progress = Callable[[int, int], None]
"""Called with the number of compiled kernels and an upper bound of their total."""

_LINE = re.compile(r"compiling (\d+) of at most (\d+) kernels")


def silent(_done: int, _of: int) -> None:
    """Ignore the progress."""


def progress_line(done: int, of: int) -> str:
    """Format the progress as a line, without a line end."""
    return f"compiling {done} of at most {of} kernels"


def read_progress(line: str) -> tuple[int, int] | None:
    """Parse a progress line; None for any other line."""
    found = _LINE.fullmatch(line)
    return (int(found[1]), int(found[2])) if found else None


def first_word(lines: TextIO) -> str:
    """Return the first line that is not a progress line, without its line end; empty at the end of the stream."""
    while read_progress(line := lines.readline().rstrip("\n")):
        pass
    return line
