"""Consoles of the commands: colours and boxes on a terminal, plain unwrapped lines elsewhere."""

from __future__ import annotations

import sys
from typing import TextIO

from rich.console import Console

PLAIN_WIDTH = 160  # columns of tables outside a terminal


def progress_console() -> Console:
    """Return a console on standard error for progress; it is silent outside a terminal."""
    return Console(stderr=True, highlight=False, markup=False, quiet=not _on_terminal(sys.stderr))


def console() -> Console:
    """Return a console on standard output. Brackets in names of a game are not read as markup."""
    width = None if _on_terminal(sys.stdout) else PLAIN_WIDTH
    return Console(highlight=False, markup=False, soft_wrap=True, width=width)


def _on_terminal(stream: TextIO | None) -> bool:
    """Whether a standard stream is a terminal; it is None if the process was started with the stream closed."""
    return stream is not None and stream.isatty()
