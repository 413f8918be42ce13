"""Every call of the operating system that is not the same on Linux, macOS and other Unix systems, with its fallback.

No other file imports `fcntl` or `resource`, reads ``/proc`` or asks which system this is, and this one imports only the
standard library. `SYSTEM` decides; a test sets it to another name and gets the fallback on any machine.

| call | on Linux | elsewhere |
|---|---|---|
| `usable_processors` | the affinity of this process | all processors of the machine |
| `allowed_processors`, `stay_on` | the affinity of this process | none can be chosen, nothing is done |
| `lock_file` | flock(2) | the same |
| `end_with` | PR_SET_PDEATHSIG of prctl(2) | a thread looks twice a second |
| `adopt_orphans` | PR_SET_CHILD_SUBREAPER of prctl(2) | nothing is done |
| `own_children` | from children in proc(5) | unknown, none |
| `signal_group` | killpg(2), ESRCH where all have ended | the same, EPERM on macOS |
| `tethered` | the same, kept by exec(2) | a process beside the command looks twice a second at its number |
| `limit_address_space` | RLIMIT_AS: an allocation fails | a thread ends the process past its limit of resident memory |
| `limit_data` | RLIMIT_DATA: an allocation fails | the same thread |
| `address_space` | from statm in proc(5) | the most that was resident |
| `data_memory` | from statm in proc(5) | unknown, 0 |
| `resident_memory` | from statm in proc(5) | the most that was resident |
| `offer_to_oom_killer` | oom_score_adj in proc(5) | nothing is done |
| `set_allocator` | mallopt(3) of the GNU C library | nothing is done |
| `most_open_files` | the soft limit becomes the hard one | macOS has no hard one but grants OPEN_MAX |
| `boot_name` | boot_id in proc(5) | unknown, the empty text |
| `boot_seconds` | CLOCK_BOOTTIME | CLOCK_MONOTONIC, which on macOS counts sleep, too |
| `hold_while_sent` | nothing is done | macOS may lose what its sender closes on the way: it is held for a second |

As a program, ``platform_calls.py SYSTEM PID COMMAND...`` becomes a command that ends with the process PID (`tethered`).
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

SYSTEM = sys.platform
"""The system, as `sys.platform` names it."""
LINUX = "linux"

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""See prctl(2): the first is kept where a process becomes another program."""
PARENT_SECONDS = 0.5
"""Between two looks at whether a parent lives."""
MEMORY_SECONDS = 0.05
"""Between two looks at how much memory is resident."""
TRANSIT_SECONDS = 1.0
"""How long a descriptor that was sent is held where closing it could lose it."""
OPEN_MAX = 10_240
"""The most open files that macOS grants where its hard limit says that there is none (sys/syslimits.h)."""
RSS_UNIT = 1 if sys.platform == "darwin" else 2**10
"""Bytes in which this machine counts what was resident, whatever `SYSTEM` says."""
LAST_TO_CLOSE = 256
"""Descriptors below this are closed by a process that holds what is not its own."""


def usable_processors() -> int:
    """How many processors this process may use; at least one."""
    return len(allowed_processors()) or os.cpu_count() or 1


def allowed_processors() -> frozenset[int]:
    """The numbers of the processors that this process may use; empty where the system lets nobody choose."""
    return frozenset(os.sched_getaffinity(0)) if SYSTEM == LINUX else frozenset()


def stay_on(processors: Collection[int]) -> None:
    """Keep all threads of this process on these processors, and all that it starts from now on."""
    if SYSTEM != LINUX:
        return
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(ProcessLookupError):  # the thread has ended
            os.sched_setaffinity(int(thread.name), processors)


def lock_file(file: int, *, shared: bool = False, wait: bool = False) -> None:
    """Lock an open file until it is closed. Raises OSError where another process has the lock, unless told to wait."""
    fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))


