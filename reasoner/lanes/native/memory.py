"""Memory for machine code: written first, then executable, never both at once."""

from __future__ import annotations

import ctypes
import mmap
import weakref


class ExecutableMemoryError(Exception):
    """The system does not let this process execute code that it has written."""


class Executable:
    """Code in memory of its own at `address`, which is given back when nobody holds this object any more."""

    def __init__(self, code: bytes) -> None:
        size = -(-max(len(code), 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        self.address = _map(size)
        self._finalizer = weakref.finalize(self, _LIBC.munmap, self.address, size)
        self._finalizer.atexit = False  # a thread may still be playing while the interpreter goes down
        ctypes.memmove(self.address, code, len(code))
        if _LIBC.mprotect(self.address, size, mmap.PROT_READ | mmap.PROT_EXEC):
            self.release()
            raise ExecutableMemoryError(f"memory cannot be made executable (errno {ctypes.get_errno()})")

    def release(self) -> None:
        """Give the memory back now; the code must not be running."""
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


def _map(size: int) -> int:
    """The address of fresh memory that can be written."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    address = _LIBC.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if address in (None, _FAILED):
        raise ExecutableMemoryError(f"no memory for {size:,} bytes of code (errno {ctypes.get_errno()})")
    return int(address)
