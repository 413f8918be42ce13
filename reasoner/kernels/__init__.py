"""Compilation of every kernel of the reasoner and of the search by numba, and the kernels' shared helpers.

Options: `nogil` lets several threads play in parallel; `boundscheck` is on only in checked mode (`checked`), because
every index comes from a compiled circuit; `fastmath` stays off, because most kernels compute no floats. Kernels are not
typed strictly: numba infers machine types from the first call, and mypy sees plain functions (`compiled`). Machine code
is cached on disk, so that a second start is fast (`cache`). `shortcuts` skips work of numba that is not needed.
Helpers: `memory`, `bits`, `hashing`, `random`, `scalars` (integer types as mypy sees them), and `vectors` (sums over
whole vectors of floats).
"""

from reasoner.kernels.compiled import callback, device_function, device_function_norefcount, kernel, kernel_norefcount

__all__ = ["callback", "device_function", "device_function_norefcount", "kernel", "kernel_norefcount"]
