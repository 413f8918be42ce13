"""What the system tells of other processes: of ``/proc`` on Linux, of the program ``ps`` elsewhere.

Benches and tests ask here, and no other file of theirs looks into ``/proc``. What ps(1) does not tell is 0.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reasoner import platform_calls
from reasoner.platform_calls import LINUX

TOLD_BY_PS = ("ps", "-axww", "-o", "pid=,ppid=,stat=,time=,rss=,command=")
"""A line each; see ps(1) of POSIX, whose ``rss`` counts KiB."""


@dataclass(frozen=True, slots=True)
class Process:
    """One that lives, or has ended and is not buried (`dead`)."""

    pid: int
    parent: int
    dead: bool
    seconds: float  # of processor time
    resident_kib: int
    command: str


def processes() -> list[Process]:
    """All processes of this machine."""
    if platform_calls.SYSTEM != LINUX:
        return list(_by_ps())
    found = (_read(int(path.name)) for path in Path("/proc").glob("[0-9]*"))
    return [each for each in found if each is not None]


def process(pid: int) -> Process | None:
    """One process; None where it has ended."""
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
    for line in subprocess.check_output(TOLD_BY_PS, text=True, errors="replace").splitlines():
        pid, parent, state, used, resident, *command = line.split(None, 5)
        yield Process(
            int(pid), int(parent), state[0] == "Z", seconds_of(used), int(resident), command[0] if command else ""
        )


def seconds_of(text: str) -> float:
    """What ``[[days-]hours:]minutes:seconds`` says."""
    days, _, rest = text.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds + 86_400 * int(days or 0)


def descendants(pid: int) -> list[int]:
    """All living processes below `pid`."""
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
    """Whether there is such a process that has not ended."""
    found = process(pid)
    return found is not None and not found.dead


def proportional_kib(pid: int) -> int:
    """Memory of a process, what it shares divided among those that share it; else all that is resident."""
    if platform_calls.SYSTEM == LINUX:
        return _number(f"/proc/{pid}/smaps_rollup", "Pss:")
    found = process(pid)
    return found.resident_kib if found is not None else 0


def threads(pid: int) -> int:
    """Threads of a process."""
    return _number(f"/proc/{pid}/status", "Threads:") if platform_calls.SYSTEM == LINUX else 0


def open_files(pid: int) -> int:
    """Open files of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir())) if platform_calls.SYSTEM == LINUX else 0


def blocked_signals(pid: int) -> int | None:
    """The signals that a process does not hear, signal n as bit n - 1; None where nobody tells."""
    if platform_calls.SYSTEM != LINUX:
        return None
    return int(re.findall(r"^SigBlk:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[0], 16)


def _number(path: str, key: str) -> int:
    """The number after `key`; 0 when the process has just ended."""
    with contextlib.suppress(OSError):
        for line in Path(path).read_text().splitlines():
            if line.startswith(key):
                return int(line.split()[1])
    return 0


def schedule(pid: int) -> tuple[float, float]:
    """Seconds that the first thread of a process has run, and that it was ready to and waited."""
    if platform_calls.SYSTEM != LINUX:
        return 0.0, 0.0
    try:
        ran, waited, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    except (OSError, ValueError):
        return 0.0, 0.0
    return int(ran) / 1e9, int(waited) / 1e9


def own_descriptors() -> Iterator[str]:
    """What each open descriptor of this process but its standard streams is, ``socket:[12]`` say; Linux tells."""
    if platform_calls.SYSTEM == LINUX:
        links = [path for path in Path("/proc/self/fd").iterdir() if int(path.name) > 2 and path.is_symlink()]
        yield from (str(path.readlink()) for path in links)


def processor_name() -> str:
    """The name of this machine's processor, as far as the system tells."""
    if platform_calls.SYSTEM == LINUX:
        with contextlib.suppress(OSError):
            if found := re.findall(r"^model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE):
                return str(found[0])
    return platform.processor() or platform.machine()
