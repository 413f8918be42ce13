"""Instructions of one table on targets that need a sequence of *steps* (`reasoner.lanes.native.targets.selection`).

Within the sequence, too, a register is free for the next result as soon as its value is not read again. An input that
is not in a register becomes a memory operand if the target has memory operands, the table's sequence allows one, and
the input is not read again soon.
"""

from __future__ import annotations

from reasoner.arrays import Ints
from reasoner.kernels import device_function_norefcount
from reasoner.lanes.native.instructions import (
    AND,
    INSERT,
    INSERT_NOT,
    LOAD,
    MEMORY,
    MOVE,
    OR,
    SELECT,
    XOR,
    append,
)
from reasoner.lanes.native.registers import (
    NEVER,
    REGISTER,
    ROW,
    STATES,
    USE,
    Room,
    acquire,
    fetch,
    next_use,
    occupy,
    vacate,
)
from reasoner.lanes.native.targets.selection import DONE, IDENTITY, INPUTS, STEP_OPERATION, STEPS, Selection

SOON = 8
"""A value in memory is loaded if it is read again within this many positions of the order."""


@device_function_norefcount
def by_steps(room: Room, inputs: Ints, size: int, table: int, position: int, node: int, selection: Selection) -> None:
    """Compute a node by the steps of its table.

    inputs, size, table: the operands, their number, and the table over the stored operands, which may be complements;
    position: the node's index in the order; node: the node of the result.
    """
    copied = _copied(table)
    if copied < 0:
        _bring(room, inputs, size, position, int(selection.folds[table]) if selection.memory else 1)
    for i in range(size):
        room.values[inputs[i], USE] = room.later[position, i]
    if copied >= 0:
        _copy(room, int(inputs[copied]), position, node)
        return
    steps, between = selection.steps[table], len(room.values) - STATES - STEPS - INPUTS
    for k in range(STEPS):
        if steps[k, STEP_OPERATION] < 0:
            return
        last = k + 1 == STEPS or steps[k + 1, STEP_OPERATION] < 0
        _step(room, inputs, steps[k], between, position, node if last else between + INPUTS + k)


@device_function_norefcount
def _copied(table: int) -> int:
    """The input that a table is a copy of, or -1."""
    for i in range(INPUTS):
        if table == IDENTITY[i]:
            return i
    return -1


@device_function_norefcount
def _bring(room: Room, inputs: Ints, size: int, position: int, folds: int) -> None:
    """Load the inputs that must be in registers; inputs with the furthest next uses stay in memory if `folds` allows.

    inputs, size: the operands; position: in the order; folds: if bit s is set, the inputs in the set of bits s may all
    be in memory.
    """
    folded, tried = 0, 0
    for _ in range(size):
        furthest, chosen = -1, -1
        for i in range(size):
            if room.values[inputs[i], REGISTER] < 0 and not tried >> i & 1 and room.later[position, i] > furthest:
                furthest, chosen = room.later[position, i], i
        if chosen >= 0:
            tried |= 1 << chosen
            if furthest - position > SOON and folds >> (folded | 1 << chosen) & 1:
                folded |= 1 << chosen
    for i in range(size):
        if not folded >> i & 1:
            fetch(room, inputs[i], position)


@device_function_norefcount
def _copy(room: Room, value: int, position: int, node: int) -> None:
    """Copy a value to a new register for a node."""
    target, register = acquire(room, position), room.values[value, REGISTER]
    if register >= 0:
        append(room.code, room.counts, MOVE, target, 0, register, 0)
    else:
        append(room.code, room.counts, LOAD | MEMORY, target, 0, room.values[value, ROW], 0)
    occupy(room, target, node)


@device_function_norefcount
def _step(room: Room, inputs: Ints, step: Ints, between: int, position: int, result: int) -> None:
    """Append the instruction of one step.

    inputs: the table's inputs; step: a row of `Selection.steps`; between: a source s that is not an input is the value
    ``between + s``; position: in the order; result: the value that receives the result.
    """
    operation = step[STEP_OPERATION]
    if operation == SELECT:
        _select(room, inputs, step, between, position, result)
        return
    x, y, z = _value(inputs, step[1], between), _value(inputs, step[2], between), _value(inputs, step[3], between)
    if y < 0 or (operation in (AND, OR, XOR) and room.values[x, REGISTER] < 0):
        x, y = y, x  # a single operand must be the second; of two operands only the second may be in memory
    first, second, third = _register(room, x), _register(room, y), _register(room, z)
    if y >= 0 and second < 0:
        operation, second = operation | MEMORY, room.values[y, ROW]
    for source in step[1:DONE]:
        if _dies(room, inputs, source, step[DONE], between):
            vacate(room, room.values[_value(inputs, source, between), REGISTER])
    target = acquire(room, position)
    append(room.code, room.counts, operation, target, max(first, 0), max(second, 0), max(third, 0))
    occupy(room, target, result)


@device_function_norefcount
def _value(inputs: Ints, source: int, between: int) -> int:
    """The value of a source, or -1 for none."""
    if source < 0:
        return -1
    return int(inputs[source]) if source < INPUTS else between + source


@device_function_norefcount
def _register(room: Room, value: int) -> int:
    """The register that holds a value, or -1."""
    return int(room.values[value, REGISTER]) if value >= 0 else -1


@device_function_norefcount
def _dies(room: Room, inputs: Ints, source: int, done: int, between: int) -> bool:
    """Whether a source is in a register and is not read after the current step.

    inputs, between: as in `_step`; done: the inputs that no later step reads, as bits.
    """
    value = _value(inputs, source, between)
    if _register(room, value) < 0:
        return False
    return source >= INPUTS or (done >> source & 1 == 1 and next_use(room, value) == NEVER)


@device_function_norefcount
def _select(room: Room, inputs: Ints, step: Ints, between: int, position: int, result: int) -> None:
    """Append the instruction of a choice between two values; it overwrites a source that is not read again, if any.

    inputs, step, between, position, result: as in `_step`.
    """
    condition = _register(room, _value(inputs, step[1], between))
    then = _register(room, _value(inputs, step[2], between))
    otherwise = _register(room, _value(inputs, step[3], between))
    operation, target, first, second = MOVE, -1, 0, condition
    for k, one, x, y in (
        (2, INSERT_NOT, otherwise, condition),
        (3, INSERT, then, condition),
        (1, SELECT, then, otherwise),
    ):
        if _dies(room, inputs, step[k], step[DONE], between):
            target = _register(room, _value(inputs, step[k], between))
            vacate(room, target)
            operation, first, second = one, x, y
    if target < 0:
        target = acquire(room, position)
        append(room.code, room.counts, MOVE, target, 0, condition, 0)
        operation, first, second = SELECT, then, otherwise
    append(room.code, room.counts, operation, target, first, second, 0)
    occupy(room, target, result)
