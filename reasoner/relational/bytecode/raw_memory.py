"""Loads and stores at an address, as numba intrinsics.

The store of a game is many arrays that every kernel reads; handed from kernel to kernel as arrays, each would have its
references counted at every call. Addresses are plain numbers. `get` and `put` are of 32 bits, `get64` and `put64` of
64; places count in words. Nothing is checked: every place comes from code that this package wrote.

`numba` types have no stubs, and the code generators are called by numba alone: they are typed `Any`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_ADDRESS = ir.IntType(64)


def _pointer(builder: Any, base: Any, place: Any, word: Any) -> Any:
    wide = builder.sext(place, _ADDRESS) if place.type.width < _ADDRESS.width else place
    return builder.gep(builder.inttoptr(base, word.as_pointer()), [wide])


def _loading(bits: int) -> Any:
    word = ir.IntType(bits)

    @intrinsic
    def load(typing: Any, base: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            value = builder.load(_pointer(builder, arguments[0], arguments[1], word))
            return builder.sext(value, _ADDRESS) if bits < _ADDRESS.width else value

        return types.int64(types.int64, place), generate

    return load


def _storing(bits: int) -> Any:
    word = ir.IntType(bits)

    @intrinsic
    def store(typing: Any, base: Any, place: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kept = builder.trunc(arguments[2], word) if bits < _ADDRESS.width else arguments[2]
            builder.store(kept, _pointer(builder, arguments[0], arguments[1], word))
            return context.get_dummy_value()

        return types.void(types.int64, place, types.int64), generate

    return store


get, get64 = _loading(32), _loading(64)
put, put64 = _storing(32), _storing(64)
