"""x86-64 with AVX-512: 32 registers as wide as a row; one instruction, `vpternlogq`, computes any table.

Encodings (Intel SDM vol. 2, 2.7 "EVEX"):

    62  P0 P1 P2  opcode  ModRM  [disp8 | disp32]  [imm8]

    P0 = ~R ~X ~B ~R' 0 m m m   R', R: bits 4, 3 of the register in ModRM.reg; X, B: bits 4, 3 of the one in ModRM.rm
    P1 = W ~v ~v ~v ~v 1 p p    v, V': the third register; mmm: opcode map; pp: operand prefix
    P2 = z L' L b ~V' a a a     z = b = aaa = 0, L'L = 10 for 512 bits

An address is a general register plus a displacement. A displacement of eight bits counts rows (it is scaled by the 64
bytes of an operand), so that one register reaches a *window* of 256 rows around the place to which it points. A section
points as many registers as it can at the windows that it uses most. The addresses of other rows have a displacement of
32 bits in bytes.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bytes, Ints
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.lanes.native.instructions import (
    DESTINATION,
    FIRST,
    IMMEDIATE,
    LOAD,
    MEMORY,
    MOVE,
    OPERATION,
    ROTATE,
    SECOND,
    SHIFT,
    STORE,
    TERNARY,
)
from reasoner.lanes.native.targets import processor
from reasoner.lanes.native.targets.selection import Selection, any_table
from reasoner.lanes.native.targets.target import ROW_BYTES, Target, windows
from reasoner.lanes.native.targets.x86 import leave, word

MAX_INSTRUCTION_BYTES = 11
"""Bytes of the longest instruction."""

WINDOW = 256
"""Rows that one register reaches with an 8-bit displacement."""

POINTERS = np.array([7, 6, 0, 1, 2, 8, 9, 10, 11, 3, 5, 13, 14, 15], np.int32)
"""General registers that hold addresses: rdi (the argument), rsi, rax, rcx, rdx, r8 … r11 (caller-saved) and rbx, rbp,
r13 … r15 (callee-saved). rsp and r12 would need a longer form."""

SCRATCH = 9
"""The number of registers in POINTERS that are caller-saved."""

FRAME = 32 * (len(POINTERS) + 1)
"""Upper bound of the bytes before and after a section's instructions."""

MAP_0F, MAP_0F3A = 1, 3
PREFIX_66, PREFIX_F3 = 1, 2

OPCODES = np.array([0x6F, 0x7F, 0x6F, 0x25, 0xDB, 0xDF, 0xEB, 0xEF, 0xD4, 0x73, 0x72], np.uint8)
"""Opcodes of vmovdqu64 (load, store, move), vpternlogq, vpandq, vpandnq, vporq, vpxorq, vpaddq, vpsllq, vprolq."""

EXTENSIONS = np.array([6, 1], np.int32)
"""ModRM.reg of vpsllq and vprolq, whose destination is the register in EVEX.vvvv."""


def encode(instructions: Ints, rows: int) -> bytes:
    """Return the machine code of a function that executes the instructions, [n, FIELDS], on `rows` rows."""
    pointer = windows(instructions, rows, WINDOW, len(POINTERS))
    code = np.zeros(FRAME + MAX_INSTRUCTION_BYTES * len(instructions), np.uint8)
    size = _function(instructions, pointer, int(pointer.max()) + 1, code)
    return code[:size].tobytes()


@kernel_norefcount
def _function(instructions: Ints, pointer: Ints, pointers: int, code: Bytes) -> int:
    """Write a function; return its size in bytes."""
    at = _prologue(code, 0, pointer, pointers)
    for i in range(len(instructions)):
        at = _instruction(code, at, instructions[i], pointer)
    return _epilogue(code, at, pointers)


@device_function_norefcount
def _prologue(code: Bytes, at: int, pointer: Ints, pointers: int) -> int:
    """Save callee-saved registers and point registers at their windows; rdi last, because the others depend on it."""
    for i in range(SCRATCH, pointers):
        at = _push_or_pop(code, at, 0x50, POINTERS[i])
    for i in range(pointers - 1, -1, -1):
        for window in range(len(pointer)):
            if pointer[window] == i:
                at = _point(code, at, POINTERS[i], _middle(window) * ROW_BYTES)
    return at


