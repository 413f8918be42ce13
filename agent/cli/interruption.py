"""Ctrl-C as a question that work asks, so that a command can print what is known."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed. A second Ctrl-C interrupts the work as usual."""
    pressed, before = Event(), signal.getsignal(signal.SIGINT) or signal.SIG_DFL  # None: a handler that is not ours

    def note(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    if before is not signal.SIG_IGN:  # a shell's background job ignores it
        signal.signal(signal.SIGINT, note)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
