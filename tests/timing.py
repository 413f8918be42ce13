"""Processor time of what a test runs."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def least_seconds(call: Callable[[], object]) -> float:
    """The lesser of two times: the caches that neighbours on the machine take only add to it.

    The garbage collector is left out, which looks at all that other tests have left.
    """
    times = []
    for _ in range(2):
        gc.disable()
        began = time.process_time()
        try:
            call()
        finally:
            times.append(time.process_time() - began)
            gc.enable()
    return min(times)
