"""Consoles of the commands: colours and boxes on a terminal, plain unwrapped lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console
from rich.status import Status

PLAIN_WIDTH = 160  # columns of tables outside a terminal
SLICE_SECONDS = 0.5
"""Seconds between two updates of a progress line."""


def progress_console() -> Console:
    """Return a console on standard error for progress; it is silent outside a terminal."""
    return Console(stderr=True, highlight=False, markup=False, quiet=not _on_terminal(sys.stderr))


def console() -> Console:
    """Return a console on standard output. Brackets in names of a game are not read as markup."""
    width = None if _on_terminal(sys.stdout) else PLAIN_WIDTH
    return Console(highlight=False, markup=False, soft_wrap=True, width=width)


def counter(status: Status, text: str) -> Callable[[int], None]:
    """Return a function that shows a count in the progress line, a few times a second."""
    last = 0.0

    def show(count: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= SLICE_SECONDS:
            last = now
            status.update(text.format(count))

    return show


def _on_terminal(stream: TextIO | None) -> bool:
    """Whether a standard stream is a terminal; it is None if the process was started with the stream closed."""
    return stream is not None and stream.isatty()
