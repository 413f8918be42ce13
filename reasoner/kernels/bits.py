"""64-bit constants for kernels; numba computes a float if an unsigned word is combined with a plain number."""

from reasoner.kernels.scalars import uint64

ALL = uint64(2**64 - 1)
ZERO = uint64(0)
ONE = uint64(1)
