"""Intrinsics for kernels that access records, numbers and arrays at addresses, and call C functions.

Kernels receive the tree of a search, the data of a thread, or the store of a game as one record or tuple of addresses.
Tuples of arrays would cost more than the work itself: numba passes every array of a tuple as seven values, and counts
references to each array in every call. Indices are checked only in checked mode (`checked`), because all come from code
and data of this project.

`numba` types have no stubs, and only numba calls the code generators, so both are typed `Any`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.np.numpy_support import carray, from_dtype
from numpy.typing import NDArray

from reasoner.arrays import Bytes, Ints, Longs
from reasoner.kernels.checked import CHECKED, bytes_left, check_access, note_block
from reasoner.kernels.compiled import device_function, kernel
from reasoner.kernels.scalars import intrinsic

_WORD = ir.IntType(64)
_PREFETCH = "llvm.prefetch.p0i8"

C_BYTE, C_INT, C_WORD = types.uint8, types.int32, types.intp
"""C's bool, its int, and an integer as wide as an address."""

UNKNOWN = 1 << 20
"""The length of an array over a null-terminated text, whose real length is unknown."""


def address(array: NDArray[Any]) -> int:
    """Return the address of an array's data, for kernels; the caller must keep a reference to the array."""
    note_block(array)
    return cast(int, array.__array_interface__["data"][0])


def _widened(builder: Any, index: Any) -> Any:
    return builder.sext(index, _WORD) if index.type.width < _WORD.width else index


def _place(builder: Any, address: Any, index: Any, size: int) -> Any:
    return builder.add(address, builder.mul(_widened(builder, index), ir.Constant(_WORD, size)))


def _element(builder: Any, address: Any, index: Any, kind: Any) -> Any:
    """Return a typed LLVM pointer to an element; untyped address sums slow the join plan interpreter by a seventh."""
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [_widened(builder, index)])


def records(dtype: np.dtype[Any]) -> Any:
    """Return an intrinsic ``f(address, index)``: the record at that index, readable and writable."""
    record = from_dtype(dtype)

    @intrinsic
    def record_at(typing: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, index = arguments
            check_access(context, builder, address, index, dtype.itemsize)
            place = _place(builder, address, index, dtype.itemsize)
            return builder.inttoptr(place, context.get_value_type(signature.return_type))

        return record(address, index), generate

    return record_at


def _reader(kind: Any, bits: Any, wide: Any) -> Any:
    """Return an intrinsic ``f(address, index)``: the number at that index."""

    @intrinsic
    def number_at(typing: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, index = arguments
            check_access(context, builder, address, index, kind.bitwidth // 8)
            value = builder.load(_element(builder, address, index, bits))
            return context.cast(builder, value, kind, wide)

        return wide(address, index), generate

    return number_at


def _writer(kind: Any, bits: Any) -> Any:
    """Return an intrinsic ``f(address, index, value)``: write the number at that index."""

    @intrinsic
    def put(typing: Any, address: Any, index: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, index, given = arguments
            check_access(context, builder, address, index, kind.bitwidth // 8)
            place = _element(builder, address, index, bits)
            builder.store(context.cast(builder, given, signature.args[2], kind), place)
            return context.get_dummy_value()

        return types.void(address, index, value), generate

    return put


int_at = _reader(types.int32, ir.IntType(32), types.int64)
put_int = _writer(types.int32, ir.IntType(32))
long_at = _reader(types.int64, _WORD, types.int64)
put_long = _writer(types.int64, _WORD)
word_at = _reader(types.uint64, _WORD, types.uint64)
put_word = _writer(types.uint64, _WORD)
real_at = _reader(types.float64, ir.DoubleType(), types.float64)
put_real = _writer(types.float64, ir.DoubleType())
float_at = _reader(types.float32, ir.FloatType(), types.float32)
put_float = _writer(types.float32, ir.FloatType())


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """``prefetch(array, index)``: load the cache line of an item of a contiguous array, without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(array)(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(data, [_widened(builder, arguments[1])]), byte)
        call = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.globals.get(_PREFETCH) or ir.Function(builder.module, call, _PREFETCH)
        builder.call(function, [place, *(number(each) for each in (0, 3, 1))])  # read, keep in all caches, data
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic
def exchange(typing: Any, address: Any, value: Any) -> Any:
    """``exchange(address, value)``: atomically replace an int64 and return its old value."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        check_access(context, builder, arguments[0], ir.Constant(_WORD, 0), 8)
        place = builder.inttoptr(arguments[0], _WORD.as_pointer())
        return builder.atomic_rmw("xchg", place, arguments[1], "seq_cst")

    return types.int64(address, types.int64), generate


@intrinsic
def look(typing: Any, address: Any) -> Any:
    """``look(address)``: load an int64 that another thread may write."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        check_access(context, builder, arguments[0], ir.Constant(_WORD, 0), 8)
        return builder.load_atomic(builder.inttoptr(arguments[0], _WORD.as_pointer()), "seq_cst", 8)

    return types.int64(address), generate


@intrinsic
def _left(typing: Any, address: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zero = ir.Constant(_WORD, 0)
        return bytes_left(builder, builder.ptrtoint(arguments[0], _WORD), zero, 0) if CHECKED else zero

    return types.int64(address), generate


@device_function
def array_length(pointer: int, size: int, unknown: int) -> int:
    """Return, in checked mode, how many elements of `size` bytes follow a C pointer in its block; else `unknown`."""
    return max(_left(pointer), 0) // size if CHECKED else unknown


@intrinsic
def _pointer(typing: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.intp), generate


@kernel
def ints(address: int, count: int) -> Ints:
    """Return the `count` ints at an address as an array."""
    return carray(_pointer(address), count, np.int32)


@kernel
def words(address: int, count: int) -> Longs:
    """Return the `count` 64-bit words at an address as an array."""
    return carray(_pointer(address), count, np.int64)


@device_function
def text(address: int) -> Bytes:
    """Return the null-terminated text at an address."""
    return carray(_pointer(address), UNKNOWN, np.uint8)


def external(name: str, result: object, *arguments: object) -> Callable[..., int]:
    """Return a C function of this process by its name, for kernels to call."""
    return cast(Callable[..., int], types.ExternalFunction(name, cast(Any, result)(*arguments)))
