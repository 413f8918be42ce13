"""Background work in a thread. Compiled kernels run in parallel with other threads; Python code shares the GIL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Result = TypeVar("Result")


@contextmanager
def in_background(work: Callable[[], Result]) -> Iterator[Callable[[], Result]]:
    """Run `work` in a thread during the `with` body, which receives a function that waits for the result.

    An exception of `work` is raised by that function and at the end of the body. If the system cannot start a thread,
    `work` runs before the body.
    """
    with ThreadPoolExecutor(1) as pool:
        try:
            done = pool.submit(work)
        except RuntimeError:
            result = work()
            yield lambda: result
        else:
            yield done.result
            done.result()
