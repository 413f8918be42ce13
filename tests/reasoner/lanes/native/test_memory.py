"""Machine code lies in memory that is never writable and executable at once."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from reasoner.lanes.native import Executable, ExecutableMemoryError, memory
from tests.reasoner.lanes.native.machines import needs_avx512

pytestmark = needs_avx512
RETURN = b"\xc3"
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


def test_loading_code_maps_nothing_that_is_writable_and_executable():
    def both():
        lines = Path("/proc/self/maps").read_text().splitlines()
        return {line.split()[0] for line in lines if {"w", "x"} <= set(line.split()[1])}

    before = both()
    kept = [Executable(RETURN * size) for size in (1, 5000, 100_000)]
    assert len(kept) == 3
    assert both() <= before


def test_memory_is_given_back_with_the_last_holder():
    code = Executable(RETURN)
    address = code.address
    del code
    gc.collect()
    assert permissions(address) is None


def test_a_process_ends_well_while_a_thread_still_runs_the_code():
    program = """
import ctypes, threading
from reasoner.lanes.native import Executable
code = Executable(bytes.fromhex("ebfe"))  # jmp to itself
run = ctypes.CFUNCTYPE(None)(code.address)
threading.Thread(target=run, daemon=True).start()
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=60, check=False).returncode == 0


def test_a_system_that_refuses_is_told_from_a_fault(monkeypatch):
    class Refusing:
        mmap, munmap = memory._LIBC.mmap, memory._LIBC.munmap

        @staticmethod
        def mprotect(_address, _size, _protection):
            return -1

    monkeypatch.setattr(memory, "_LIBC", Refusing)
    with pytest.raises(ExecutableMemoryError, match="cannot be made executable"):
        Executable(RETURN)
