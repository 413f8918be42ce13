"""Register allocation while a section's tables become instructions.

The value whose next use is furthest away is spilled first (Belady 1966); a value that memory already holds counts as
further away than one that must be stored. A value that is not needed any more gives up its register and its row.

Positions count the ordered tables and draws; NEVER comes after all of them.
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
"""Words of the generator's state, each a value of its own."""

CLEAN_FACTOR = 4
"""Factor on the next use of a value that memory holds."""

NOTHING = -1
"""No register, row or value."""

REGISTER, ROW, CLEAN, OWNED, FLIP, USE, UNTIL, LAST = range(8)
"""Columns of `Room.values`:

    REGISTER  the register that holds the value, or NOTHING
    ROW       its row, or NOTHING
    CLEAN     1: the row holds the value
    OWNED     1: the row becomes free with the value
    FLIP      1: the complement is held; 0: the value itself; -1: its table may choose
    USE       the position of its next reader, or NEVER
    UNTIL     the position of the reader that an output of the value waits for, or NOTHING
    LAST      the position of its last reader
"""

HOLDS, LOCKED = range(2)
"""Columns of `Room.registers`: the value or NOTHING; 1 if it is an operand of the current table."""

COUNT, ROWS, POOLED = range(3)
"""Entries of `Room.counts`: instructions; rows in use or free; free rows."""


class Room(NamedTuple):
    """The allocation state; values are a section's nodes, those between a table's steps, the generator's words."""

    code: Ints  # [room, FIELDS] the instructions so far
    counts: Longs  # COUNT, ROWS, POOLED
    pool: Ints  # free rows, a stack
    values: Ints  # [values, 8]
    registers: Ints  # [as many as the target has, 2]
    later: Ints  # [positions, INPUTS] the next use of a table's input after it


@kernel_norefcount
def note_uses(cover: Cover, order: Ints, values: Ints, later: Ints) -> None:
    """Set the first and last use of each value, and for each position the next uses of the values used there."""
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
    """Store a value from its register, unless memory holds it."""
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
    """The position of the next reader, or of the one that an output of the value waits for; NEVER if neither exists."""
    use, until = room.values[value, USE], room.values[value, UNTIL]
    return int(use if until < 0 else min(use, until))


@device_function_norefcount
def acquire(room: Room, position: int) -> int:
    """A free register that is not locked; spills a value if there is none."""
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
    """Free a value's register and row if the value is not needed any more."""
    if next_use(room, value) != NEVER:
        return
    if room.values[value, REGISTER] >= 0:
        vacate(room, room.values[value, REGISTER])
    if room.values[value, OWNED]:
        room.values[value, OWNED] = 0
        room.pool[room.counts[POOLED]] = room.values[value, ROW]
        room.counts[POOLED] += 1
