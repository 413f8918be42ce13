"""Types of integers and intrinsics in kernels, as mypy sees them.

In a kernel a word is a machine integer; for mypy it is an int. With NumPy's own types every function would have to
declare which of the two it takes. Callers of an intrinsic omit the typing context, its generator's first argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["int32", "int64", "intrinsic", "uint64"]

if TYPE_CHECKING:

    def int32(number: float) -> int:
        """Convert to 32 bits."""

    def int64(number: float) -> int:
        """Convert to 64 bits."""

    def uint64(number: float) -> int:
        """Convert to unsigned 64 bits."""

    def intrinsic(generator: Callable[..., Any]) -> Callable[..., Any]:
        """See numba's `intrinsic`."""
else:
    from numba.extending import intrinsic
    from numpy import int32, int64, uint64
