"""Compilation of every kernel of the reasoner and of the search by numba, and the kernels' shared helpers.

`nogil` lets several threads play in parallel; `boundscheck` stays off because every index comes from a compiled
circuit; no `fastmath`: there are no floats inside. Kernels are not typed strictly: numba infers machine types from the
first call, and mypy sees plain functions (`compiled`). Machine code is cached on disk so that a second start is fast
(`cache`); unneeded work of numba is skipped (`shortcuts`). Helpers: `memory`, `bits`, `hashing`, `random`, the
`scalars` that mypy sees, and sums over whole `vectors` of floats.
"""

from reasoner.kernels.compiled import callback, device_function, device_function_norefcount, kernel, kernel_norefcount

__all__ = ["callback", "device_function", "device_function_norefcount", "kernel", "kernel_norefcount"]
