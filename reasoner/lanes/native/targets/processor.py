"""Detection of this machine's processor and operating system."""

from __future__ import annotations

import ctypes
import platform
import sys

from llvmlite import binding

SYSTEMS = ("linux", "darwin")
"""Systems with the calling convention that sections use: place of the first argument, caller-saved registers."""

HWCAP, HWCAP_SHA3 = 16, 1 << 17
"""Linux on AArch64: the `getauxval` key, and the bit that reports EOR3 and BCAX."""

SHA3_NAMES = (b"hw.optional.arm.FEAT_SHA3", b"hw.optional.armv8_2_sha3")
"""The same on macOS, newer and older."""


def not_x86_64() -> str | None:
    """Why code for x86-64 does not run here, or None."""
    if sys.platform not in SYSTEMS:
        return "neither Linux nor macOS"
    if platform.machine() not in ("x86_64", "AMD64") or sys.maxsize < 2**32:
        return "not x86-64"
    return None


def not_aarch64() -> str | None:
    """Why code for AArch64 does not run here, or None."""
    if sys.platform not in SYSTEMS:
        return "neither Linux nor macOS"
    if platform.machine() not in ("aarch64", "arm64") or sys.byteorder != "little":
        return "not AArch64"
    return None


def has(feature: str) -> bool:
    """Whether the processor has a feature, by LLVM's name, and the system allows it."""
    return bool(binding.get_host_cpu_features().get(feature))


def has_sha3() -> bool:
    """Whether an AArch64 processor has the SHA-3 instructions; False if unknown."""
    libc = ctypes.CDLL(None)
    if sys.platform == "darwin":
        return any(_switched_on(libc, name) for name in SHA3_NAMES)
    libc.getauxval.restype = ctypes.c_ulong
    libc.getauxval.argtypes = (ctypes.c_ulong,)
    return bool(libc.getauxval(HWCAP) & HWCAP_SHA3)


def _switched_on(libc: ctypes.CDLL, name: bytes) -> bool:
    """A flag of macOS's `sysctl`; False if the name is unknown."""
    value, size = ctypes.c_int(0), ctypes.c_size_t(ctypes.sizeof(ctypes.c_int))
    refused = libc.sysctlbyname(name, ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0))
    return not refused and bool(value.value)
