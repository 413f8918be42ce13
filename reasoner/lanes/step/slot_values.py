"""Values that each slot gives to the bases it changes: one of a slot's moves is made, and literals identify which.

If the moves have different effects, the value is an OR over the effects: one of the moves with this effect is made, and
the effect's literal holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Literals, Longs
from reasoner.circuit.graph import FALSE, GATES, TRUE, GateStore, and_, conjunction
from reasoner.kernels import kernel, subkernel
from reasoner.lanes.step.effect_slots import EffectSlot
from reasoner.lanes.step.move_effects import Effects
from reasoner.lanes.step.state_logic import StateLogic

Values = dict[int, int]
"""For each slot the value that it gives; literals."""

ROOM = 64
"""Values for whose gates memory is reserved at a time."""


class Slots(NamedTuple):
    """Slot s has the moves ``moves[start[s]]`` … ``moves[start[s + 1]]``, each with the literal that identifies it."""

    start: Longs
    moves: Longs
    told: Ints


class Exclusions(NamedTuple):
    """Base b excludes ``bases[start[b]]`` … ``bases[start[b + 1]]``, ascending."""

    start: Longs
    bases: Longs


class Found(NamedTuple):
    """For each value found the slot, the base and the literal."""

    slots: Ints
    bases: Ints
    values: Literals


def slot_values(logic: StateLogic, slots: Sequence[EffectSlot], effects: Effects, most: int) -> list[Values] | None:
    """For each base the values given by the slots that change it; None if they take more than `most` gates."""
    as_arrays = Slots(
        np.cumsum([0, *(len(slot.moves) for slot in slots)]),
        np.fromiter(chain.from_iterable(slot.moves for slot in slots), np.int64),
        np.fromiter(chain.from_iterable(slot.told for slot in slots), np.int32),
    )
    room = len(effects.bases)
    found = Found(np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32))
    excluded, at = _exclusions(logic), effects.begin.copy()
    slot, count, limit = 0, 0, len(logic.graph) + most
    step = 3 * max(len(slot.moves) for slot in slots)
    while slot < len(slots) and len(logic.graph) <= limit:
        slot, count = logic.graph.made(
            ROOM * step, values_of_slots, as_arrays, effects, at, excluded, found, slot, count, step, limit
        )
    if len(logic.graph) > limit:
        return None
    values: list[Values] = [{} for _ in effects.default]
    for slot, base, value in zip(*(row[:count].tolist() for row in found), strict=True):
        values[base][slot] = value
    return values


def _exclusions(logic: StateLogic) -> Exclusions:
    rows = [sorted(logic.circuit.excluded_by(base)) for base in range(logic.bases)]
    start = np.cumsum([0, *map(len, rows)])
    return Exclusions(start, np.fromiter(chain.from_iterable(rows), np.int64, start[-1]))


@kernel
def values_of_slots(
    store: GateStore,
    slots: Slots,
    effects: Effects,
    at: Longs,
    excluded: Exclusions,
    found: Found,
    slot: int,
    count: int,
    step: int,
    limit: int,
) -> tuple[int, int]:
    """Compute the values of slots from `slot` on while there is room; return the first slot left and the value count.

    at: [moves] where each move's remaining effects begin; step: most gates of a value; limit: the number of gates at
    which to stop.
    """
    held, told, row = np.empty(step, np.int32), np.empty(step, np.int32), np.empty(step, np.int32)
    limit = min(limit, len(store.left) - step)
    while slot < len(slots.start) - 1:
        moves = slots.moves[slots.start[slot] : slots.start[slot + 1]]
        base = _next_base(effects, at, moves)
        while base < len(effects.default):
            if store.sizes[GATES] > limit:
                return slot, count
            for i in range(len(moves)):
                k = at[moves[i]]
                changes = k < effects.end[moves[i]] and effects.bases[k] == base
                held[i] = effects.values[k] if changes else effects.default[base]
                at[moves[i]] += changes
            told[: len(moves)] = slots.told[slots.start[slot] : slots.start[slot + 1]]
            value = _value(store, excluded, told[: len(moves)], held[: len(moves)], row)
            found.slots[count], found.bases[count], found.values[count] = slot, base, value
            count += 1
            base = _next_base(effects, at, moves)
        slot += 1
    return slot, count


@subkernel
def _next_base(effects: Effects, at: Longs, moves: Longs) -> int:
    """The least remaining base of some moves' effects; past all bases if none remains."""
    base = len(effects.default)
    for move in moves:
        if at[move] < effects.end[move]:
            base = min(base, effects.bases[at[move]])
    return base


@subkernel
def _value(store: GateStore, excluded: Exclusions, told: Ints, held: Literals, row: Literals) -> int:
    """The value of the move that is made, which `told` identifies; `told`, `held` and `row` are overwritten."""
    alike = True
    for i in range(1, len(held)):
        alike = alike and held[i] == held[0]
    if alike:
        first: int = held[0]
        return first
    for i in range(len(held)):
        held[i] = _under(excluded, told[i], held[i])
    left, made = len(held), 0
    while left:
        value, count, kept = held[0], 0, 0
        for i in range(left):
            if held[i] == value:
                row[made + count] = told[i] ^ 1
                count += 1
            else:
                held[kept], told[kept] = held[i], told[i]
                kept += 1
        left = kept
        if value != FALSE:
            row[made] = and_(store, value, conjunction(store, row[made : made + count]) ^ 1) ^ 1
            made += 1
    any_of_them: int = conjunction(store, row[:made]) ^ 1
    return any_of_them


@subkernel
def _under(excluded: Exclusions, told: int, value: int) -> int:
    """Simplify a value under the condition `told`, if both are bases."""
    a, b = (told >> 1) - 1, (value >> 1) - 1
    bases = len(excluded.start) - 1
    if told & 1 or not (0 <= a < bases and 0 <= b < bases):
        return value
    if a == b:
        return (value & 1) ^ TRUE
    excluded_by = excluded.bases[excluded.start[a] : excluded.start[a + 1]]
    place = np.searchsorted(excluded_by, b)
    return value & 1 if place < len(excluded_by) and excluded_by[place] == b else value
