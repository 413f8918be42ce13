"""Register allocation while a section's tables become instructions.

The value whose next use is furthest away is spilled first (Belady 1966). A value that is also in memory counts as
further away than a value that must be stored. A value that is no longer needed frees its register and its row.

A position is an index into the ordered tables and draws; NEVER comes after all positions.
"""

from __future__ import annotations

from typing import NamedTuple

from reasoner.arrays import Ints, Longs
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.lanes.native.instructions import LOAD, MEMORY, STORE, append
from reasoner.lanes.native.lut_mapping import Cover
from reasoner.lanes.native.targets.selection import INPUTS

NEVER = 2**30

STATES = 4
"""Number of words of the generators' state; each word is a value of its own."""

CLEAN_FACTOR = 4
"""Factor on the distance to the next use of a value that is in memory."""

NOTHING = -1
"""Marks the absence of a register, row or value."""

REGISTER, ROW, CLEAN, OWNED, FLIP, USE, UNTIL, LAST = range(8)
"""Columns of `Room.values`:

    REGISTER  the register that contains the value, or NOTHING
    ROW       the row of the value, or NOTHING
    CLEAN     1: the row contains the value
    OWNED     1: the row becomes free when the value is no longer needed
    FLIP      1: register and row contain the complement; 0: the value itself; -1: the value's table may choose
    USE       the position of its next reader, or NEVER
    UNTIL     the position of the reader that an output of the value waits for, or NOTHING
    LAST      the position of its last reader
"""

HOLDS, LOCKED = range(2)
"""Columns of `Room.registers`: the value or NOTHING; 1 if the value is an operand of the current table."""

COUNT, ROWS, POOLED = range(3)
"""Entries of `Room.counts`: number of instructions; of rows, in use or free; of free rows."""


class Room(NamedTuple):
    """The allocation state. Values are a section's nodes, the results of a table's steps, and the generators' words."""

    code: Ints  # [room, FIELDS] the instructions so far
    counts: Longs  # COUNT, ROWS, POOLED
    pool: Ints  # free rows, a stack
    values: Ints  # [values, 8] columns REGISTER … LAST
    registers: Ints  # [registers of the target, 2] columns HOLDS, LOCKED
    later: Ints  # [positions, INPUTS] for each input of the table at a position its next use after this position


@kernel_norefcount
def note_uses(cover: Cover, order: Ints, values: Ints, later: Ints) -> None:
    """Set the first and last use of each value, and for each position the next uses of the values that it uses."""
    first_state = len(values) - STATES
    for position in range(len(order) - 1, -1, -1):
        if order[position] < 0:
            later[position, 0] = values[first_state, USE]
            for k in range(STATES):
                values[first_state + k, USE] = position
            continue
        table = order[position] - cover.first
        for i in range(INPUTS):
            node = cover.inputs[table, i]
            if node >= 0:
                later[position, i] = values[node, USE]
        for i in range(INPUTS):
            node = cover.inputs[table, i]
            if node >= 0:
                values[node, USE] = position
                values[node, LAST] = max(values[node, LAST], position)


@device_function_norefcount
def keep_in_memory(room: Room, value: int) -> None:
    """Store a value from its register, unless it is in memory already."""
    if not room.values[value, CLEAN]:
        if room.values[value, ROW] < 0:
            room.values[value, ROW] = _new_row(room)
            room.values[value, OWNED] = 1
        append(room.code, room.counts, STORE | MEMORY, room.values[value, ROW], 0, room.values[value, REGISTER], 0)
        room.values[value, CLEAN] = 1


@device_function_norefcount
def _new_row(room: Room) -> int:
    """A row that is not in use."""
    if room.counts[POOLED]:
        room.counts[POOLED] -= 1
        return int(room.pool[room.counts[POOLED]])
    room.counts[ROWS] += 1
    return int(room.counts[ROWS]) - 1


@device_function_norefcount
def next_use(room: Room, value: int) -> int:
    """The position where a value is next read, or from where an output may store it; NEVER if there is neither."""
    use, until = room.values[value, USE], room.values[value, UNTIL]
    return int(use if until < 0 else min(use, until))


@device_function_norefcount
def acquire(room: Room, position: int) -> int:
    """A free register; if there is none, spills a value that is not locked."""
    furthest, victim = -1, -1
    for register in range(len(room.registers)):
        value = room.registers[register, HOLDS]
        if value < 0:
            return register
        distance = next_use(room, value) - position
        if room.values[value, CLEAN]:
            distance *= CLEAN_FACTOR
        if not room.registers[register, LOCKED] and distance > furthest:
            furthest, victim = distance, register
    keep_in_memory(room, room.registers[victim, HOLDS])
    vacate(room, victim)
    return victim


@device_function_norefcount
def occupy(room: Room, register: int, value: int) -> None:
    """Assign a free register to a value, an operand or the result of the current table."""
    room.registers[register, HOLDS] = value
    room.registers[register, LOCKED] = 1
    room.values[value, REGISTER] = register


@device_function_norefcount
def vacate(room: Room, register: int) -> None:
    """Free a register."""
    room.values[room.registers[register, HOLDS], REGISTER] = NOTHING
    room.registers[register, HOLDS] = NOTHING


@device_function_norefcount
def fetch(room: Room, value: int, position: int) -> None:
    """Load a value into a register if needed, and lock it."""
    register = int(room.values[value, REGISTER])
    if register < 0:
        register = acquire(room, position)
        append(room.code, room.counts, LOAD | MEMORY, register, 0, room.values[value, ROW], 0)
        occupy(room, register, value)
    room.registers[register, LOCKED] = 1


@device_function_norefcount
def release(room: Room, value: int) -> None:
    """Free a value's register and row if the value is no longer needed."""
    if next_use(room, value) != NEVER:
        return
    if room.values[value, REGISTER] >= 0:
        vacate(room, room.values[value, REGISTER])
    if room.values[value, OWNED]:
        room.values[value, OWNED] = 0
        room.pool[room.counts[POOLED]] = room.values[value, ROW]
        room.counts[POOLED] += 1
