"""Processors of one's own: what runs beside others on a machine should not take their time.

Ray counts processors and says nothing of which. Each is a file here whose lock is held by who has it, until it ends,
however it ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from pathlib import Path


def usable() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def reserve(count: int) -> frozenset[int]:
    """Take so many processors for this process and all that it starts from now on; none where too few are free.

    Without them it runs where the system likes. They are held until this process ends.
    """
    if not hasattr(os, "sched_getaffinity"):  # the system has no such thing
        return frozenset()
    held: dict[int, int] = {}
    for number in sorted(os.sched_getaffinity(0)):
        if len(held) < count and (lock := _locked(number)) is not None:
            held[number] = lock
    if len(held) < count:
        for lock in held.values():
            os.close(lock)
        return frozenset()
    _stay_on(frozenset(held))
    return frozenset(held)


def _locked(number: int) -> int | None:
    """The file of a processor that nobody has, locked."""
    path = Path(tempfile.gettempdir()) / f"ggp-agent-{os.getuid()}-processor-{number}.lock"
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _stay_on(processors: frozenset[int]) -> None:
    """All threads of this process, as a new one starts where the one was that begins it."""
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread.name), processors)
