"""Work in a thread beside other work: kernels run at the same time, Python's own code in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Result = TypeVar("Result")


@contextmanager
def beside(work: Callable[[], Result]) -> Iterator[Callable[[], Result]]:
    """Do some work in a thread beside the body, which is given a function that waits for what comes of it.

    What the work raises, that function raises, and the end of the body. Where the system grants no thread, the work is
    done before the body.
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
