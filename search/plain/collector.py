"""Garbage collector control: disabled while a search thinks.

The collector takes a tenth of a second and more to walk a tree of 100,000 nodes, in one pause at any moment: enough to
miss a deadline. Nodes are freed by reference counts (`Tree` breaks cycles itself), so nothing depends on the collector.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Disable the collector of this process for the block, without a pause at its end.

    Objects alive at the end are frozen, because the collector would otherwise walk the whole tree at once, after the
    deadline. Without effect if the collector is already disabled.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()
