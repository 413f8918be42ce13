"""64-bit words for kernels: numba converts an unsigned word combined with a plain number to a float."""

from reasoner.kernels.scalars import uint64

ALL = uint64(2**64 - 1)
ZERO = uint64(0)
ONE = uint64(1)
