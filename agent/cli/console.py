"""Consoles of the commands: colours and boxes on a terminal, plain unwrapped lines elsewhere."""

from __future__ import annotations

import sys

from rich.console import Console

PLAIN_WIDTH = 160  # columns of tables outside a terminal


def progress_console() -> Console:
    """Return a console on standard error for progress; it is silent outside a terminal."""
    return Console(stderr=True, highlight=False, markup=False, quiet=not sys.stderr.isatty())


def console() -> Console:
    """Return a console on standard output. Brackets in names of a game are no markup."""
    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(highlight=False, markup=False, soft_wrap=True, width=width)
