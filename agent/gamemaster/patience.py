"""How long boards are looked for: a guess at how to draw a state is worth some time, and no more."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_end: ContextVar[float] = ContextVar("end", default=math.inf)


class ImpatientError(Exception):
    """It takes too long."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Have `check` raise ImpatientError after so many seconds of the processor in this thread."""
    token = _end.set(time.thread_time() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def check() -> None:
    """Called where much may be left to do. Raises ImpatientError."""
    if time.thread_time() > _end.get():
        raise ImpatientError
