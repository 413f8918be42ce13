"""For AArch64 a disassembler reads back the requested instructions."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.lanes.native.instructions import (
    ADD,
    AGAIN,
    AND,
    ANDN,
    INSERT,
    INSERT_NOT,
    LOAD,
    MEMORY,
    MOVE,
    NOT,
    ONES,
    OR,
    ORN,
    SELECT,
    SHIFT,
    SHIFT_RIGHT,
    STORE,
    XOR,
    XOR3,
    XOR_ANDN,
    ZEROS,
)
from reasoner.lanes.native.targets import NEON
from reasoner.lanes.native.targets.neon import POINTERS, WINDOW
from tests.reasoner.lanes.native.machines import disassembled

THREE = {AND: "and", OR: "orr", XOR: "eor", SELECT: "bsl", INSERT: "bit", INSERT_NOT: "bif"}
SWAPPED = {ANDN: "bic", ORN: "orn"}
registers = st.integers(0, 31)
caller_saved = st.integers(16, 31)
LOOP = ["add", "tst", "b.ne", "sub", "ret"]


def encoded(*instructions, rows=1):
    return disassembled(NEON.encode(np.array(instructions, np.int32).reshape(-1, 5), rows), NEON)


def body(*instructions):
    """The disassembled instructions before the loop's end, of a section that needs no register of the caller's."""
    found = encoded(*instructions)
    assert [name for name, _ in found[-5:]] == LOOP
    return found[:-5]


def bytewise(*numbers):
    return ", ".join(f"v{number}.16b" for number in numbers)


@given(st.sampled_from(sorted(THREE)), caller_saved, registers, registers)
def test_operations_on_registers_take_any_of_the_32(operation, a, b, c):
    expected = ("mov", bytewise(a, b)) if operation == OR and b == c else (THREE[operation], bytewise(a, b, c))
    assert body((operation, a, b, c, 0)) == [expected]


@given(st.sampled_from(sorted(SWAPPED)), caller_saved, registers, registers)
def test_what_complements_its_first_operand_writes_it_second(operation, a, b, c):
    assert body((operation, a, b, c, 0)) == [(SWAPPED[operation], bytewise(a, c, b))]


@given(caller_saved, registers, registers, registers)
def test_with_sha3_three_operands_are_combined_at_once(a, b, c, d):
    assert body((XOR3, a, b, c, d)) == [("eor3", bytewise(a, b, c, d))]
    assert body((XOR_ANDN, a, b, c, d)) == [("bcax", bytewise(a, b, c, d))]


@given(caller_saved, registers, st.integers(1, 63))
def test_sums_and_shifts_are_of_words(a, b, by):
    count = by if by < 10 else hex(by)
    assert body((SHIFT, a, 0, b, by)) == [("shl", f"v{a}.2d, v{b}.2d, #{count}")]
    assert body((SHIFT_RIGHT, a, 0, b, by)) == [("ushr", f"v{a}.2d, v{b}.2d, #{count}")]
    assert body((ADD, a, b, by % 32, 0)) == [("add", f"v{a}.2d, v{b}.2d, v{by % 32}.2d")]


@given(caller_saved, registers)
def test_copies_complements_and_constants_name_their_register(a, b):
    assert body((MOVE, a, 0, b, 0)) == [("mov", bytewise(a, b))]
    assert body((NOT, a, 0, b, 0)) == [("mvn", bytewise(a, b))]
    assert body((ZEROS, a, 0, 0, 0)) == [("movi", f"v{a}.2d, #0000000000000000")]
    assert body((ONES, a, 0, 0, 0)) == [("movi", f"v{a}.2d, #0xffffffffffffffff")]


@given(st.lists(st.integers(0, 40_000), min_size=1, max_size=40), st.integers(0, 40_000))
def test_an_address_names_the_row_however_many_windows_are_in_use(others, row):
    loads = [(LOAD | MEMORY, 0, 0, other, 0) for other in others]
    for last in ((LOAD | MEMORY, 1, 0, row, 0), (STORE | MEMORY, row, 0, 1, 0)):
        assert row_of(encoded(*loads, last, rows=40_001)) == row


def row_of(found):
    """The row of the last load or store, worked out from what comes before it."""
    at, last = {"x0": 0}, None
    for name, operands in found:
        if name in ("mov", "movz") and operands.startswith("x"):
            register, number = re.fullmatch(r"(x\d+), #(\w+)(?:, lsl #16)?", operands).groups()
            at[register] = int(number, 0) << (16 if "lsl" in operands else 0)
        elif name == "add" and (summed := re.fullmatch(r"(x\d+), x0, (x\d+)", operands)):
            assert summed[1] == summed[2]
        elif name in ("ldr", "str"):
            register, offset = re.fullmatch(r"q\d+, \[(x\d+)(?:, #(\w+))?\]", operands).groups()
            last = at[register] + int(offset or "0", 0)
    assert last % 64 == 0
    return last // 64


@pytest.mark.parametrize(("highest", "pairs"), [(7, 0), (8, 1), (9, 1), (10, 2), (15, 4), (31, 0)])
def test_registers_that_belong_to_the_caller_are_saved_and_restored(highest, pairs):
    found = encoded((ONES, highest, 0, 0, 0))
    assert [name for name, _ in found].count("stp") == [name for name, _ in found].count("ldp") == pairs
    taken = [operands for name, operands in found if name == "sub" and operands.startswith("sp")]
    assert taken == ["sp, sp, #0x40"] * (pairs > 0)


def test_each_stretch_is_run_again_from_where_it_begins():
    """Each time all registers that point into rows are 16 bytes further on, and after it where they were."""
    rows = POINTERS * WINDOW
    found = encoded((LOAD | MEMORY, 20, 0, rows - 1, 0), (AGAIN, 0, 0, 0, 0), (MOVE, 21, 0, 22, 0), rows=rows)
    names = [name for name, _ in found]
    assert [operands for name, operands in found if name == "add"][1:] == ["x0, x0, #0x10", "x1, x1, #0x10"] * 2
    assert [operands for name, operands in found if name == "sub"] == ["x0, x0, #0x40", "x1, x1, #0x40"] * 2
    back = [int(operands[1:], 0) // 4 for name, operands in found if name == "b.ne"]
    assert [names[place] for place in back] == ["ldr", "mov"]
