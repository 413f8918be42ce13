"""Detection of this machine's processor and operating system."""

from __future__ import annotations

import ctypes
import platform
import sys

from llvmlite import binding

SYSTEMS = ("linux", "darwin")
"""Systems with the calling convention of sections: the register of the first argument, the caller-saved registers."""

HWCAP, HWCAP_SHA3 = 16, 1 << 17
"""Linux on AArch64: the `getauxval` key, and the bit for EOR3 and BCAX in its value."""

SHA3_NAMES = (b"hw.optional.arm.FEAT_SHA3", b"hw.optional.armv8_2_sha3")
"""macOS: the names of the `sysctl` flags for EOR3 and BCAX, in newer and in older versions."""


def not_x86_64() -> str | None:
    """The reason why code for x86-64 does not run on this machine; None if it does."""
    if sys.platform not in SYSTEMS:
        return "neither Linux nor macOS"
    if platform.machine() not in ("x86_64", "AMD64") or sys.maxsize < 2**32:
        return "not x86-64"
    return None


def not_aarch64() -> str | None:
    """The reason why code for AArch64 does not run on this machine; None if it does."""
    if sys.platform not in SYSTEMS:
        return "neither Linux nor macOS"
    if platform.machine() not in ("aarch64", "arm64") or sys.byteorder != "little":
        return "not AArch64"
    return None


def has(feature: str) -> bool:
    """Whether the processor has a feature, named as in LLVM, and the operating system supports it."""
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
    """The value of a flag of macOS's `sysctl`; False if the name is unknown."""
    value, size = ctypes.c_int(0), ctypes.c_size_t(ctypes.sizeof(ctypes.c_int))
    refused = libc.sysctlbyname(name, ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0))
    return not refused and bool(value.value)
