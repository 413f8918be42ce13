"""How numba compiles every kernel of the reasoner, in one place.

`nogil` lets several threads play at once; `cache` keeps the machine code on disk so that a second start is fast;
`boundscheck` stays off because every index comes from a compiled circuit; no `fastmath`: there are no floats inside.
Kernels are not typed strictly: numba infers machine types from the first call, and mypy sees plain functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def kernel(function: Kernel) -> Kernel:
    """`function` compiled by numba with the options of this module."""
    return cast(Kernel, numba.njit(nogil=True, cache=True)(function))
