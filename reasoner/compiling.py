"""Hearing of kernels as numba compiles them, which a first start does for minutes; cached ones are not heard of."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from numba.core import event
from numba.core.dispatcher import Dispatcher

EVERY = 5.0
"""Seconds between two words."""


@contextmanager
def compiling(
    tell: Callable[[int, int], None], now: Callable[[], float] = monotonic, every: float = EVERY
) -> Iterator[None]:
    """Call `tell` with the kernels compiled so far and those that there are, every so many seconds while it goes on."""
    listener = _Listener(tell, now, every)
    with event.install_listener("numba:compile", listener):
        yield


class _Listener(event.Listener):
    def __init__(self, tell: Callable[[int, int], None], now: Callable[[], float], every: float) -> None:
        self._tell, self._now, self._every = tell, now, every
        self._done = 0
        self._next = now() + every

    def on_start(self, _event: event.Event) -> None:
        """Nothing is done yet."""

    def on_end(self, _event: event.Event) -> None:
        """One more."""
        self._done += 1
        if self._now() >= self._next:
            self._next = self._now() + self._every
            known = sum(issubclass(type(each), Dispatcher) for each in gc.get_objects())  # a dead proxy has no class
            self._tell(self._done, max(known, self._done))
