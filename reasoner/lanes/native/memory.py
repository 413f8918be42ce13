"""Memory for machine code: first writable, then executable, never both at once.

On macOS on Apple's processors the memory is mapped with MAP_JIT: a thread may either write to all such memory or
execute it, and switches between the two for itself only. On other systems the memory is written normally and then made
executable and read-only. AArch64 fetches instructions through a cache that does not see writes, so this cache is
flushed.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
import weakref

MAP_JIT = 0x800
"""A flag of macOS's `mmap`."""

READ, WRITE, EXECUTE = mmap.PROT_READ, mmap.PROT_WRITE, mmap.PROT_EXEC


class ExecutableMemoryError(Exception):
    """The system does not let this process execute code that it has written."""


class Executable:
    """Code in its own memory at `address`; the memory is freed when nothing refers to this object."""

    def __init__(self, code: bytes) -> None:
        size = -(-max(len(code), 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        by_thread = _written_by_thread()
        self.address = _map(size, by_thread)
        self._finalizer = weakref.finalize(self, _LIBC.munmap, self.address, size)
        self._finalizer.atexit = False  # a thread may still be playing while the interpreter exits
        try:
            (_write_as_thread if by_thread else _write_then_protect)(self.address, size, code)
            _flush(self.address, len(code))
        except ExecutableMemoryError:
            self.release()
            raise

    def release(self) -> None:
        """Free the memory now; the code must not be running."""
        self._finalizer()


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return libc


_LIBC = _libc()
_FAILED = ctypes.c_void_p(-1).value


def _is_aarch64() -> bool:
    return platform.machine() in ("aarch64", "arm64")


def _written_by_thread() -> bool:
    """Whether threads must switch between writing and executing, as on macOS on Apple's processors."""
    return sys.platform == "darwin" and _is_aarch64()


def _map(size: int, by_thread: bool) -> int:
    """The address of fresh writable memory."""
    flags, allowed = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, READ | WRITE
    if by_thread:
        flags, allowed = flags | MAP_JIT, allowed | EXECUTE  # a thread can either write or execute
    address = _LIBC.mmap(None, size, allowed, flags, -1, 0)
    if address in (None, _FAILED):
        raise ExecutableMemoryError(f"cannot map memory for {size:,} bytes of code (errno {ctypes.get_errno()})")
    return int(address)


def _write_then_protect(address: int, size: int, code: bytes) -> None:
    ctypes.memmove(address, code, len(code))
    if _LIBC.mprotect(address, size, READ | EXECUTE):
        raise ExecutableMemoryError(f"memory cannot be made executable (errno {ctypes.get_errno()})")


def _write_as_thread(address: int, _size: int, code: bytes) -> None:
    """Write the code; the calling thread cannot execute MAP_JIT memory while it writes."""
    _LIBC.pthread_jit_write_protect_np(0)
    try:
        ctypes.memmove(address, code, len(code))
    finally:
        _LIBC.pthread_jit_write_protect_np(1)


def _flush(address: int, size: int) -> None:
    """Make written code visible to the processor; x86-64 needs no flush."""
    if not _is_aarch64():
        return
    start, end = ctypes.c_void_p(address), ctypes.c_void_p(address + size)
    if sys.platform == "darwin":
        _LIBC.sys_icache_invalidate(start, ctypes.c_size_t(size))
        return
    try:
        _compiler_library().__clear_cache(start, end)
    except (OSError, AttributeError) as error:
        raise ExecutableMemoryError(f"the instruction cache cannot be flushed: {error}; install libgcc") from None


def _compiler_library() -> ctypes.CDLL:
    """The library that compiled code calls on Linux; raises OSError if there is none."""
    return ctypes.CDLL("libgcc_s.so.1")
