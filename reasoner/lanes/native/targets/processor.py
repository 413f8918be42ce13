"""What kind of processor and system this is."""

from __future__ import annotations

import ctypes
import platform
import sys

from llvmlite import binding

SYSTEMS = ("linux", "darwin")
"""Systems whose functions find their first argument where sections look for it, and may use the registers they use."""

HWCAP, HWCAP_SHA3 = 16, 1 << 17
"""Linux on AArch64: what to ask `getauxval` for, and the bit that says that EOR3 and BCAX are there."""

SHA3_NAMES = (b"hw.optional.arm.FEAT_SHA3", b"hw.optional.armv8_2_sha3")
"""The same on macOS, newer and older."""


def not_x86_64() -> str | None:
    """Why no code for x86-64 runs here, or None."""
    if sys.platform not in SYSTEMS:
        return "neither Linux nor macOS"
    if platform.machine() not in ("x86_64", "AMD64") or sys.maxsize < 2**32:
        return "not x86-64"
    return None


def not_aarch64() -> str | None:
    """Why no code for AArch64 runs here, or None."""
    if sys.platform not in SYSTEMS:
        return "neither Linux nor macOS"
    if platform.machine() not in ("aarch64", "arm64") or sys.byteorder != "little":
        return "not AArch64"
    return None


def has(feature: str) -> bool:
    """Whether the processor has a feature, by LLVM's name of it, and the system lets it be used."""
    return bool(binding.get_host_cpu_features().get(feature))


def has_sha3() -> bool:
    """Whether an AArch64 processor has the instructions of SHA-3; False where nobody says."""
    libc = ctypes.CDLL(None)
    if sys.platform == "darwin":
        return any(_switched_on(libc, name) for name in SHA3_NAMES)
    libc.getauxval.restype = ctypes.c_ulong
    libc.getauxval.argtypes = (ctypes.c_ulong,)
    return bool(libc.getauxval(HWCAP) & HWCAP_SHA3)


def _switched_on(libc: ctypes.CDLL, name: bytes) -> bool:
    """A number of macOS's `sysctl`, as a truth value; False where there is none of this name."""
    value, size = ctypes.c_int(0), ctypes.c_size_t(ctypes.sizeof(ctypes.c_int))
    refused = libc.sysctlbyname(name, ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0))
    return not refused and bool(value.value)
