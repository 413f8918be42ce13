"""Types of the arrays that kernels work on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Words = NDArray[np.uint64]  # bits, 64 a word: of states, or of lanes
Literals = NDArray[np.int32]  # 2 * node + complement, of a graph
Rows = NDArray[np.uint32]  # literals over rows of lanes