def end_with(parent: int) -> None:
    """Kill this process when its parent ends, whatever it waits for then.

    Off Linux a thread sees to it, so a process that forks later has to be forked before.
    """
    if SYSTEM == LINUX:
        _die_with_parent()
    if os.getppid() != parent:  # it has ended before
        os._exit(0)
    if SYSTEM != LINUX:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def adopt_orphans() -> None:
    """Become the parent of what the children of this process leave behind, instead of the system's first process."""
    if SYSTEM == LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def own_children() -> set[int]:
    """The children of this process, which must have one thread; none where the system does not tell."""
    if SYSTEM != LINUX:
        return set()
    try:
        return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").split()))
    except OSError:
        return set()


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end_after(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def tethered(command: Sequence[str]) -> Sequence[str]:
    """The command of a child of this process that is ended with it, however that ends.

    The command may be of another version of the agent, so what ties it is this file, run as a program.
    """
    return (sys.executable, "-I", "-S", __file__, SYSTEM, str(os.getpid()), *command)


def _become(system: str, parent: int, command: list[str]) -> None:
    """Become a command that is ended with a process, which is the parent of this one."""
    if system == LINUX:
        _die_with_parent()
    elif os.fork() == 0:
        _kill_after(parent, os.getppid())
    if os.getppid() == parent:  # else it has ended before
        os.execvp(command[0], command)


def _kill_after(parent: int, command: int) -> None:
    """Beside a command, as its child: kill it when the process that wanted it has ended; end with it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the command hears them, too, and may take its time
    os.closerange(0, LAST_TO_CLOSE)  # whoever reads what the command prints must see its end
    while os.getppid() == command:
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os.kill(command, signal.SIGKILL)
        time.sleep(PARENT_SECONDS)
    os._exit(0)


def signal_group(leader: int, number: int) -> None:
    """Send a signal to a group of processes, if any of it is left.

    macOS says that it is not permitted where all of them have ended and somebody has yet to wait for one.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def limit_address_space(size: int, code: int) -> None:
    """Let this process have `size` bytes at most, counted as by `address_space`.

    On Linux an allocation beyond that fails; elsewhere the process ends with `code` soon after it has gone beyond.
    Raises ValueError or OSError where the system has a smaller limit already.
    """
    if SYSTEM == LINUX:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    else:
        _end_beyond(size, code)


def limit_data(size: int, code: int) -> None:
    """Let this process have `size` bytes of its own at most: as `limit_address_space`, libraries not counted."""
    if SYSTEM == LINUX:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (size, hard))
    else:
        _end_beyond(size, code)


def _end_beyond(size: int, code: int) -> None:
    threading.Thread(target=_watch_memory, args=(size, code), daemon=True).start()


def _watch_memory(size: int, code: int) -> None:
    while peak_memory() <= size:
        time.sleep(MEMORY_SECONDS)
    with contextlib.suppress(OSError):
        os.write(2, f"process {os.getpid()} ends: it has more than {size >> 20:,} MiB of memory\n".encode())
    os._exit(code)


def limit_processor_time(seconds: int) -> None:
    """Let the system end this process after so much processor time. Raises ValueError or OSError as above."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def write_no_core() -> None:
    """Leave no image of this process on the disk when it crashes."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def address_space() -> int:
    """Bytes of address space that this process has, libraries and compiled code too; 0 where nobody tells."""
    return _pages(0) if SYSTEM == LINUX else peak_memory()


def resident_memory() -> int:
    """Bytes of memory that this process has; 0 where nobody tells."""
    return _pages(1) if SYSTEM == LINUX else peak_memory()


def data_memory() -> int:
    """Bytes of data and stack of this process, which `limit_data` counts; 0 where nobody tells."""
    return _pages(5) if SYSTEM == LINUX else 0


def _pages(column: int) -> int:
    """The bytes in a column of statm, see proc(5): 0 size, 1 resident, 5 data and stack."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[column]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def peak_memory() -> int:
    """The most bytes that were ever resident of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT


def children_seconds() -> float:
    """Processor seconds of the children of this process that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def offer_to_oom_killer() -> None:
    """Let the system end this process before others where the machine runs out of memory."""
    if SYSTEM == LINUX:
        with contextlib.suppress(OSError):  # where there is no such file, nothing is lost
            Path("/proc/self/oom_score_adj").write_text("500")


def set_allocator(settings: Iterable[tuple[int, int]]) -> None:
    """Tell the C library's allocator options and values of mallopt(3); one without them goes on as it was."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if SYSTEM == LINUX else None
    for option, value in settings:
        if mallopt is not None:
            mallopt(option, value)


def most_open_files() -> float:
    """Raise the limit of open files of this process as far as the system lets it, and return it; it may be inf."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_MAX if SYSTEM != LINUX and hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and (most == resource.RLIM_INFINITY or most > soft):
        with contextlib.suppress(OSError, ValueError):  # systems exist that refuse their own hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return float("inf") if soft == resource.RLIM_INFINITY else soft


def boot_name() -> str:
    """What tells this start of the machine from others, drawn at random by the system; empty where it does not."""
    if SYSTEM == LINUX:
        with contextlib.suppress(OSError):
            return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def boot_seconds() -> float:
    """Seconds since the machine was started, the same for all its processes; sleep counts where it can."""
    return time.clock_gettime(time.CLOCK_BOOTTIME if SYSTEM == LINUX else time.CLOCK_MONOTONIC)


def hold_while_sent(descriptors: Sequence[int]) -> None:
    """After these were sent to another process: let the caller close them at once without harm.

    macOS may throw away what waits in a socket when its sender closes it, so a copy stays open for TRANSIT_SECONDS.
    Where the other process has ended meanwhile, this end of a pair hears of it only then. Raises OSError where the
    system grants no thread for it.
    """
    if SYSTEM != LINUX:
        copies = [os.dup(each) for each in descriptors]
        try:
            threading.Thread(target=_close_later, args=(copies,), daemon=True).start()
        except RuntimeError as error:
            for each in copies:
                os.close(each)
            raise OSError(str(error)) from error


def _close_later(descriptors: Sequence[int]) -> None:
    time.sleep(TRANSIT_SECONDS)
    for each in descriptors:
        os.close(each)


if __name__ == "__main__":
    _become(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
