"""Checked mode (GGP_AGENT_CHECKED=1): kernels check each index, each row number and each address that they use.

A failed check writes the kernel, the index and the limit to stderr and to `faults`; then the kernel raises IndexError,
or AssertionError in an invariant's `check()`. Addresses are checked against *blocks*: the arrays whose address kernels
were given (`reasoner.kernels.memory.address`), as long as they exist. An access is `address + offset`, and must be in
the block that contains `address`.

Not checked: code of `reasoner.lanes.native`, memory of C libraries, negative indices (from the end, as in Python), and
a wrong address that is in another block. In normal mode no check is compiled, and no array is recorded.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from bisect import bisect_right, insort
from collections import deque
from threading import Lock
from typing import Any
from weakref import finalize

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from reasoner.kernels.scalars import intrinsic

VARIABLE = "GGP_AGENT_CHECKED"
CHECKED = os.environ.get(VARIABLE, "").lower() in ("1", "true", "yes", "on")
"""Whether this process is in checked mode."""

faults: list[str] = []
"""The failed checks of this process; numba only prints an exception of a function that C calls."""

_WORD = ir.IntType(64)
_TEXT = ir.IntType(8).as_pointer()
_BLOCK, _FAULT = "ggp_agent_block", "ggp_agent_fault"
"""The names of `_left_at` and `_note_fault` in compiled code."""
_LATE = 1000
"""How many tables of blocks remain after they were replaced, for kernels in other threads that read them."""


class _Blocks:
    """The blocks of this process, as a sorted table for kernels: their number, then the start and end of each."""

    def __init__(self) -> None:
        self.cell = np.zeros(1, np.int64)  # the address of the table
        self._blocks: list[tuple[int, int]] = []
        self._gone: deque[tuple[int, int]] = deque()
        self._tables: deque[NDArray[Any]] = deque(maxlen=_LATE)
        self._lock = Lock()
        self._publish()

    def add(self, array: NDArray[Any], owner: NDArray[Any]) -> None:
        """Add the memory of `array` until `owner` is freed, unless a block contains it."""
        start = array.__array_interface__["data"][0]
        block = start, start + array.nbytes
        with self._lock:
            self._drop_gone()
            at = bisect_right(self._blocks, (start, sys.maxsize)) - 1
            if array.nbytes == 0 or (at >= 0 and block[1] <= self._blocks[at][1]):
                return
            insort(self._blocks, block)
            self._publish()
        finalize(owner, self._drop, block).atexit = False

    def _drop(self, block: tuple[int, int]) -> None:
        """Drop a block; later, if the garbage collector has interrupted a thread that holds the lock."""
        self._gone.append(block)
        if self._lock.acquire(blocking=False):
            try:
                self._drop_gone()
            finally:
                self._lock.release()

    def _drop_gone(self) -> None:
        if self._gone:
            while self._gone:
                self._blocks.remove(self._gone.popleft())
            self._publish()

    def _publish(self) -> None:
        table = np.array([len(self._blocks), *(end for block in self._blocks for end in block)], np.int64)
        self._tables.append(table)
        self.cell[0] = table.ctypes.data


_blocks = _Blocks()
_CELL = int(_blocks.cell.ctypes.data)


def note_block(array: NDArray[Any], *, exact: bool = False) -> None:
    """In checked mode, record the memory of an array as a block that kernels may access.

    If the array is a view, the block is the memory of the viewed array, or of the view only if `exact`.
    """
    if not CHECKED:
        return
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    _blocks.add(array if exact else owner, owner)


@intrinsic
def _long_at(typing: Any, address: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], _WORD.as_pointer()))

    return types.int64(types.int64), generate


def _left_at(address: int, offset: int, size: int) -> int:
    """Return the bytes from ``address + offset`` to the end of the block of `address`; -1 if fewer than `size`."""
    table = _long_at(_CELL)
    low, high = 0, _long_at(table)
    while low < high:
        middle = (low + high) // 2
        if _long_at(table + 8 + 16 * middle) <= address:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return -1
    start, end = _long_at(table - 8 + 16 * low), _long_at(table + 16 * low)
    inside = address < end and start <= address + offset and address + offset + size <= end
    return end - address - offset if inside else -1


def _note_fault(where: bytes, index: int, limit: int) -> None:
    what = f"index {index} of {limit}" if limit >= 0 else "an address that is in no array that it was given"
    faults.append(f"{where.decode()}: {what}")
    print(f"checked kernel {faults[-1]}", file=sys.stderr, flush=True)  # noqa: T201  # no exception has the numbers


def kernel_name(mangled: str) -> str:
    """Return the module and name of a compiled function."""
    names, rest = [], mangled.removeprefix("_ZN")
    while found := re.match(r"\d+", rest):
        start, length = found.end(), int(found[0])
        names.append(rest[start : start + length])
        rest = rest[start + length :]
    return ".".join(names) or mangled


def fail_if(context: Any, builder: Any, bad: Any, index: Any, limit: Any) -> None:
    """Generate code that raises IndexError if `bad`, and reports the index and the limit."""
    name = kernel_name(builder.function.name)
    kind = ir.FunctionType(ir.VoidType(), [_TEXT, _WORD, _WORD])
    with cgutils.if_unlikely(builder, bad):
        function = cgutils.get_or_insert_function(builder.module, kind, _FAULT)
        text = context.insert_const_string(builder.module, name)
        builder.call(function, [text, _wide(builder, index), _wide(builder, limit)])
        context.call_conv.return_user_exc(builder, IndexError, (f"index is out of bounds in {name}",))


def _wide(builder: Any, number: Any) -> Any:
    return builder.sext(number, _WORD) if number.type.width < _WORD.width else number


def check_index(context: Any, builder: Any, index: Any, limit: Any, _axis: object = None) -> None:
    """Generate a check that ``0 <= index < limit``, in checked mode."""
    if CHECKED:
        fail_if(context, builder, builder.icmp_unsigned(">=", _wide(builder, index), limit), index, limit)


def bytes_left(builder: Any, address: Any, offset: Any, size: int) -> Any:
    """Generate code for the bytes from `address` + `offset` to the end of the block; -1 if fewer than `size`."""
    kind = ir.FunctionType(_WORD, [_WORD] * 3)
    function = cgutils.get_or_insert_function(builder.module, kind, _BLOCK)
    return builder.call(function, [address, offset, ir.Constant(_WORD, size)])


def check_access(context: Any, builder: Any, address: Any, index: Any, size: int) -> None:
    """In checked mode, generate a check: element `index`, of `size` bytes each, from `address` on is in its block."""
    if not CHECKED:
        return
    index, zero, bytes_each = _wide(builder, index), ir.Constant(_WORD, 0), ir.Constant(_WORD, size)
    bad = builder.icmp_signed("<", bytes_left(builder, address, builder.mul(index, bytes_each), size), zero)
    with cgutils.if_unlikely(builder, bad):
        limit = builder.ashr(bytes_left(builder, address, zero, 0), ir.Constant(_WORD, 0))
        known = builder.icmp_signed(">=", limit, zero)
        limit = builder.select(known, builder.sdiv(limit, bytes_each), limit)
        fail_if(context, builder, ir.Constant(ir.IntType(1), 1), index, limit)


def install() -> None:
    """In checked mode, register the functions that checks call, and replace numba's check of indices."""
    if not CHECKED:
        return
    left = numba.cfunc(types.int64(types.int64, types.int64, types.int64))(_left_at)
    fault = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64)(_note_fault)
    _alive.extend((left, fault))
    binding.add_symbol(_BLOCK, left.address)
    binding.add_symbol(_FAULT, ctypes.cast(fault, ctypes.c_void_p).value)
    cgutils.do_boundscheck = check_index  # the kernel and the numbers are in its message


_alive: list[object] = []
"""The functions that compiled code calls."""
