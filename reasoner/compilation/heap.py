"""What a build's process tells the C library about memory: keep what is freed.

Passes make arrays of tens of megabytes and free them at once. By default each is mapped anew and given back, and the
system fills every page of it with zeros: 0.8 s of the 5 s that racer4's circuit took. Here it lies on the heap, where
the next array takes its place, whichever thread makes it; a build's process ends before anybody else could want it.
"""

from __future__ import annotations

from reasoner.platform_calls import set_allocator

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD, ARENA_MAX = -1, -2, -3, -8
"""See mallopt(3)."""

NEVER = 2**30
"""No array of a build is as large, and no heap is free for as much at its end."""

ONE = 1
"""A heap for all threads: their kernels make few arrays, and what one frees another takes."""

STEP = 2**26
"""The heap grows by so many bytes at least."""


def keep_freed_memory() -> None:
    """Let this process keep what it frees; a C library without such settings goes on as it was."""
    set_allocator(((ARENA_MAX, ONE), (MMAP_THRESHOLD, NEVER), (TRIM_THRESHOLD, NEVER), (TOP_PAD, STEP)))
