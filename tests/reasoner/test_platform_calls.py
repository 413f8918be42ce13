"""What differs between operating systems: each call as this one has it, and its fallback, by another `SYSTEM`."""

import math
import os
import resource
import signal
import socket
import subprocess
import sys
import textwrap

import pytest

from bench.processes import lives
from reasoner import platform_calls
from reasoner.compilation.exit_reasons import MEMORY
from tests.waiting import wait_until

MIB = 2**20
HERE = pytest.param("linux", marks=pytest.mark.skipif(sys.platform != "linux", reason="a call that only Linux has"))
SYSTEMS = pytest.mark.parametrize("system", [HERE, "darwin"])


@pytest.fixture
def elsewhere(monkeypatch):
    """The fallbacks."""
    monkeypatch.setattr(platform_calls, "SYSTEM", "darwin")


def program(system, text):
    """The command of a program of Python on a system."""
    begin = f"from reasoner import platform_calls as calls\ncalls.SYSTEM = {system!r}\n"
    return [sys.executable, "-c", begin + textwrap.dedent(text)]


@pytest.mark.usefixtures("elsewhere")
def test_without_affinity_all_processors_are_used():
    assert platform_calls.allowed_processors() == frozenset()
    assert platform_calls.usable_processors() == os.cpu_count()
    platform_calls.stay_on({10**6})  # no such processor, which nobody looks for


@pytest.mark.skipif(sys.platform != "linux", reason="a call that only Linux has")
def test_a_process_is_pinned_to_processors_with_all_its_threads():
    text = """
        import os, threading
        one = min(calls.allowed_processors())
        wait = threading.Event()
        threading.Thread(target=wait.wait, daemon=True).start()
        calls.stay_on({one})
        print(all(os.sched_getaffinity(int(each)) == {one} for each in os.listdir("/proc/self/task")))
        print(calls.usable_processors())
    """
    assert subprocess.check_output(program("linux", text), text=True) == "True\n1\n"


@SYSTEMS
def test_a_locked_file_is_refused_to_others_until_it_is_closed(system, tmp_path, monkeypatch):
    monkeypatch.setattr(platform_calls, "SYSTEM", system)
    first, second = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2))
    platform_calls.lock_file(first)
    with pytest.raises(OSError, match="temporarily unavailable"):
        platform_calls.lock_file(second, shared=True)
    os.close(first)
    platform_calls.lock_file(second, shared=True, wait=True)
    third = os.open(tmp_path / "lock", os.O_RDWR)
    platform_calls.lock_file(third, shared=True)
    os.close(second)
    os.close(third)


@SYSTEMS
def test_a_process_ends_with_its_parent_also_while_it_waits(system):
    text = """
        import os, signal
        parent = os.getpid()
        if os.fork() == 0:
            calls.end_with(parent)
            os.write(1, b"x")
        signal.pause()
    """
    with subprocess.Popen(program(system, text), stdout=subprocess.PIPE) as process:
        assert process.stdout.read(1) == b"x"
        process.kill()
        assert process.stdout.read() == b""  # which says that nobody has the other end


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can end a process with its parent (prctl)")
@pytest.mark.parametrize("within", [True, False])
def test_a_process_ends_with_its_parent_within_the_block_only(within):
    text = f"""
        import os, signal
        if os.fork() == 0:
            with calls.ending_with_parent():
                if {within}:
                    os.write(1, b"x")
                    signal.pause()
            os.write(1, b"x")
            signal.signal(signal.SIGUSR1, lambda *_: os._exit(0))
            os.write(2, str(os.getpid()).encode() + b"\\n")
        signal.pause()
    """
    with subprocess.Popen(program("linux", text), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.read(1) == b"x"
        left = None if within else int(process.stderr.readline())
        process.kill()
        process.wait()
        if left is not None:
            assert lives(left)
            os.kill(left, signal.SIGUSR1)
        assert process.stdout.read() == b""


@SYSTEMS
def test_a_process_whose_parent_has_ended_before_ends_at_once(system):
    assert subprocess.run(program(system, "calls.end_with(1 << 30)\nwhile True: pass"), timeout=60).returncode == 0


TETHER = """
    import subprocess, sys
    text = "import os, signal as s; s.signal(15, lambda *_: os._exit(5)); print(os.getpid(), flush=True); s.pause()"
    process = subprocess.Popen(calls.tethered([sys.executable, "-c", text]), start_new_session=True)
"""


@SYSTEMS
def test_a_tethered_command_is_killed_with_the_process_that_wanted_it(system):
    text = TETHER + "    process.wait()\n"
    with subprocess.Popen(program(system, text), stdout=subprocess.PIPE) as process:
        command = int(process.stdout.readline())
        process.kill()
        process.wait()  # to look at a number does not tell the living from the dead that nobody has waited for
        assert process.stdout.read() == b""
    wait_until(lambda: not lives(command))


@SYSTEMS
def test_a_tethered_command_has_the_number_the_signals_and_the_exit_code_of_one_that_is_not(system):
    """What is beside it, where no system call ties it, neither answers nor outlives it."""
    text = f"""
        import os, signal
        {textwrap.indent(textwrap.dedent(TETHER), " " * 8).strip()}
        os.read(int(sys.argv[1]), 1)
        os.killpg(process.pid, signal.SIGTERM)
        print(process.pid, process.wait(), flush=True)
    """
    ours, theirs = os.pipe()
    command = [*program(system, text), str(ours)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, pass_fds=[ours]) as process:
        sent = int(process.stdout.readline())
        os.write(theirs, b"x")
        pid, code = map(int, process.stdout.readline().split())
        assert (pid, code) == (sent, 5)
        assert process.stdout.read() == b""
    with pytest.raises(ProcessLookupError):
        wait_until(lambda: os.killpg(pid, 0))  # None, until nobody is left in its group
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("fault", [ProcessLookupError, PermissionError])
def test_a_signal_to_an_ended_group_has_no_effect(fault, monkeypatch):
    """Linux and macOS say so differently."""
    signals = []

    def refused(*words):
        signals.append(words)
        raise fault

    monkeypatch.setattr(os, "killpg", refused)
    platform_calls.signal_group(7, signal.SIGTERM)
    assert signals == [(7, signal.SIGTERM)]


GROWS = """
    import threading
    {limit}
    data = bytearray(calls.peak_memory() + (600 << 20))  # the peak may be one from before exec(2)
    data[:: 4096] = b"x" * len(data[:: 4096])
    threading.Event().wait(120)
"""
EACH_LIMIT = pytest.mark.parametrize(
    "limit",
    ["calls.limit_address_space(calls.address_space() + (100 << 20), 3)", "calls.limit_data(100 << 20, 3)"],
    ids=["address space", "data"],
)


@EACH_LIMIT
def test_where_no_allocation_can_fail_a_process_past_its_limit_of_memory_ends_with_its_code(limit):
    done = subprocess.run(program("darwin", GROWS.format(limit=limit)), timeout=100, capture_output=True, text=True)
    assert done.returncode == MEMORY
    assert "MiB of memory" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="a call that only Linux has")
