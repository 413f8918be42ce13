"""Records and numbers at addresses, as numba intrinsics.

Kernels get the tree and the thread as single records that hold addresses. Tuples of arrays would cost more than the
work itself: numba passes every array of a tuple as seven values, and counts references to each in every call.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from search.native.layout import BATCH, EDGE, LANE, NODE, STEP

_WORD = ir.IntType(64)


def _place(builder: Any, address: Any, index: Any, size: int) -> Any:
    wide = builder.sext(index, _WORD) if index.type.width < _WORD.width else index
    return builder.add(address, builder.mul(wide, ir.Constant(_WORD, size)))


def _records(dtype: np.dtype[Any]) -> Any:
    """An intrinsic ``f(address, index)``: the record of that number, to be read and written."""
    record = from_dtype(dtype)

    @intrinsic
    def record_at(typing: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _place(builder, *arguments, dtype.itemsize)
            return builder.inttoptr(place, context.get_value_type(signature.return_type))

        return record(address, index), generate

    return record_at


def _reader(kind: Any, bits: Any, wide: Any) -> Any:
    """An intrinsic ``f(address, index)``: the number of that index."""

    @intrinsic
    def number_at(typing: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _place(builder, *arguments, kind.bitwidth // 8)
            value = builder.load(builder.inttoptr(place, bits.as_pointer()))
            return context.cast(builder, value, kind, wide)

        return wide(address, index), generate

    return number_at


def _writer(kind: Any, bits: Any) -> Any:
    """An intrinsic ``f(address, index, value)``: write the number of that index."""

    @intrinsic
    def put(typing: Any, address: Any, index: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, index, given = arguments
            place = builder.inttoptr(_place(builder, address, index, kind.bitwidth // 8), bits.as_pointer())
            builder.store(context.cast(builder, given, signature.args[2], kind), place)
            return context.get_dummy_value()

        return types.void(address, index, value), generate

    return put


node_at = _records(NODE)
edge_at = _records(EDGE)
batch_at = _records(BATCH)
lane_at = _records(LANE)
step_at = _records(STEP)

int_at = _reader(types.int32, ir.IntType(32), types.int64)
put_int = _writer(types.int32, ir.IntType(32))
word_at = _reader(types.uint64, _WORD, types.uint64)
put_word = _writer(types.uint64, _WORD)
real_at = _reader(types.float64, ir.DoubleType(), types.float64)
put_real = _writer(types.float64, ir.DoubleType())


@intrinsic
def exchange(typing: Any, address: Any, value: Any) -> Any:
    """``exchange(address, value)``: put an int64 there and return what was there, as one step of all threads."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        place = builder.inttoptr(arguments[0], _WORD.as_pointer())
        return builder.atomic_rmw("xchg", place, arguments[1], "seq_cst")

    return types.int64(address, types.int64), generate


@intrinsic
def look(typing: Any, address: Any) -> Any:
    """``look(address)``: an int64 as another thread may just have written it."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(builder.inttoptr(arguments[0], _WORD.as_pointer()), "seq_cst", 8)

    return types.int64(address), generate
