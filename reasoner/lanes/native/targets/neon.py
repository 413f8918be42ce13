"""AArch64: 32 registers of a quarter of a row. Each stretch of code runs four times, 16 bytes further each time.

AND, BIC, ORR, ORN and EOR combine two registers. BSL, BIT and BIF choose between two registers by a third, and
overwrite one of the three. With the SHA-3 extension, EOR3 and BCAX combine three registers. Rows are loaded and stored
one by one, because a pair of registers (LDP, STP) would contain two parts of one row, not one part of two values, and
reaches only 16 rows. Instructions have 32 bits (Arm Architecture Reference Manual for A-profile, C7):

    op … Rm(16) … Rn(5) Rd(0)                  two or three operands; EOR3 and BCAX have the third register at bit 10
    op … immh:immb(16) … Rn(5) Rd(0)           shifts of 64-bit words
    op … imm12(10) Rn(5) Rt(0)                 LDR, STR of 16 bytes at Xn + 16 imm12

An address is a general register plus an offset of twelve bits, which reaches a *window* of 1,024 rows. General
registers point at the windows that a section uses most; another register is set to each address outside these windows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Longs
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.lanes.native.instructions import (
    ADD,
    AGAIN,
    AND,
    ANDN,
    DESTINATION,
    FIRST,
    IMMEDIATE,
    INSERT,
    INSERT_NOT,
    LOAD,
    MEMORY,
    MOVE,
    NOT,
    ONES,
    OPERATION,
    OPERATIONS,
    OR,
    ORN,
    SECOND,
    SELECT,
    SHIFT,
    SHIFT_RIGHT,
    STORE,
    XOR,
    XOR3,
    XOR_ANDN,
    ZEROS,
)
from reasoner.lanes.native.targets import processor
from reasoner.lanes.native.targets.selection import BASIC, UNIT, Operation, Selection, sequences
from reasoner.lanes.native.targets.target import ROW_BYTES, Target, windows

Code = NDArray[np.uint32]

WIDTH = 16
"""Bytes of a register."""

STRETCH = 1000
"""Instructions in a stretch: they take 4 KiB, and their rows about 20 KiB, of caches of 64 KiB or more."""

WINDOW = 1024
"""Rows that one register reaches."""

POINTERS = 16
"""General registers that hold addresses: x0 … x15, all caller-saved. x0, the function's argument, points at window
0."""

BEYOND = 16
"""The register for addresses in other windows; x18 is reserved by the system, x19 and up are callee-saved."""

SAVED_FROM, SAVED_TO = 8, 16
"""The registers v8 … v15, whose lower halves are callee-saved."""

MAX_INSTRUCTION_WORDS = 3
"""Words of the longest instruction except AGAIN: LOAD and STORE beyond the windows."""

AGAIN_WORDS = 2 * POINTERS + 2

FRAME = 48
"""Upper bound of the words before and after a section's instructions."""

RETURN = 0xD65F03C0


def _opcodes() -> Longs:
    """The instruction of each operation, with all operands 0."""
    found = np.zeros(OPERATIONS, np.int64)
    found[[LOAD, STORE, MOVE, NOT]] = 0x3DC00000, 0x3D800000, 0x4EA01C00, 0x6E205800
    found[[AND, ANDN, OR, ORN, XOR]] = 0x4E201C00, 0x4E601C00, 0x4EA01C00, 0x4EE01C00, 0x6E201C00
    found[[SELECT, INSERT, INSERT_NOT]] = 0x6E601C00, 0x6EA01C00, 0x6EE01C00
    found[[XOR3, XOR_ANDN]] = 0xCE000000, 0xCE200000
    found[[ZEROS, ONES]] = 0x6F00E400, 0x6F07E7E0
    found[[ADD, SHIFT, SHIFT_RIGHT]] = 0x4EE08400, 0x4F405400, 0x6F400400
    return found


OPCODES = _opcodes()


def encode(instructions: Ints, rows: int) -> bytes:
    """Return the machine code of a function that executes the instructions, [n, FIELDS], on `rows` rows."""
    pointer = windows(instructions, rows, WINDOW, POINTERS, first=True)
    saved, again = _saved(instructions), int((instructions[:, OPERATION] == AGAIN).sum()) + 1
    code = np.zeros(FRAME + MAX_INSTRUCTION_WORDS * len(instructions) + AGAIN_WORDS * again, np.uint32)
    return code[: _function(instructions, pointer, saved, code)].astype("<u4").tobytes()


def _saved(instructions: Ints) -> int:
    """The number of callee-saved registers, from SAVED_FROM on, that are changed, rounded up to an even number."""
    written = instructions[instructions[:, OPERATION] != STORE | MEMORY, DESTINATION]
    last = int(written[written < SAVED_TO].max(initial=0))
    return max(0, (last - SAVED_FROM + 2) & ~1)


@kernel_norefcount
def _function(instructions: Ints, pointer: Ints, saved: int, code: Code) -> int:
    """Write a function; return its size in words."""
    at = _prologue(code, pointer, saved)
    begin = at
    for i in range(len(instructions)):
        if instructions[i, OPERATION] == AGAIN:
            at = begin = _again(code, at, begin, pointer)
        else:
            at = _instruction(code, at, instructions[i], pointer)
    return _epilogue(code, _again(code, at, begin, pointer), saved)


@device_function_norefcount
def _prologue(code: Code, pointer: Ints, saved: int) -> int:
    """Save callee-saved registers and point registers at their windows; return the place after."""
    at = 0
    if saved:
        code[at] = 0xD10103FF  # sub sp, sp, #64
        at += 1
    for i in range(0, saved, 2):
        code[at] = _pair(0x6D0003E0, SAVED_FROM + i, i)  # stp d, d, [sp, #8i]
        at += 1
    for window in range(1, len(pointer)):
        if pointer[window] >= 0:
            at = _point(code, at, pointer[window], window)
    return at


