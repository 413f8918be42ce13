"""Words of 64 bits, as kernels write them: numba makes a float of an unsigned word and a plain number."""

import numpy as np

ALL = np.uint64(2**64 - 1)
ZERO = np.uint64(0)
ONE = np.uint64(1)
