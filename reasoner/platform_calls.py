"""Operating system calls that differ between Linux, macOS and other Unix systems, with their fallbacks.

No other file imports `fcntl` or `resource`, reads ``/proc`` or checks the name of the system. This file imports only
the standard library. `SYSTEM` selects the variant; tests set it to another name to run the fallback on any machine.

| call | on Linux | elsewhere |
|---|---|---|
| `usable_processors` | the affinity of this process | all processors of the machine |
| `allowed_processors`, `stay_on` | the affinity of this process | no choice, no effect |
| `lock_file` | flock(2) | flock(2) |
| `end_with` | PR_SET_PDEATHSIG of prctl(2) | a thread checks twice a second |
| `adopt_orphans` | PR_SET_CHILD_SUBREAPER of prctl(2) | no effect |
| `ending_with_parent` | PR_SET_PDEATHSIG of prctl(2) | no effect |
| `own_children` | from children in proc(5) | unknown, none |
| `signal_group` | killpg(2): ESRCH if all processes have ended | the same, but EPERM on macOS |
| `sigint_blocked` | pthread_sigmask(3) | the same; no effect if Python lacks it |
| `tethered` | PR_SET_PDEATHSIG, kept by exec(2) | a process beside the command checks its parent twice a second |
| `limit_address_space` | RLIMIT_AS: an allocation fails | a thread ends the process past its limit of resident memory |
| `limit_data` | RLIMIT_DATA: an allocation fails | a thread, as for `limit_address_space` |
| `address_space` | from statm in proc(5) | the peak of resident memory |
| `data_memory` | from statm in proc(5) | unknown, 0 |
| `resident_memory` | from statm in proc(5) | the peak of resident memory |
| `machine_memory` | physical memory, or the limit of the control group | physical memory |
| `offer_to_oom_killer` | oom_score_adj in proc(5) | no effect |
| `set_allocator` | mallopt(3) of the GNU C library | no effect |
| `most_open_files` | the soft limit becomes the hard limit | the same; OPEN_MAX if there is no hard limit |
| `boot_name` | boot_id in proc(5) | unknown, the empty text |
| `boot_seconds` | CLOCK_BOOTTIME | CLOCK_MONOTONIC, which on macOS includes sleep |
| `hold_while_sent` | no effect | keeps a copy open for a second, as macOS may lose a descriptor closed in transit |

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
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

SYSTEM = sys.platform
"""The system, as `sys.platform` names it."""
LINUX = "linux"

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""See prctl(2): the first one survives exec(2)."""
CONTROL_GROUPS, OWN_GROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
"""The folder of control groups and the list of those of this process, see cgroups(7)."""
PARENT_SECONDS = 0.5
"""Seconds between two checks whether a parent is alive."""
MEMORY_SECONDS = 0.05
"""Seconds between two checks of resident memory."""
TRANSIT_SECONDS = 1.0
"""Seconds that a copy of a sent descriptor stays open on systems that could lose the original."""
OPEN_MAX = 10_240
"""The maximum number of open files on macOS if it reports no hard limit (sys/syslimits.h)."""
RSS_UNIT = 1 if sys.platform == "darwin" else 2**10
"""The unit of resident memory in bytes on this machine, whatever `SYSTEM` says."""
MAX_CLOSED_DESCRIPTOR = 256
"""Descriptors below this number are closed in a helper process that must not keep inherited ones open."""


def usable_processors() -> int:
    """Return the number of processors that this process may use; at least one."""
    return len(allowed_processors()) or os.cpu_count() or 1


def allowed_processors() -> frozenset[int]:
    """Return the numbers of the processors that this process may use; empty where the system offers no choice."""
    return frozenset(os.sched_getaffinity(0)) if SYSTEM == LINUX else frozenset()


def stay_on(processors: Collection[int]) -> None:
    """Pin all threads of this process, and everything it starts from now on, to these processors."""
    if SYSTEM != LINUX:
        return
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(ProcessLookupError):  # the thread has ended
            os.sched_setaffinity(int(thread.name), processors)


