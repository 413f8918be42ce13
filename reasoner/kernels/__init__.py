"""How numba compiles every kernel of the reasoner and of the search, in one place.

`nogil` lets several threads play at once; `boundscheck` stays off because every index comes from a compiled circuit;
no `fastmath`: there are no floats inside. Kernels are not typed strictly: numba infers machine types from the first
call, and mypy sees plain functions. Machine code is kept on disk so that a second start is fast (`cache`); what numba
does in vain on the way there is left out (`shortcuts`). What kernels share: `memory`, `bits`, `hashing`, `random`, the
`scalars` that mypy sees, and sums over whole `vectors` of floats.
"""

from reasoner.kernels.compiled import callback, kernel, plain, subkernel, subplain

__all__ = ["callback", "kernel", "plain", "subkernel", "subplain"]
