"""Progress of numba's compilation, which takes minutes on a first start. Cached kernels are not reported."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from numba.core import event
from numba.core.dispatcher import Dispatcher

EVERY = 5.0
"""Seconds between two reports."""


@contextmanager
def compiling(
    report: Callable[[int, int], None], now: Callable[[], float] = monotonic, every: float = EVERY
) -> Iterator[None]:
    """Call `report` with the number of compiled kernels and the total, every `every` seconds while numba compiles."""
    listener = _Listener(report, now, every)
    with event.install_listener("numba:compile", listener):
        yield


class _Listener(event.Listener):
    def __init__(self, report: Callable[[int, int], None], now: Callable[[], float], every: float) -> None:
        self._report, self._now, self._every = report, now, every
        self._done = 0
        self._next = now() + every

    def on_start(self, _event: event.Event) -> None:
        """Do nothing: a kernel counts when its compilation ends."""

    def on_end(self, _event: event.Event) -> None:
        """Count one compiled kernel."""
        self._done += 1
        if self._now() >= self._next:
            self._next = self._now() + self._every
            known = sum(issubclass(type(each), Dispatcher) for each in gc.get_objects())  # a dead proxy has no class
            self._report(self._done, max(known, self._done))
