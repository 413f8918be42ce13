"""Instruction selection for one table.

On a target with TERNARY, one instruction computes any table and overwrites an input. The allocator picks an input that
is not read again, if there is one. Two-input tables use AND, ANDN, OR and XOR, which overwrite no input; these suffice
because registers and rows may contain the complements of values. An input that is not in a register becomes a memory
operand. It is loaded only if a second input is not in a register, or if it is read again soon. Other targets use
sequences of steps (`lut_steps`).
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints
from reasoner.kernels import device_function_norefcount
from reasoner.lanes.native.instructions import AND, ANDN, LOAD, MEMORY, MOVE, OR, TERNARY, XOR, append
from reasoner.lanes.native.lut_mapping import Cover
from reasoner.lanes.native.lut_steps import SOON, by_steps
from reasoner.lanes.native.registers import (
    FLIP,
    LOCKED,
    NEVER,
    REGISTER,
    ROW,
    USE,
    Room,
    acquire,
    fetch,
    next_use,
    occupy,
    vacate,
)
from reasoner.lanes.native.targets.selection import IDENTITY, INPUTS, Selection

NONE = -1
"""Marks the absence of an input."""

SECOND_COMPLEMENTED = 0x55
"""The immediate for which TERNARY complements its second operand."""


def _operations() -> Ints:
    """Map each two-input table, bit ``2x + y``, to the operation that computes it, or NONE."""
    found = np.full(16, NONE, np.int32)
    found[[0b1000, 0b1110, 0b0110, 0b0010]] = AND, OR, XOR, ANDN
    return found


OPERATIONS = _operations()


@device_function_norefcount
def compute(room: Room, cover: Cover, node: int, position: int, selection: Selection) -> None:
    """Append the instructions that compute a node.  # position: the node's index in the order."""
    inputs = cover.inputs[node - cover.first]
    table, size = int(cover.table[node - cover.first]), 0
    for i in range(INPUTS):
        if inputs[i] >= 0:
            size += 1
            if room.values[inputs[i], FLIP] == 1:
                table = _flipped(table, i)
            if room.values[inputs[i], REGISTER] >= 0:
                room.registers[room.values[inputs[i], REGISTER], LOCKED] = 1
    if room.values[node, FLIP] < 0:
        room.values[node, FLIP] = table & 1
    if room.values[node, FLIP]:
        table ^= 0xFF
    if selection.ternary:
        _at_once(room, inputs, size, table, position, node)
    else:
        by_steps(room, inputs, size, table, position, node, selection)


@device_function_norefcount
def _at_once(room: Room, inputs: Ints, size: int, table: int, position: int, node: int) -> None:
    """Compute a node by one instruction.

    inputs, size, table: the operands, their number, and the table over the stored operands, which may be complements;
    position: in the order; node: the node of the result.
    """
    folded = _loaded(room, inputs, size, position)
    for i in range(size):
        room.values[inputs[i], USE] = room.later[position, i]
    if size == 3:
        register = _ternary(room, inputs, folded, table, position)
    elif size == 2:
        register = _binary(room, inputs, folded, table, position)
    else:
        register = _unary(room, inputs, size, table, position)
    occupy(room, register, node)


@device_function_norefcount
def _flipped(table: int, i: int) -> int:
    """The table with input `i` complemented."""
    mask, shift = int(IDENTITY[i]), 4 >> i
    return (table & mask) >> shift | (table << shift & mask)


@device_function_norefcount
def _loaded(room: Room, inputs: Ints, size: int, position: int) -> int:
    """Load the inputs that must be in registers; return the input that the instruction reads from memory, or NONE.

    If several inputs are in memory, all but the one with the furthest next use are loaded. If a single input is in
    memory, it is loaded if it is read again soon.
    """
    folded, furthest, missing = NONE, -1, 0
    for i in range(size):
        if room.values[inputs[i], REGISTER] < 0:
            missing += 1
            if room.later[position, i] > furthest:
                folded, furthest = i, room.later[position, i]
    if missing == 1 and furthest - position <= SOON:
        folded = NONE
    if size > 1:
        for i in range(size):
            if i != folded:
                fetch(room, inputs[i], position)
    return folded