@device_function_norefcount
def _epilogue(code: Bytes, at: int, pointers: int) -> int:
    """Restore registers and return."""
    for i in range(pointers - 1, SCRATCH - 1, -1):
        at = _push_or_pop(code, at, 0x58, POINTERS[i])
    return leave(code, at)


@device_function_norefcount
def _middle(window: int) -> int:
    """The row that a window's register points to."""
    return window * WINDOW + WINDOW // 2


@device_function_norefcount
def _push_or_pop(code: Bytes, at: int, opcode: int, register: int) -> int:
    if register >= 8:
        code[at] = 0x41  # REX.B
        at += 1
    code[at] = opcode + (register & 7)
    return at + 1


@device_function_norefcount
def _point(code: Bytes, at: int, register: int, displacement: int) -> int:
    """``lea register, [rdi + disp32]``."""
    code[at] = 0x4C if register >= 8 else 0x48  # REX.W, and R for r8 …
    code[at + 1] = 0x8D
    code[at + 2] = 0x87 | (register & 7) << 3
    return word(code, at + 3, displacement)


@device_function_norefcount
def _instruction(code: Bytes, at: int, instruction: Ints, pointer: Ints) -> int:
    """Write one instruction; return the place after it."""
    operation, memory = instruction[OPERATION] & ~MEMORY, instruction[OPERATION] & MEMORY
    register, further, other = instruction[DESTINATION], instruction[FIRST], instruction[SECOND]
    if operation == STORE:
        register, further, other = other, 0, register
    elif operation in (LOAD, MOVE):
        further = 0
    elif operation in (SHIFT, ROTATE):
        register, further = EXTENSIONS[operation - SHIFT], register
    place = pointer[other // WINDOW] if memory else -1
    base = POINTERS[max(place, 0)] if memory else other
    at = _prefix(code, at, operation, register, further, base, not memory)
    code[at] = OPCODES[operation]
    at = (
        _operand(code, at + 1, register, base, other, place, pointer)
        if memory
        else _modrm(code, at + 1, 3, register, base)
    )
    if operation in (TERNARY, SHIFT, ROTATE):
        code[at] = instruction[IMMEDIATE]
        at += 1
    return at


@device_function_norefcount
def _prefix(code: Bytes, at: int, operation: int, register: int, further: int, base: int, direct: bool) -> int:
    """Write the four bytes of the EVEX prefix from `at` on; return the place after them.

    register, further, base: the operands of ModRM.reg, of vvvv and of ModRM.rm; direct: `base` is a vector register and
    not an address.
    """
    opcode_map = MAP_0F3A if operation == TERNARY else MAP_0F
    prefix = PREFIX_F3 if operation in (LOAD, STORE, MOVE) else PREFIX_66
    extension = (register >> 3 & 1) << 7 | (base >> 3 & 1) << 5 | (register >> 4 & 1) << 4
    if direct:
        extension |= (base >> 4 & 1) << 6
    code[at] = 0x62
    code[at + 1] = (extension ^ 0xF0) | opcode_map
    code[at + 2] = 0x84 | (~further & 15) << 3 | prefix
    code[at + 3] = 0x40 | (~further >> 4 & 1) << 3
    return at + 4


@device_function_norefcount
def _modrm(code: Bytes, at: int, mode: int, register: int, base: int) -> int:
    code[at] = mode << 6 | (register & 7) << 3 | (base & 7)
    return at + 1


@device_function_norefcount
def _operand(code: Bytes, at: int, register: int, base: int, row: int, place: int, pointer: Ints) -> int:
    """Write ModRM and the displacement of a row from `at` on; return the place after them.

    The displacement has 8 bits within a window, else 32 bits from rdi. register: ModRM.reg; base: the register that
    points into the window; place: the number of this register among the pointers, -1 for none; pointer: [windows] the
    number of each window's pointer.
    """
    if place >= 0:
        at = _modrm(code, at, 1, register, base)
        code[at] = (row - _middle(row // WINDOW)) & 0xFF
        return at + 1
    at = _modrm(code, at, 2, register, base)
    for window in range(len(pointer)):
        if pointer[window] == 0:
            return word(code, at, (row - _middle(window)) * ROW_BYTES)
    return at


def _select() -> Selection:
    return any_table(memory=True, rotate=True)


def _missing() -> str | None:
    return processor.not_x86_64() or (None if processor.has("avx512f") else "no AVX-512")


AVX512 = Target(
    name="avx512", registers=32, width=64, stretch=0, select=_select, encode=encode, missing=_missing, empty=b"\xc3"
)
