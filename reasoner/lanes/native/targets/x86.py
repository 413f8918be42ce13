"""Parts of machine code that both targets for x86-64 share."""

from __future__ import annotations

from reasoner.arrays import Bytes
from reasoner.kernels import device_function_norefcount


@device_function_norefcount
def word(code: Bytes, at: int, value: int) -> int:
    """Write 32 bits, the lowest byte first; return the place after them."""
    for i in range(4):
        code[at + i] = value >> 8 * i & 0xFF
    return at + 4


@device_function_norefcount
def leave(code: Bytes, at: int) -> int:
    """Write the end of a function, and return the place after it.

    It clears the upper halves of the vector registers, because SSE transitions are slow otherwise, and returns.
    """
    for byte in (0xC5, 0xF8, 0x77, 0xC3):  # vzeroupper; ret
        code[at] = byte
        at += 1
    return at
