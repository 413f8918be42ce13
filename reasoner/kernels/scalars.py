"""Numbers of a width, and intrinsics, as mypy is to see them in kernels.

In a kernel a word is a machine's number, and an int to mypy; numpy's own types would have every function say which of
the two it takes. An intrinsic is called without the typing context that its generator gets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["int32", "int64", "intrinsic", "uint64"]

if TYPE_CHECKING:

    def int32(number: float) -> int:
        """The number in 32 bits."""

    def int64(number: float) -> int:
        """The number in 64 bits."""

    def uint64(number: float) -> int:
        """The number in 64 bits, none of them a sign."""

    def intrinsic(generator: Callable[..., Any]) -> Callable[..., Any]:
        """See numba's."""
else:
    from numba.extending import intrinsic
    from numpy import int32, int64, uint64
