"""Words of 64 bits, as kernels write them: numba makes a float of an unsigned word and a plain number."""

from reasoner.kernels.scalars import uint64

ALL = uint64(2**64 - 1)
ZERO = uint64(0)
ONE = uint64(1)