def lock_file(file: int, *, shared: bool = False, wait: bool = False) -> None:
    """Lock an open file until it is closed. Raises OSError if another process has the lock and `wait` is false."""
    fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))


def end_with(parent: int) -> None:
    """Kill this process when its parent ends, even if this process is waiting.

    On other systems than Linux this starts a thread, so the process must not fork afterwards.
    """
    if SYSTEM == LINUX:
        _die_with_parent()
    if os.getppid() != parent:  # the parent has ended already
        os._exit(0)
    if SYSTEM != LINUX:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


@contextlib.contextmanager
def ending_with_parent() -> Iterator[None]:
    """Kill this process if its parent ends during the block, even if this process is waiting.

    Linux takes the thread that started this process for the parent. No effect on other systems.
    """
    if SYSTEM != LINUX:
        yield
        return
    _die_with_parent()
    try:
        yield
    finally:
        _die_with_parent(0)


def adopt_orphans() -> None:
    """Make this process, not process 1, the parent of the orphans that its children leave behind."""
    if SYSTEM == LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def own_children() -> set[int]:
    """Return the process IDs of this process's children; empty if unknown. This process must have one thread."""
    if SYSTEM != LINUX:
        return set()
    try:
        return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").split()))
    except OSError:
        return set()


def _die_with_parent(number: int = signal.SIGKILL) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)