@EACH_LIMIT
def test_an_allocation_beyond_the_limit_fails_on_linux(limit):
    done = subprocess.run(program("linux", GROWS.format(limit=limit)), timeout=100, capture_output=True, text=True)
    assert done.returncode == 1
    assert "MemoryError" in done.stderr


@pytest.mark.parametrize(
    "limit",
    [
        lambda: platform_calls.limit_address_space(1 << 50, 3),
        lambda: platform_calls.limit_data(1 << 50, 3),
        lambda: platform_calls.limit_processor_time(1 << 50),
    ],
    ids=["address space", "data", "processor time"],
)
def test_a_smaller_limit_of_the_system_is_kept(limit, monkeypatch):
    """As on machines that many share: no worker could start there, where only root may raise a limit."""
    given = (1 << 36, 1 << 36)
    set_to = []

    def setrlimit(_, limits):
        if max(limits) > given[1]:
            raise ValueError("not allowed to raise maximum limit")
        set_to.append(limits)

    monkeypatch.setattr(platform_calls, "SYSTEM", "linux")
    monkeypatch.setattr(platform_calls.resource, "getrlimit", lambda _: given)
    monkeypatch.setattr(platform_calls.resource, "setrlimit", setrlimit)
    limit()
    assert set_to == [given]


@SYSTEMS
def test_memory_is_counted_in_bytes(system, monkeypatch):
    """An interpreter with what these tests import has tens of mebibytes, and less than some gibibytes resident."""
    monkeypatch.setattr(platform_calls, "SYSTEM", system)
    assert 10 * MIB < platform_calls.resident_memory() < 2**36
    assert platform_calls.address_space() >= 10 * MIB
    assert platform_calls.peak_memory() >= 10 * MIB


@pytest.mark.usefixtures("elsewhere")
def test_nothing_is_asked_of_files_and_functions_that_only_linux_has(monkeypatch):
    """A path or a function of Linux that is looked for elsewhere fails this test."""

    def refuse(*_):
        raise AssertionError("asked for what the system has not")

    monkeypatch.setattr(platform_calls, "Path", refuse)
    monkeypatch.setattr(platform_calls.ctypes, "CDLL", refuse)
    platform_calls.offer_to_oom_killer()
    platform_calls.set_allocator([(1, 1)])
    platform_calls.stay_on([0])
    platform_calls.adopt_orphans()
    assert platform_calls.own_children() == set()
    assert platform_calls.boot_name() == ""
    assert platform_calls.resident_memory() > 0
    assert platform_calls.address_space() > 0


@SYSTEMS
def test_seconds_since_the_start_of_the_machine_continue(system, monkeypatch):
    monkeypatch.setattr(platform_calls, "SYSTEM", system)
    before = platform_calls.boot_seconds()
    assert 0 < before <= platform_calls.boot_seconds()


