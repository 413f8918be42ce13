"""Allocator settings of a build's process: keep freed memory.

Passes allocate arrays of tens of megabytes and free them soon. By default the system maps and unmaps the memory of each
array, and fills every page with zeros: 0.8 s of the 5 s that racer4's circuit took. With these settings an array is on
the heap, and the next array reuses its memory, in any thread. A build's process is short-lived, so keeping the memory
does no harm.
"""

from __future__ import annotations

from reasoner.platform_calls import set_allocator

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD, ARENA_MAX = -1, -2, -3, -8
"""See mallopt(3)."""

NEVER = 2**30
"""More bytes than any array of a build has, and more than are free at the end of a heap."""

ONE = 1
"""One heap for all threads: their kernels make few arrays, and can reuse each other's memory."""

STEP = 2**26
"""The heap grows by at least this many bytes."""


def keep_freed_memory() -> None:
    """Keep memory that this process frees; no effect with a C library without such settings."""
    set_allocator(((ARENA_MAX, ONE), (MMAP_THRESHOLD, NEVER), (TRIM_THRESHOLD, NEVER), (TOP_PAD, STEP)))
