"""Information about other processes: from ``/proc`` on Linux, from the program ``ps`` elsewhere.

Only this file of the benchmarks and tests reads ``/proc``. Values that ps(1) does not report are 0.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reasoner import platform_calls
from reasoner.platform_calls import LINUX

PS_COMMAND = ("ps", "-axww", "-o", "pid=,ppid=,stat=,time=,rss=,command=")
"""One line for each process; see ps(1) of POSIX, whose ``rss`` counts KiB."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process, living or a zombie (`dead`)."""

    pid: int
    parent: int
    dead: bool
    seconds: float  # processor time
    resident_kib: int
    command: str


def processes() -> list[Process]:
    """Return all processes of this machine."""
    if platform_calls.SYSTEM != LINUX:
        return list(_by_ps())
    found = (_read(int(path.name)) for path in Path("/proc").glob("[0-9]*"))
    return [each for each in found if each is not None]


def process(pid: int) -> Process | None:
    """Return one process; None if it has ended."""
    if platform_calls.SYSTEM == LINUX:
        return _read(pid)
    return next((each for each in _by_ps() if each.pid == pid), None)


def _read(pid: int) -> Process | None:
    folder = Path(f"/proc/{pid}")
    try:
        words = (folder / "stat").read_text().rpartition(")")[2].split()
        command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:  # it has ended
        return None
    seconds = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    resident = int(words[21]) * os.sysconf("SC_PAGE_SIZE") // 1024
    return Process(pid, int(words[1]), words[0] == "Z", seconds, resident, command)


def _by_ps() -> Iterator[Process]:
    for line in subprocess.check_output(PS_COMMAND, text=True, errors="replace").splitlines():
        pid, parent, state, used, resident, *command = line.split(None, 5)
        yield Process(
            int(pid), int(parent), state[0] == "Z", seconds_of(used), int(resident), command[0] if command else ""
        )


def seconds_of(text: str) -> float:
    """Parse ``[[days-]hours:]minutes:seconds``."""
    days, _, rest = text.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds + 86_400 * int(days or 0)


def descendants(pid: int) -> list[int]:
    """Return all living processes below `pid`."""
    children: dict[int, list[int]] = {}
    for each in processes():
        if not each.dead:
            children.setdefault(each.parent, []).append(each.pid)
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def lives(pid: int) -> bool:
    """Return whether a process exists and has not ended."""
    found = process(pid)
    return found is not None and not found.dead


def proportional_kib(pid: int) -> int:
    """Return the memory of a process with shared pages divided among their users; elsewhere, its resident memory."""
    if platform_calls.SYSTEM == LINUX:
        return _number(f"/proc/{pid}/smaps_rollup", "Pss:")
    found = process(pid)
    return found.resident_kib if found is not None else 0


def threads(pid: int) -> int:
    """Count the threads of a process."""
    return _number(f"/proc/{pid}/status", "Threads:") if platform_calls.SYSTEM == LINUX else 0


def open_files(pid: int) -> int:
    """Count the open files of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir())) if platform_calls.SYSTEM == LINUX else 0


def blocked_signals(pid: int) -> int | None:
    """Return the signals that a process blocks, signal n as bit n - 1; None if the system does not report them."""
    if platform_calls.SYSTEM != LINUX:
        return None
    return int(re.findall(r"^SigBlk:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[0], 16)


def _number(path: str, key: str) -> int:
    """Return the number after `key`; 0 if the process has just ended."""
    with contextlib.suppress(OSError):
        for line in Path(path).read_text().splitlines():
            if line.startswith(key):
                return int(line.split()[1])
    return 0


def schedule(pid: int) -> tuple[float, float]:
    """Return the seconds that the first thread of a process has run, and has waited for a processor."""
    if platform_calls.SYSTEM != LINUX:
        return 0.0, 0.0
    try:
        ran, waited, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    except (OSError, ValueError):
        return 0.0, 0.0
    return int(ran) / 1e9, int(waited) / 1e9


def own_descriptors() -> Iterator[str]:
    """Yield the target of each open descriptor except standard streams, such as ``socket:[12]``; Linux only."""
    if platform_calls.SYSTEM == LINUX:
        links = [path for path in Path("/proc/self/fd").iterdir() if int(path.name) > 2 and path.is_symlink()]
        yield from (str(path.readlink()) for path in links)