class Limits:
    """The limits of open files of a made-up system, which grants no more than `granted`."""

    RLIMIT_NOFILE, RLIM_INFINITY = resource.RLIMIT_NOFILE, resource.RLIM_INFINITY

    def __init__(self, soft, hard, granted=math.inf):
        self.limits, self.granted = (soft, hard), granted

    def getrlimit(self, _):
        return self.limits

    def setrlimit(self, _, limits):
        if limits[0] == self.RLIM_INFINITY or limits[0] > self.granted:
            raise ValueError("refused")
        self.limits = limits


@pytest.mark.parametrize(
    ("system", "soft", "hard", "granted", "files"),
    [
        ("linux", 1024, 4096, math.inf, 4096),
        ("linux", 1024, 4096, 100, 1024),
        ("linux", resource.RLIM_INFINITY, resource.RLIM_INFINITY, math.inf, math.inf),
        ("darwin", 256, resource.RLIM_INFINITY, 10_240, 10_240),
        ("darwin", 256, 2048, 10_240, 2048),
        ("darwin", 20_000, resource.RLIM_INFINITY, 10_240, 20_000),
        ("darwin", resource.RLIM_INFINITY, resource.RLIM_INFINITY, 10_240, math.inf),
    ],
)
def test_as_many_files_may_be_open_as_the_system_grants(system, soft, hard, granted, files, monkeypatch):
    """The hard limit where there is one; macOS has none, refuses to do without, and begins with 256."""
    monkeypatch.setattr(platform_calls, "SYSTEM", system)
    monkeypatch.setattr(platform_calls, "resource", Limits(soft, hard, granted))
    assert platform_calls.most_open_files() == files


@SYSTEMS
def test_a_sent_descriptor_that_is_closed_at_once_stays_open_only_where_closing_could_lose_it(system, monkeypatch):
    monkeypatch.setattr(platform_calls, "SYSTEM", system)
    monkeypatch.setattr(platform_calls, "TRANSIT_SECONDS", 0.05)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours:
        platform_calls.hold_while_sent([theirs.fileno()])
        theirs.close()
        if system == "linux":
            assert ours.recv(1) == b""
        else:
            with pytest.raises(BlockingIOError):
                ours.recv(1)
            ours.settimeout(60)
            assert ours.recv(1) == b""


@pytest.mark.usefixtures("elsewhere")
def test_a_descriptor_that_cannot_be_held_is_closed_and_raises(monkeypatch):
    """Nobody hears of a fork that was asked for so; another try may find room for the thread."""

    def refuse(*_, **__):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(platform_calls.threading, "Thread", refuse)
    ours, theirs = socket.socketpair()
    with ours:
        with pytest.raises(OSError, match="new thread"):
            platform_calls.hold_while_sent([theirs.fileno()])
        theirs.close()
        assert ours.recv(1) == b""


def test_no_core_and_processor_seconds_are_limits_of_every_system():
    text = """
        import resource
        calls.write_no_core()
        calls.limit_processor_time(1000)
        print(resource.getrlimit(resource.RLIMIT_CORE)[0], resource.getrlimit(resource.RLIMIT_CPU)[0])
    """
    assert subprocess.check_output(program("darwin", text), text=True) == "0 1000\n"


def test_a_signal_ends_a_process_that_watches_its_parent_and_its_memory():
    """The threads of the fallbacks hold nothing up."""
    text = """
        import os, signal
        calls.limit_data(1 << 40, 3)
        calls.end_with(os.getppid())
        print(flush=True)
        signal.pause()
    """
    with subprocess.Popen(program("darwin", text), stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        process.terminate()
        assert process.wait(60) == -signal.SIGTERM


@pytest.mark.parametrize(
    ("groups", "limits", "seen"),
    [
        ("0::/system.slice/agent.service\n", {"system.slice/agent.service/memory.max": "1048576\n"}, 1 << 20),
        ("0::/a/b\n", {"a/memory.max": "2097152\n", "a/b/memory.max": "max\n", "memory.max": "4194304\n"}, 2 << 20),
        ("4:memory:/a\n1:cpu:/b\n", {"memory/a/memory.limit_in_bytes": "3145728\n", "b/memory.max": "1\n"}, 3 << 20),
        ("0::/of/the/host\n", {"memory.max": "4194304\n"}, 4 << 20),  # in a container
    ],
)
def test_the_memory_is_limited_by_the_control_groups_of_this_process(groups, limits, seen, tmp_path, monkeypatch):
    for name, value in limits.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value)
    (tmp_path / "own").write_text(groups)
    monkeypatch.setattr(platform_calls, "SYSTEM", platform_calls.LINUX)
    monkeypatch.setattr(platform_calls, "CONTROL_GROUPS", tmp_path)
    monkeypatch.setattr(platform_calls, "OWN_GROUPS", tmp_path / "own")
    assert platform_calls.machine_memory() == seen
