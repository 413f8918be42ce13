"""Whether this machine runs native lanes."""

from __future__ import annotations

import platform
import sys
from functools import cache

from llvmlite import binding


@cache
def missing() -> str | None:
    """What this machine lacks for native lanes, or None: Linux, x86-64 and AVX-512 F are needed."""
    if not sys.platform.startswith("linux"):
        return "not Linux"
    if platform.machine() not in ("x86_64", "AMD64") or sys.maxsize < 2**32:
        return "not x86-64"
    if not binding.get_host_cpu_features().get("avx512f"):
        return "no AVX-512"
    return None
