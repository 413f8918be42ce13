"""Processors of one's own: what runs beside others on a machine should not take their time.

Ray counts processors and says nothing of which. Each is a file here whose lock is held by who has it, until it ends,
however it ends.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from reasoner.platform_calls import allowed_processors, lock_file, stay_on


def reserve(count: int) -> frozenset[int]:
    """Take so many processors for this process and all that it starts from now on; none where too few are free.

    Without them it runs where the system likes. They are held until this process ends.
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
    """The file of a processor that nobody has, locked."""
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
