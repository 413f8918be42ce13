"""The kinds of processor that there is native code for, the best first: `TARGETS`.

A `target` says what one has; `selection` finds how it computes each table of three inputs by the operations it has, and
what that costs; `processor` tells which one this is. A file each: `avx512`, `avx2` and `neon`, with the bytes of their
instructions. Nobody else knows their names.
"""

from __future__ import annotations

from reasoner.lanes.native.targets.avx2 import AVX2
from reasoner.lanes.native.targets.avx512 import AVX512
from reasoner.lanes.native.targets.neon import NEON, NEON_SHA3
from reasoner.lanes.native.targets.target import Target

TARGETS = (AVX512, AVX2, NEON_SHA3, NEON)

__all__ = ["AVX2", "AVX512", "NEON", "NEON_SHA3", "TARGETS", "Target"]