def _end_after(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def tethered(command: Sequence[str]) -> Sequence[str]:
    """Wrap the command of a child process, so that it is killed when this process ends for any reason.

    The command may be of another version of the agent, so the wrapper is this file, run as a program.
    """
    return (sys.executable, "-I", "-S", __file__, SYSTEM, str(os.getpid()), *command)


def _become(system: str, parent: int, command: list[str]) -> None:
    """Become a command that is killed when `parent`, the parent of this process, ends."""
    if system == LINUX:
        _die_with_parent()
    elif os.fork() == 0:
        _kill_after(parent, os.getppid())
    if os.getppid() == parent:  # otherwise it has ended already
        os.execvp(command[0], command)


def _kill_after(parent: int, command: int) -> None:
    """Kill a command when the process that started it has ended; runs as its child and ends with it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the command receives them, too, and may take its time
    os.closerange(0, MAX_CLOSED_DESCRIPTOR)  # readers of the command's output must see its end
    while os.getppid() == command:
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os.kill(command, signal.SIGKILL)
        time.sleep(PARENT_SECONDS)
    os._exit(0)


@contextlib.contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block SIGINT, so that child processes start with it blocked. A pending SIGINT is delivered at the end.

    Ctrl-C in a terminal goes to every process of the group. Python would end a child that is still importing with a
    traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not available on this system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def signal_group(leader: int, number: int) -> None:
    """Send a signal to a process group, if it still has a process.

    macOS reports EPERM if all processes of the group have ended and one is not yet reaped.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def limit_address_space(size: int, code: int) -> None:
    """Limit this process to `size` bytes, as measured by `address_space`, or to the system's limit if that is smaller.

    On Linux an allocation beyond the limit fails; elsewhere the process ends with `code` soon after it exceeds the
    limit.
    """
    if SYSTEM == LINUX:
        most, _ = _allowed(resource.RLIMIT_AS, size)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    else:
        _end_beyond(size, code)


def limit_data(size: int, code: int) -> None:
    """Limit the data of this process to `size` bytes, as measured by `data_memory`; see `limit_address_space`."""
    if SYSTEM == LINUX:
        resource.setrlimit(resource.RLIMIT_DATA, _allowed(resource.RLIMIT_DATA, size))
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
    """Limit this process to `seconds` of processor time, or to the system's limit if that is smaller."""
    most, _ = _allowed(resource.RLIMIT_CPU, seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def _allowed(kind: int, wanted: int) -> tuple[int, int]:
    """Return a limit that this process may set, at most `wanted`, and the hard limit, which only root may raise."""
    _, hard = resource.getrlimit(kind)
    return (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)), hard


def write_no_core() -> None:
    """Disable core dumps of this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def address_space() -> int:
    """Return the bytes of address space of this process, with libraries and compiled code; 0 if unknown."""
    return _pages(0) if SYSTEM == LINUX else peak_memory()


def resident_memory() -> int:
    """Return the bytes of resident memory of this process; 0 if unknown."""
    return _pages(1) if SYSTEM == LINUX else peak_memory()


def data_memory() -> int:
    """Return the bytes of data and stack of this process, which `limit_data` limits; 0 if unknown."""
    return _pages(5) if SYSTEM == LINUX else 0


def _pages(column: int) -> int:
    """Return the bytes in a column of statm, see proc(5): 0 size, 1 resident, 5 data and stack."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[column]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def machine_memory() -> int:
    """Return the bytes of memory that this process may use: the machine's memory, or a smaller limit; 0 if unknown."""
    try:
        found = [os.sysconf("SC_PHYS_PAGES") * resource.getpagesize()]
    except (OSError, ValueError):
        found = []
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    limits += map(_number, _memory_limits() if SYSTEM == LINUX else ())
    return min((size for size in (*found, *limits) if size > 0), default=0)


def _memory_limits() -> Iterator[Path]:
    """Yield the files with the memory limits of this process's control groups: its container, its systemd unit."""
    try:
        lines = [line for line in OWN_GROUPS.read_text().splitlines() if line.count(":") > 1]
    except (OSError, ValueError):
        lines = []
    for line in ["0::/", "1:memory:/", *lines]:
        _, controllers, path = line.split(":", 2)
        if controllers in ("", "memory"):
            root, name = (CONTROL_GROUPS / controllers, "memory.limit_in_bytes" if controllers else "memory.max")
            group = root / path.lstrip("/")
            yield from (folder / name for folder in (group, *group.parents) if folder.is_relative_to(root))


def _number(file: Path) -> int:
    """Return the number in a file; 0 if there is none."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return 0


def peak_memory() -> int:
    """Return the peak of this process's resident memory in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT


def offer_to_oom_killer() -> None:
    """Let the system kill this process before others if the machine runs out of memory."""
    if SYSTEM == LINUX:
        with contextlib.suppress(OSError):  # without such a file nothing is lost
            Path("/proc/self/oom_score_adj").write_text("500")


def set_allocator(settings: Iterable[tuple[int, int]]) -> None:
    """Set options of the C library's allocator, see mallopt(3); a library without them is left unchanged."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if SYSTEM == LINUX else None
    for option, value in settings:
        if mallopt is not None:
            mallopt(option, value)


def most_open_files() -> float:
    """Raise this process's limit of open files as far as the system allows, and return it; it may be inf."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_MAX if SYSTEM != LINUX and hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and (most == resource.RLIM_INFINITY or most > soft):
        with contextlib.suppress(OSError, ValueError):  # some systems refuse their own hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return float("inf") if soft == resource.RLIM_INFINITY else soft


def boot_name() -> str:
    """Return an identifier of this boot of the machine, drawn at random by the system; empty if there is none."""
    if SYSTEM == LINUX:
        with contextlib.suppress(OSError):
            return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def boot_seconds() -> float:
    """Return the seconds since boot, on a clock that all processes share; includes sleep where possible."""
    return time.clock_gettime(time.CLOCK_BOOTTIME if SYSTEM == LINUX else time.CLOCK_MONOTONIC)


def hold_while_sent(descriptors: Sequence[int]) -> None:
    """Make it safe to close descriptors right after they were sent to another process.

    macOS may discard the contents of a socket when its sender closes it, so a copy stays open for TRANSIT_SECONDS. If
    the other process ends earlier, this process notices that only when the copy is closed. Raises OSError if the system
    cannot start a thread.
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
