"""With AVX-512 a disassembler reads back the requested instructions."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.lanes.native.instructions import (
    ADD,
    AND,
    ANDN,
    LOAD,
    MEMORY,
    MOVE,
    OR,
    ROTATE,
    SHIFT,
    STORE,
    TERNARY,
    XOR,
)
from reasoner.lanes.native.targets import AVX512
from tests.reasoner.lanes.native.machines import disassembled

THREE = {AND: "vpandq", ANDN: "vpandnq", OR: "vporq", XOR: "vpxorq", ADD: "vpaddq"}
registers = st.integers(0, 31)
rows = st.integers(0, 300)


def body(*instructions, memory_rows=301):
    """The disassembled instructions between prologue and epilogue."""
    code = AVX512.encode(np.array(instructions, np.int32).reshape(-1, 5), memory_rows)
    found = disassembled(code, AVX512)
    assert [name for name, _ in found[-2:]] == ["vzeroupper", "ret"]
    return [one for one in found[:-2] if one[0] not in ("lea", "push", "pop")]


def row_of(code_rows, instruction, memory_rows):
    """The row that an instruction's address names, worked out from the prologue."""
    found = disassembled(AVX512.encode(np.array([*code_rows, instruction], np.int32), memory_rows), AVX512)
    points, rdi = {}, None
    for name, operands in found:
        if name == "lea":
            register, offset = re.fullmatch(r"(\w+), \[rdi \+ (\w+)\]", operands).groups()
            points[register] = int(offset, 0)
    last = [operands for _, operands in found if "zmmword" in operands][-1]
    register, sign, offset = re.search(r"\[(\w+)(?: ([+-]) (\w+))?\]", last).groups()
    byte = points.get(register, rdi) + (int(offset, 0) if offset else 0) * (-1 if sign == "-" else 1)
    assert byte % 64 == 0
    return byte // 64


@given(st.sampled_from(sorted(THREE)), registers, registers, registers)
def test_operations_on_registers_take_any_of_the_32(operation, a, b, c):
    assert body((operation, a, b, c, 0)) == [(THREE[operation], f"zmm{a}, zmm{b}, zmm{c}")]


@given(registers, registers, registers, st.integers(0, 255))
def test_a_ternary_table_is_vpternlogq_with_its_immediate(a, b, c, table):
    (name, operands), *rest = body((TERNARY, a, b, c, table))
    *written, immediate = operands.split(", ")
    assert (name, written, int(immediate, 0) & 255, rest) == (
        "vpternlogq",
        [f"zmm{a}", f"zmm{b}", f"zmm{c}"],
        table,
        [],
    )


@given(registers, registers, st.integers(1, 63))
def test_shifts_and_rotations_name_their_destination_first(a, b, by):
    assert body((SHIFT, a, 0, b, by)) == [("vpsllq", f"zmm{a}, zmm{b}, {by if by < 10 else hex(by)}")]
    assert body((ROTATE, a, 0, b, by)) == [("vprolq", f"zmm{a}, zmm{b}, {by if by < 10 else hex(by)}")]


@given(registers, registers)
def test_a_move_copies_a_register(a, b):
    assert body((MOVE, a, 0, b, 0)) == [("vmovdqu64", f"zmm{a}, zmm{b}")]


@given(registers, registers, rows, st.sampled_from([*sorted(THREE), TERNARY]))
def test_an_operand_in_memory_keeps_the_registers(a, b, row, operation):
    (name, operands), *rest = body((operation | MEMORY, a, b, row, 0))
    assert (name, rest) == (THREE.get(operation, "vpternlogq"), [])
    assert operands.startswith(f"zmm{a}, zmm{b}, zmmword ptr [")


@given(registers, rows)
def test_loads_and_stores_move_whole_rows(a, row):
    ((load, load_operands),) = body((LOAD | MEMORY, a, 0, row, 0))
    ((store, store_operands),) = body((STORE | MEMORY, row, 0, a, 0))
    assert load == store == "vmovdqu64"
    assert load_operands.startswith(f"zmm{a}, zmmword ptr [")
    assert store_operands.startswith("zmmword ptr [")
    assert store_operands.endswith(f"], zmm{a}")


@given(st.lists(st.integers(0, 9000), min_size=1, max_size=30), st.integers(0, 9000))
def test_an_address_names_the_row_however_many_windows_are_in_use(others, row):
    loads = [(LOAD | MEMORY, 0, 0, other, 0) for other in others]
    assert row_of(loads, (LOAD | MEMORY, 1, 0, row, 0), 9001) == row
    assert row_of(loads, (STORE | MEMORY, row, 0, 1, 0), 9001) == row


@pytest.mark.parametrize("windows", [1, 9, 10, 14, 20])
def test_registers_that_belong_to_the_caller_are_saved_and_restored_in_turn(windows):
    loads = [(LOAD | MEMORY, 0, 0, window * 256, 0) for window in range(windows)]
    found = disassembled(AVX512.encode(np.array(loads, np.int32), windows * 256), AVX512)
    pushed = [operand for name, operand in found if name == "push"]
    popped = [operand for name, operand in found if name == "pop"]
    assert pushed == popped[::-1] == ["rbx", "rbp", "r13", "r14", "r15"][: max(0, min(windows, 14) - 9)]


def test_rows_in_a_window_take_one_byte_of_displacement():
    near = AVX512.encode(np.array([(LOAD | MEMORY, 0, 0, 0, 0)], np.int32), 256)
    far = [(LOAD | MEMORY, 0, 0, window * 256, 0) for window in range(14) for _ in range(2)]
    all_near = AVX512.encode(np.array(far, np.int32), 10_000)
    one_far = AVX512.encode(np.array([*far, (LOAD | MEMORY, 0, 0, 9000, 0)], np.int32), 10_000)
    assert near.index(b"\x62") == 7  # one lea
    assert len(one_far) - len(all_near) == 10
