"""Translation of a section's ordered tables to instructions: tables, random draws, and stores of results."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints
from reasoner.kernels import device_function_norefcount, kernel
from reasoner.lanes.native.instructions import (
    ADD,
    AGAIN,
    FIELDS,
    MEMORY,
    OR,
    ROTATE,
    SHIFT,
    SHIFT_RIGHT,
    STORE,
    XOR,
    append,
)
from reasoner.lanes.native.lut_instructions import compute
from reasoner.lanes.native.lut_mapping import Cover
from reasoner.lanes.native.registers import (
    CLEAN,
    COUNT,
    FLIP,
    HOLDS,
    LAST,
    LOCKED,
    NEVER,
    NOTHING,
    OWNED,
    REGISTER,
    ROW,
    STATES,
    UNTIL,
    USE,
    Room,
    acquire,
    fetch,
    keep_in_memory,
    note_uses,
    occupy,
    release,
    vacate,
)
from reasoner.lanes.native.section_outputs import Outputs
from reasoner.lanes.native.targets.selection import INPUTS, STEPS, Selection
from reasoner.lanes.native.targets.target import Target
from reasoner.lanes.section_contract import ANYWHERE


def room(
    cover: Cover, order: Ints, stored: Outputs, leaf: Ints, state: int, rows: int, pool: Ints, target: Target
) -> Room:
    """The allocation state before the first table: all leaves in memory, all registers free.

    # leaf: [leaves + 1] the literal over rows of each leaf, -1 for a random bit; state: the first row of the
    # generators' state; rows: number of rows in use or in the pool; pool: the free rows
    """
    nodes, draws = len(cover.uses), int((order < 0).sum())
    values = np.full((nodes + STEPS + STATES, 8), NOTHING, np.int32)
    values[:, (CLEAN, OWNED)] = 0
    values[:, USE] = NEVER
    values[: cover.first, ROW] = leaf >> 1
    values[: cover.first, FLIP] = np.where(leaf >= 0, leaf & 1, 0)
    values[cover.first : nodes, FLIP] = stored.flip[cover.first : nodes]
    values[nodes + STEPS :, ROW] = np.arange(state, state + STATES)
    values[:, CLEAN] = values[:, ROW] >= 0
    later = np.full((len(order), INPUTS), NEVER, np.int32)
    note_uses(cover, order, values, later)
    longest = 20 * len(order) + 20 * draws + 4 * len(stored.row) + 16  # instructions, an upper bound
    if target.stretch:
        longest += (longest // target.stretch + 1) * (target.registers + 1)
    held = np.zeros((target.registers, 2), np.int32)
    held[:, HOLDS] = NOTHING
    free = np.concatenate([pool, np.zeros(len(order) + len(stored.row), np.int32)])
    counts = np.array([0, rows, len(pool)], np.int64)
    return Room(np.zeros((longest, FIELDS), np.int32), counts, free, values, held, later)


@kernel
def allocate(
    room: Room, cover: Cover, order: Ints, stored: Outputs, draws: Ints, stretch: int, selection: Selection
) -> None:
    """Append the tables' instructions to `room`, in order.

    # draws: [random bits] the leaf of each bit, or -1 if nothing reads the bit; stretch: see `Target`
    """
    waiting = np.full(len(room.values), NOTHING, np.int32)  # for each leaf the value to store after the leaf's readers
    begun = 0
    for position in range(len(order)):
        if stretch and room.counts[COUNT] - begun >= stretch:
            _end_stretch(room)
            begun = int(room.counts[COUNT])
        node = int(order[position])
        if node < 0:
            _draw(room, draws[-1 - node], position, selection.rotate)
        else:
            compute(room, cover, node, position, selection)
            _write(room, stored, waiting, node)
            _finish(room, cover, stored, waiting, node, position)
        for register in range(len(room.registers)):
            room.registers[register, LOCKED] = 0
    for value in range(len(room.values) - STATES, len(room.values)):
        if room.values[value, REGISTER] >= 0:
            keep_in_memory(room, value)


@device_function_norefcount
def _end_stretch(room: Room) -> None:
    """End a stretch: store all values that are still needed, because registers then serve the next part of the rows."""
    for register in range(len(room.registers)):
        if room.registers[register, HOLDS] >= 0:
            keep_in_memory(room, room.registers[register, HOLDS])
            vacate(room, register)
    append(room.code, room.counts, AGAIN, 0, 0, 0, 0)


@device_function_norefcount
def _write(room: Room, stored: Outputs, waiting: Ints, node: int) -> None:
    """Store the outputs of a value just computed; an output in a leaf's row waits for the last reader of the leaf."""
    k = stored.first[node]
    while k >= 0:
        after = stored.after[k]
        if stored.row[k] == ANYWHERE:
            keep_in_memory(room, node)
            room.values[node, OWNED] = 0
        elif after >= 0 and room.values[after, USE] != NEVER:
            waiting[after] = node
            room.values[node, UNTIL] = max(room.values[node, UNTIL], room.values[after, LAST])
        else:
            _store_at(room, node, stored.row[k])
        k = stored.following[k]


