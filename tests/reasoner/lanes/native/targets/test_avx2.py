"""With AVX2 a disassembler reads back the requested instructions, and run for both halves."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.lanes.native.instructions import (
    ADD,
    AGAIN,
    AND,
    ANDN,
    LOAD,
    MEMORY,
    MOVE,
    ONES,
    OR,
    SHIFT,
    SHIFT_RIGHT,
    STORE,
    XOR,
    ZEROS,
)
from reasoner.lanes.native.targets import AVX2
from tests.reasoner.lanes.native.machines import disassembled

THREE = {AND: "vpand", ANDN: "vpandn", OR: "vpor", XOR: "vpxor", ADD: "vpaddq"}
LOOP = ["xor", "test", "jne"]
registers = st.integers(0, 15)
rows = st.integers(0, 30_000)


def body(*instructions):
    """The disassembled instructions before the loop's end."""
    code = AVX2.encode(np.array(instructions, np.int32).reshape(-1, 5), 30_001)
    found = disassembled(code, AVX2)
    assert [name for name, _ in found[-5:]] == [*LOOP, "vzeroupper", "ret"]
    return found[:-5]


def bytes_of(row):
    """How a disassembler writes where a row lies."""
    return f"[rdi + {64 * row:#x}]" if row else "[rdi]"


@given(st.sampled_from(sorted(THREE)), registers, registers, registers)
def test_operations_on_registers_take_any_of_the_16(operation, a, b, c):
    ((name, operands),) = body((operation, a, b, c, 0))
    target, *sources = operands.split(", ")
    assert (name, target) == (THREE[operation], f"ymm{a}")
    either = sorted(sources) if operation != ANDN else sources
    assert either == (sorted([f"ymm{b}", f"ymm{c}"]) if operation != ANDN else [f"ymm{b}", f"ymm{c}"])


@given(registers, registers, rows, st.sampled_from(sorted(THREE)))
def test_an_operand_in_memory_keeps_the_registers(a, b, row, operation):
    assert body((operation | MEMORY, a, b, row, 0)) == [
        (THREE[operation], f"ymm{a}, ymm{b}, ymmword ptr {bytes_of(row)}")
    ]


@given(registers, rows)
def test_loads_and_stores_move_half_a_row(a, row):
    assert body((LOAD | MEMORY, a, 0, row, 0)) == [("vmovdqu", f"ymm{a}, ymmword ptr {bytes_of(row)}")]
    assert body((STORE | MEMORY, row, 0, a, 0)) == [("vmovdqu", f"ymmword ptr {bytes_of(row)}, ymm{a}")]


@given(registers, registers, st.integers(1, 63))
def test_shifts_name_their_destination_first(a, b, by):
    count = by if by < 10 else hex(by)
    assert body((SHIFT, a, 0, b, by)) == [("vpsllq", f"ymm{a}, ymm{b}, {count}")]
    assert body((SHIFT_RIGHT, a, 0, b, by)) == [("vpsrlq", f"ymm{a}, ymm{b}, {count}")]


@given(registers, registers)
def test_copies_and_constants_name_their_register(a, b):
    assert body((MOVE, a, 0, b, 0)) == [("vmovdqa", f"ymm{a}, ymm{b}")]
    assert body((ZEROS, a, 0, 0, 0)) == [("vpxor", f"ymm{a}, ymm{a}, ymm{a}")]
    assert body((ONES, a, 0, 0, 0)) == [("vpcmpeqd", f"ymm{a}, ymm{a}, ymm{a}")]


def test_each_stretch_is_run_again_from_where_it_begins():
    """The second half is 32 bytes further on, and after it the next stretch begins with the first half."""
    code = AVX2.encode(np.array([(MOVE, 1, 0, 2, 0), (AGAIN, 0, 0, 0, 0), (MOVE, 3, 0, 4, 0)], np.int32), 1)
    found = disassembled(code, AVX2)
    assert [name for name, _ in found] == ["vmovdqa", *LOOP, "vmovdqa", *LOOP, "vzeroupper", "ret"]
    assert [operands for name, operands in found if name == "xor"] == ["rdi, 0x20"] * 2
    assert [int(operands, 0) for name, operands in found if name == "jne"] == [0, 18]
