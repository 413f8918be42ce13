"""Reservation of processors, so that matches on one machine do not disturb each other.

Ray counts processors, but does not assign processes to them. Here each processor has a lock file; the operating system
releases the lock when the process that holds it ends.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from reasoner.platform_calls import allowed_processors, lock_file, stay_on


def reserve(count: int) -> frozenset[int]:
    """Reserve `count` processors for this process and its future children; reserve none if too few are free.

    Without a reservation, the process runs on any processor. Reservations last until this process ends.
    """
    held: dict[int, int] = {}
    for number in sorted(allowed_processors()):
        if len(held) < count and (lock := _locked(number)) is not None:
            held[number] = lock
    if len(held) < count:
        for lock in held.values():
            os.close(lock)
        return frozenset()
    stay_on(held)
    return frozenset(held)


def _locked(number: int) -> int | None:
    """Lock the file of a processor; None if another process holds it."""
    path = Path(tempfile.gettempdir()) / f"ggp-agent-{os.getuid()}-processor-{number}.lock"
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    try:
        lock_file(file)
    except OSError:
        os.close(file)
        return None
    return file
