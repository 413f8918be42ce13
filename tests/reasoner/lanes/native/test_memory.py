"""Machine code lies in memory that is never writable and executable at once, also as other systems have it."""

import ctypes
import gc
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from reasoner.lanes.native import Executable, ExecutableMemoryError, memory
from tests.reasoner.lanes.native.machines import HERE, needs_native

pytestmark = needs_native
RETURN = HERE[0].empty if HERE else b""
ROOT = Path(__file__).parents[4]


def permissions(address):
    """What the system says this process may do with the memory at an address, or None where there is none."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        where, allowed, *_ = line.split()
        start, end = (int(part, 16) for part in where.split("-"))
        if start <= address < end:
            return allowed[:3]
    return None


def test_code_can_be_read_and_executed_but_not_written():
    code = Executable(RETURN * 5000)
    assert permissions(code.address) == permissions(code.address + 4999) == "r-x"


def test_code_is_writable_and_not_executable_while_it_is_written(monkeypatch):
    seen = []
    protect = memory._LIBC.mprotect

    class Watching:
        mmap, munmap = memory._LIBC.mmap, memory._LIBC.munmap

        @staticmethod
        def mprotect(address, size, protection):
            seen.append(permissions(address))
            return protect(address, size, protection)

    monkeypatch.setattr(memory, "_LIBC", Watching)
    assert permissions(Executable(RETURN).address) == "r-x"
    assert seen == ["rw-"]


def test_memory_is_given_back_with_the_last_holder():
    code = Executable(RETURN)
    address = code.address
    del code
    gc.collect()
    assert permissions(address) is None


def test_a_process_ends_well_while_a_thread_still_runs_the_code():
    program = """
import ctypes, platform, threading
from reasoner.lanes.native import Executable
code = Executable(bytes.fromhex("00000014" if platform.machine() == "aarch64" else "ebfe"))  # a jump to itself
run = ctypes.CFUNCTYPE(None)(code.address)
threading.Thread(target=run, daemon=True).start()
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=60, check=False).returncode == 0


def test_a_system_that_refuses_is_distinguished_from_a_fault(monkeypatch):
    class Refusing:
        mmap, munmap = memory._LIBC.mmap, memory._LIBC.munmap

        @staticmethod
        def mprotect(_address, _size, _protection):
            return -1

    monkeypatch.setattr(memory, "_LIBC", Refusing)
    with pytest.raises(ExecutableMemoryError, match="cannot be made executable"):
        Executable(RETURN)


class Mac:
    """macOS on its own processor, as far as executable memory goes; what is asked of it is noted in `asked`."""

    def __init__(self):
        self.asked = []
        self._given = ctypes.create_string_buffer(4096)

    def mmap(self, _address, size, protection, flags, _file, _offset):
        self.asked.append(("mmap", protection, flags))
        assert size <= len(self._given)
        return ctypes.addressof(self._given)

    def munmap(self, _address, _size):
        self.asked.append(("munmap",))

    def pthread_jit_write_protect_np(self, protected):
        self.asked.append(("protect", protected, self._given.raw[: len(RETURN)]))

    def sys_icache_invalidate(self, start, size):
        self.asked.append(("flush", start.value - ctypes.addressof(self._given), size.value))


@pytest.fixture
def mac(monkeypatch):
    made = Mac()
    monkeypatch.setattr(memory, "_LIBC", made)
    monkeypatch.setattr(memory.sys, "platform", "darwin")
    monkeypatch.setattr(memory.platform, "machine", lambda: "arm64")
    return made


def test_on_a_mac_the_thread_may_write_for_so_long_as_it_does_and_then_flushes_the_cache(mac):
    blank = bytes(len(RETURN))
    code = Executable(RETURN)
    (_, protection, flags), *rest = mac.asked
    assert protection == memory.READ | memory.WRITE | memory.EXECUTE
    assert flags & memory.MAP_JIT
    assert rest == [("protect", 0, blank), ("protect", 1, RETURN), ("flush", 0, len(RETURN))]
    code.release()
    assert mac.asked[-1] == ("munmap",)


def test_on_a_mac_the_thread_may_execute_again_though_writing_fails(mac, monkeypatch):
    def failing(*_):
        raise MemoryError

    monkeypatch.setattr(memory.ctypes, "memmove", failing)
    with pytest.raises(MemoryError):
        Executable(RETURN)
    assert [asked[1] for asked in mac.asked if asked[0] == "protect"] == [0, 1]


def test_on_linux_for_aarch64_the_cache_is_flushed_once_the_code_can_be_executed(monkeypatch):
    seen = []

    def clear(start, end):
        seen.append((end.value - start.value, permissions(start.value)))

    monkeypatch.setattr(memory.platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(memory, "_compiler_library", lambda: SimpleNamespace(__clear_cache=clear))
    code = Executable(RETURN * 5000)
    assert seen == [(5000 * len(RETURN), "r-x")]
    assert permissions(code.address) == "r-x"


def test_where_the_cache_cannot_be_flushed_there_is_no_code(monkeypatch):
    def absent():
        raise OSError("libgcc_s.so.1: cannot open shared object file")

    monkeypatch.setattr(memory.platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(memory, "_compiler_library", absent)
    with pytest.raises(ExecutableMemoryError, match=r"cannot be flushed: libgcc_s.*; install libgcc"):
        Executable(RETURN)
