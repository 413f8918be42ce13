"""C's memory and C functions as kernels see them: addresses are integers, what lies there are arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import carray, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from reasoner.kernels import kernel, subkernel

BYTE, INT, WORD = types.uint8, types.int32, types.intp
"""C's bool, its int, and what is as wide as an address."""

UNKNOWN = 1 << 20
"""In place of the length of a text that ends with 0."""


@intrinsic
def _pointer(typing: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.intp), generate


@kernel
def ints(address: int, count: int) -> NDArray[np.int32]:
    """The `count` ints at an address."""
    return carray(_pointer(address), count, np.int32)


@kernel
def words(address: int, count: int) -> NDArray[np.int64]:
    """The `count` 64-bit words at an address."""
    return carray(_pointer(address), count, np.int64)


@subkernel
def text(address: int) -> NDArray[np.uint8]:
    """The text at an address; it ends with 0."""
    return carray(_pointer(address), UNKNOWN, np.uint8)


def external(name: str, result: object, *arguments: object) -> Callable[..., int]:
    """A C function of this process by its name, for kernels to call."""
    return cast(Callable[..., int], types.ExternalFunction(name, cast(Any, result)(*arguments)))
