"""Processors with native code, the best first: `TARGETS`.

`target` describes a processor; `selection` finds the cheapest operations for each three-input table, and their cost;
`processor` detects this machine's processor. `avx512`, `avx2` and `neon` encode instructions; `x86` contains the parts
that `avx512` and `avx2` share. Code outside this package uses these four modules only through `TARGETS`.
"""

from __future__ import annotations

from reasoner.lanes.native.targets.avx2 import AVX2
from reasoner.lanes.native.targets.avx512 import AVX512
from reasoner.lanes.native.targets.neon import NEON, NEON_SHA3
from reasoner.lanes.native.targets.target import Target

TARGETS = (AVX512, AVX2, NEON_SHA3, NEON)

__all__ = ["AVX2", "AVX512", "NEON", "NEON_SHA3", "TARGETS", "Target"]