@device_function_norefcount
def _again(code: Code, at: int, begin: int, pointer: Ints) -> int:
    """Run the code from `begin` on for the other parts of the rows, then continue; return the place after.

    Rows begin at multiples of 64 bytes, so that bits 4 and 5 of x0 are 0 after the last part only.
    """
    at = _move_all(code, at, 0x91000000 | WIDTH << 10, pointer)  # add
    code[at] = 0xF27C041F  # tst x0, #0x30
    code[at + 1] = 0x54000001 | (begin - at - 1 & 0x7FFFF) << 5  # b.ne
    return _move_all(code, at + 2, 0xD1000000 | ROW_BYTES << 10, pointer)  # sub


@device_function_norefcount
def _move_all(code: Code, at: int, opcode: int, pointer: Ints) -> int:
    """Add to or subtract from all registers that point into rows; return the place after."""
    for window in range(len(pointer)):
        if pointer[window] >= 0:
            code[at] = opcode | pointer[window] << 5 | pointer[window]
            at += 1
    return at


@device_function_norefcount
def _epilogue(code: Code, at: int, saved: int) -> int:
    """Restore registers and return; return the place after."""
    for i in range(0, saved, 2):
        code[at] = _pair(0x6D4003E0, SAVED_FROM + i, i)  # ldp d, d, [sp, #8i]
        at += 1
    if saved:
        code[at] = 0x910103FF  # add sp, sp, #64
        at += 1
    code[at] = RETURN
    return at + 1


@device_function_norefcount
def _pair(opcode: int, register: int, place: int) -> int:
    """STP or LDP of a register and the next, at `place` times eight bytes from the stack pointer."""
    return opcode | place << 15 | (register + 1) << 10 | register


@device_function_norefcount
def _point(code: Code, at: int, register: int, window: int) -> int:
    """Point a general register at a window; a window is 2^16 bytes."""
    code[at] = 0xD2A00000 | window << 5 | register  # movz register, window, lsl 16
    code[at + 1] = 0x8B000000 | register << 16 | register  # add register, x0, register
    return at + 2


@device_function_norefcount
def _instruction(code: Code, at: int, instruction: Ints, pointer: Ints) -> int:
    """Write one instruction; return the place after it."""
    operation, immediate = instruction[OPERATION] & ~MEMORY, instruction[IMMEDIATE]
    register, first, second = instruction[DESTINATION], instruction[FIRST], instruction[SECOND]
    if operation == STORE:
        return _access(code, at, operation, second, register, pointer)
    if operation == LOAD:
        return _access(code, at, operation, register, second, pointer)
    if operation in (MOVE, NOT):
        first = second
        second = second if operation == MOVE else 0
    elif operation in (ANDN, ORN):
        first, second = second, first  # BIC and ORN complement the second operand
    elif operation == SHIFT:
        first, second = second, immediate
    elif operation == SHIFT_RIGHT:
        first, second = second, 64 - immediate
    elif operation in (ZEROS, ONES):
        first = second = 0
    word = int(OPCODES[operation]) | second << 16 | first << 5 | register
    if operation in (XOR3, XOR_ANDN):
        word |= immediate << 10
    code[at] = word
    return at + 1


@device_function_norefcount
def _access(code: Code, at: int, operation: int, register: int, row: int, pointer: Ints) -> int:
    """Load or store a register; return the place after it."""
    base = int(pointer[row // WINDOW])
    if base < 0:
        base = BEYOND
        at = _point(code, at, base, row // WINDOW)
    code[at] = int(OPCODES[operation]) | row % WINDOW * (ROW_BYTES // WIDTH) << 10 | base << 5 | register
    return at + 1


CHOICE_COST = UNIT * 5 // 4
"""BSL, BIT and BIF overwrite one of their three operands, so they sometimes need a copy."""

PLAIN = (
    *BASIC,
    Operation(ORN, lambda x, y: ~x | y, 2),
    Operation(NOT, lambda x: ~x, 1),
    Operation(ZEROS, lambda: 0, 0),
    Operation(ONES, lambda: 0xFF, 0),
    Operation(SELECT, lambda x, y, z: (x & y) | (~x & z), 3, CHOICE_COST),
)

SHA3_COST = UNIT * 5 // 4
"""EOR3 and BCAX cost less than two instructions; a Neoverse V2 has one pipeline for them and four for others."""

SHA3 = (
    Operation(XOR3, lambda x, y, z: x ^ y ^ z, 3, SHA3_COST),
    Operation(XOR_ANDN, lambda x, y, z: x ^ (y & ~z), 3, SHA3_COST),
)


def _select() -> Selection:
    return sequences(PLAIN, memory=False, rotate=False)


def _select_sha3() -> Selection:
    return sequences((*PLAIN, *SHA3), memory=False, rotate=False)


def _missing() -> str | None:
    return processor.not_aarch64()


def _missing_sha3() -> str | None:
    return processor.not_aarch64() or (None if processor.has_sha3() else "no SHA-3")


_EMPTY = RETURN.to_bytes(4, "little")

NEON = Target(
    name="neon",
    registers=32,
    width=WIDTH,
    stretch=STRETCH,
    select=_select,
    encode=encode,
    missing=_missing,
    empty=_EMPTY,
)
NEON_SHA3 = Target(
    name="neon",
    registers=32,
    width=WIDTH,
    stretch=STRETCH,
    select=_select_sha3,
    encode=encode,
    missing=_missing_sha3,
    empty=_EMPTY,
)
