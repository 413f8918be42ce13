"""Where the commands print: colours and boxes for a terminal, plain unwrapped lines elsewhere."""

from __future__ import annotations

import sys

from rich.console import Console

PLAIN_WIDTH = 160  # columns for tables that no terminal limits


def progress_console() -> Console:
    """Standard error, for what is shown while something runs; nothing is where it is no terminal."""
    return Console(stderr=True, highlight=False, quiet=not sys.stderr.isatty())


def console() -> Console:
    """Standard output."""
    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(highlight=False, soft_wrap=True, width=width)
