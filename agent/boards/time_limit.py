"""Time limit for the detection of boards."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_end: ContextVar[float] = ContextVar("end", default=math.inf)


class TimeLimitError(Exception):
    """The time limit was exceeded."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let `check` raise TimeLimitError after `seconds` of CPU time of this thread."""
    token = _end.set(time.thread_time() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def check() -> None:
    """Raise TimeLimitError if the time limit is exceeded."""
    if time.thread_time() > _end.get():
        raise TimeLimitError
