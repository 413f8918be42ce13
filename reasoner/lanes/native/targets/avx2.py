"""x86-64 with AVX2: 16 registers of half a row. Each stretch of code runs twice, the second time 32 bytes further.

AND, ANDN, OR and XOR combine two registers, or a register and a row; a complement needs a register of ones. Encodings
(Intel SDM vol. 2, 2.3 "VEX"):

    C5 ~R ~v ~v ~v ~v L p p                              opcode  ModRM  [disp32]  [imm8]
    C4 ~R ~X ~B m m m m m   W ~v ~v ~v ~v L p p          where bit 3 of the register in ModRM.rm is set

    R: bit 3 of the register in ModRM.reg; v: the third register; L = 1 for 256 bits; pp: operand prefix

An address is rdi, the argument, plus a displacement of 32 bits in bytes. A displacement of eight bits would reach only
four rows.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bytes, Ints
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.lanes.native.instructions import (
    ADD,
    AGAIN,
    AND,
    ANDN,
    DESTINATION,
    FIRST,
    IMMEDIATE,
    LOAD,
    MEMORY,
    MOVE,
    ONES,
    OPERATION,
    OPERATIONS,
    OR,
    SECOND,
    SHIFT,
    SHIFT_RIGHT,
    STORE,
    XOR,
    ZEROS,
)
from reasoner.lanes.native.targets import processor
from reasoner.lanes.native.targets.selection import BASIC, Operation, Selection, sequences
from reasoner.lanes.native.targets.target import ROW_BYTES, Target
from reasoner.lanes.native.targets.x86 import leave, word

WIDTH = 32
"""Bytes of a register."""

STRETCH = 300
"""Instructions in a stretch; these and their rows fit the L1 caches. Measured: 250 to 400 are equally fast."""

MAX_INSTRUCTION_BYTES = 14
"""Bytes of the longest instruction, AGAIN."""

FRAME = 32
"""Upper bound of the bytes after a section's instructions."""

MAP_0F = 1
PREFIX_66, PREFIX_F3 = 1, 2
VECTOR_256 = 4
"""The bit L in its byte of the VEX prefix."""

RDI = 7


def _opcodes() -> Bytes:
    """Opcodes of vmovdqu (load, store), vmovdqa, vpand, vpandn, vpor, vpxor, vpaddq, vpsllq, vpsrlq and vpcmpeqd."""
    found = np.zeros(OPERATIONS, np.uint8)
    found[[LOAD, STORE, MOVE, AND, ANDN, OR, XOR]] = 0x6F, 0x7F, 0x6F, 0xDB, 0xDF, 0xEB, 0xEF
    found[[ADD, SHIFT, SHIFT_RIGHT, ZEROS, ONES]] = 0xD4, 0x73, 0x73, 0xEF, 0x76
    return found


OPCODES = _opcodes()

LEFT, RIGHT = 6, 2
"""ModRM.reg of vpsllq and vpsrlq, whose destination is the register in VEX.vvvv."""


def encode(instructions: Ints, rows: int) -> bytes:
    """Return the machine code of a function that executes the instructions, [n, FIELDS], on less than 2^31 bytes."""
    assert rows * ROW_BYTES < 2**31
    code = np.zeros(FRAME + MAX_INSTRUCTION_BYTES * len(instructions), np.uint8)
    return code[: _function(instructions, code)].tobytes()


@kernel_norefcount
def _function(instructions: Ints, code: Bytes) -> int:
    """Write a function; return its size in bytes."""
    at, begin = 0, 0
    for i in range(len(instructions)):
        if instructions[i, OPERATION] == AGAIN:
            at = begin = _again(code, at, begin)
        else:
            at = _instruction(code, at, instructions[i])
    at = _again(code, at, begin)
    return leave(code, at)


@device_function_norefcount
def _again(code: Bytes, at: int, begin: int) -> int:
    """Run the code from `begin` on for the second half of the rows, then continue with the first.

    Rows begin at multiples of 64 bytes, so bit 5 of rdi distinguishes the halves.
    """
    back = begin - (at + 14)
    for byte in (0x48, 0x83, 0xF7, WIDTH, 0x40, 0xF6, 0xC7, WIDTH, 0x0F, 0x85):  # xor rdi, 32; test dil, 32; jnz
        code[at] = byte
        at += 1
    return word(code, at, back)


@device_function_norefcount
def _instruction(code: Bytes, at: int, instruction: Ints) -> int:
    """Write one instruction; return the place after it."""
    operation, memory = instruction[OPERATION] & ~MEMORY, instruction[OPERATION] & MEMORY
    register, further, other = instruction[DESTINATION], instruction[FIRST], instruction[SECOND]
    if operation == STORE:
        register, further, other = other, 0, register
    elif operation in (LOAD, MOVE):
        further = 0
    elif operation in (ZEROS, ONES):
        further = other = register
    elif operation in (SHIFT, SHIFT_RIGHT):
        register, further = LEFT if operation == SHIFT else RIGHT, register
    elif not memory and operation in (AND, OR, XOR, ADD) and other >= 8:
        further, other = other, further  # this order has the shorter encoding
    prefix = PREFIX_F3 if operation in (LOAD, STORE) else PREFIX_66
    at = _prefix(code, at, prefix, register, further, RDI if memory else other)
    code[at] = OPCODES[operation]
    at = _operand(code, at + 1, register, other, memory)
    if operation in (SHIFT, SHIFT_RIGHT):
        code[at] = instruction[IMMEDIATE]
        at += 1
    return at


@device_function_norefcount
def _prefix(code: Bytes, at: int, prefix: int, register: int, further: int, base: int) -> int:
    """Write the VEX prefix from `at` on; return the place after it.

    prefix: pp; register, further, base: the operands of ModRM.reg, of vvvv and of ModRM.rm.
    """
    last = (~further & 15) << 3 | VECTOR_256 | prefix
    if base < 8:
        code[at] = 0xC5
        code[at + 1] = (~register >> 3 & 1) << 7 | last
        return at + 2
    code[at] = 0xC4
    code[at + 1] = (~register >> 3 & 1) << 7 | 0x40 | MAP_0F  # ~X; ~B is 0
    code[at + 2] = last
    return at + 3


@device_function_norefcount
def _operand(code: Bytes, at: int, register: int, other: int, memory: int) -> int:
    """Write ModRM and the displacement of a row from `at` on; return the place after them.

    register: ModRM.reg; other: a row if `memory` is set, else a register.
    """
    if memory:
        code[at] = 0x80 | (register & 7) << 3 | RDI
        return word(code, at + 1, other * ROW_BYTES)
    code[at] = 0xC0 | (register & 7) << 3 | (other & 7)
    return at + 1


OPERATIONS_HERE = (*BASIC, Operation(ZEROS, lambda: 0, 0), Operation(ONES, lambda: 0xFF, 0))
"""Operations for tables."""


def _select() -> Selection:
    return sequences(OPERATIONS_HERE, memory=True, rotate=False)


def _missing() -> str | None:
    return processor.not_x86_64() or (None if processor.has("avx2") else "no AVX2")


AVX2 = Target(
    name="avx2",
    registers=16,
    width=WIDTH,
    stretch=STRETCH,
    select=_select,
    encode=encode,
    missing=_missing,
    empty=b"\xc3",
)