@device_function_norefcount
def _target(room: Room, inputs: Ints, over: int, position: int) -> int:
    """The register for the result: the register of input `over`, which is not read again; a new one if it is NONE."""
    if over < 0:
        return acquire(room, position)
    register = int(room.values[inputs[over], REGISTER])
    vacate(room, register)
    return register


@device_function_norefcount
def _dying(room: Room, inputs: Ints, size: int) -> int:
    """An input that is in a register and is not read again, or NONE."""
    for i in range(size):
        if room.values[inputs[i], REGISTER] >= 0 and next_use(room, inputs[i]) == NEVER:
            return i
    return NONE


@device_function_norefcount
def _put(room: Room, operation: int, target: int, first: int, value: int, immediate: int) -> None:
    """Append an instruction whose second operand is a value in a register or in memory."""
    register = room.values[value, REGISTER]
    if register >= 0:
        append(room.code, room.counts, operation, target, first, register, immediate)
    else:
        append(room.code, room.counts, operation | MEMORY, target, first, room.values[value, ROW], immediate)


@device_function_norefcount
def _ternary(room: Room, inputs: Ints, folded: int, table: int, position: int) -> int:
    """Compute a three-input table; return its register."""
    over = _dying(room, inputs, 3)
    copied = over < 0
    target = _target(room, inputs, over, position)
    if copied:
        over, folded = max(folded, 0), NONE
        kept = room.values[inputs[over], REGISTER] >= 0
        _put(room, MOVE if kept else LOAD, target, 0, inputs[over], 0)
    first = (over + 1) % 3
    second = 3 - over - first
    if first == folded:
        first, second = second, first
    immediate = _permuted(table, over, first, second)
    _put(room, TERNARY, target, room.values[inputs[first], REGISTER], inputs[second], immediate)
    return target


@device_function_norefcount
def _permuted(table: int, a: int, b: int, c: int) -> int:
    """The table with inputs `a`, `b`, `c` as the first, the second and the third."""
    result = 0
    for values in range(8):
        index = (values >> 2 & 1) << (2 - a) | (values >> 1 & 1) << (2 - b) | (values & 1) << (2 - c)
        result |= (table >> index & 1) << values
    return result


@device_function_norefcount
def _binary(room: Room, inputs: Ints, folded: int, table: int, position: int) -> int:
    """Compute a two-input table; return its register."""
    x, y = (1, 0) if folded == 0 else (0, 1)
    value = _permuted(table, 2, x, y) & 15
    if value == 0b0100 and folded < 0:
        x, y, value = y, x, 0b0010
    first = room.values[inputs[x], REGISTER]
    second, memory = int(room.values[inputs[y], REGISTER]), 0
    if folded >= 0:
        second, memory = int(room.values[inputs[y], ROW]), MEMORY
    target = _target(room, inputs, _dying(room, inputs, 2), position)
    operation = int(OPERATIONS[value])
    if operation < 0:
        operation = TERNARY
    append(room.code, room.counts, operation | memory, target, first, second, value << 4 | value)
    return target


@device_function_norefcount
def _unary(room: Room, inputs: Ints, size: int, table: int, position: int) -> int:
    """Compute a copy of one input, or a constant; return its register."""
    target = acquire(room, position)
    if size == 0 or table == 0 or table == 0xFF:
        append(room.code, room.counts, TERNARY, target, target, target, table)
    elif table != IDENTITY[0]:
        _put(room, TERNARY, target, target, inputs[0], SECOND_COMPLEMENTED)
    else:
        kept = room.values[inputs[0], REGISTER] >= 0
        _put(room, MOVE if kept else LOAD, target, 0, inputs[0], 0)
    return target
