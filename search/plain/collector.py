"""Python's garbage collector, held off while a search thinks.

A tree of some 100,000 nodes takes the collector a tenth of a second and more to walk through, in one pause at any
moment: enough to miss a deadline. Nodes are freed by reference counts (`Tree` cuts cycles itself), so that
nothing waits for the collector.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Disable the collector of this process for the block, without a pause at its end.

    What is alive at the end is frozen: the collector leaves it alone from then on, for it would otherwise walk
    through the whole tree at once, after the deadline. Where the collector is off, nothing changes at all.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()