@device_function_norefcount
def _store_at(room: Room, value: int, row: int) -> None:
    """Store a value from its register in a given row."""
    append(room.code, room.counts, STORE | MEMORY, row, 0, room.values[value, REGISTER], 0)
    if not room.values[value, CLEAN]:
        room.values[value, ROW] = row
        room.values[value, CLEAN] = 1


@device_function_norefcount
def _finish(room: Room, cover: Cover, stored: Outputs, waiting: Ints, node: int, position: int) -> None:
    """Finish a table: store the outputs that waited for it, and release the inputs of which it was the last reader."""
    for i in range(INPUTS):
        leaf = cover.inputs[node - cover.first, i]
        if leaf >= 0:
            value = int(waiting[leaf])
            if value >= 0 and room.values[leaf, USE] == NEVER:
                waiting[leaf] = NOTHING
                _store_late(room, stored, value, leaf, position)
            release(room, leaf)
    release(room, node)


@device_function_norefcount
def _store_late(room: Room, stored: Outputs, value: int, leaf: int, position: int) -> None:
    """Store a value in the row of a leaf after the leaf's last reader."""
    fetch(room, value, position)
    k = stored.first[value]
    while stored.after[k] != leaf:
        k = stored.following[k]
    _store_at(room, value, stored.row[k])
    if room.values[value, UNTIL] <= position:
        room.values[value, UNTIL] = NOTHING
    release(room, value)


@device_function_norefcount
def _draw(room: Room, leaf: int, position: int, rotate: bool) -> None:
    """Draw the next random row for a leaf: xoshiro256+ as in `reasoner.lanes.rows.row_random`."""
    first = len(room.values) - STATES
    for k in range(STATES):
        fetch(room, first + k, position)
        room.values[first + k, USE] = room.later[position, 0]
        room.values[first + k, CLEAN] = 0
    s0, s1 = room.values[first, REGISTER], room.values[first + 1, REGISTER]
    s2, s3 = room.values[first + 2, REGISTER], room.values[first + 3, REGISTER]
    code, counts = room.code, room.counts
    if leaf >= 0:
        register = acquire(room, position)
        occupy(room, register, leaf)
        append(code, counts, ADD, register, s0, s3, 0)
    shifted = acquire(room, position)
    append(code, counts, SHIFT, shifted, 0, s1, 17)
    append(code, counts, XOR, s2, s2, s0, 0)
    append(code, counts, XOR, s3, s3, s1, 0)
    append(code, counts, XOR, s1, s1, s2, 0)
    append(code, counts, XOR, s0, s0, s3, 0)
    append(code, counts, XOR, s2, s2, shifted, 0)
    if rotate:
        append(code, counts, ROTATE, s3, 0, s3, 45)
    else:
        append(code, counts, SHIFT, shifted, 0, s3, 45)
        append(code, counts, SHIFT_RIGHT, s3, 0, s3, 64 - 45)
        append(code, counts, OR, s3, s3, shifted, 0)
