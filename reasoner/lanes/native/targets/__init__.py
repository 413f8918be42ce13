"""Processors with native code, the best first: `TARGETS`.

`target` describes a processor; `selection` finds how it computes each three-input table by its operations, and the
cost; `processor` detects this machine's processor. `avx512`, `avx2` and `neon` contain the encodings of instructions,
`x86` what the first two share. No other file knows their names.
"""

from __future__ import annotations

from reasoner.lanes.native.targets.avx2 import AVX2
from reasoner.lanes.native.targets.avx512 import AVX512
from reasoner.lanes.native.targets.neon import NEON, NEON_SHA3
from reasoner.lanes.native.targets.target import Target

TARGETS = (AVX512, AVX2, NEON_SHA3, NEON)

__all__ = ["AVX2", "AVX512", "NEON", "NEON_SHA3", "TARGETS", "Target"]
