"""Instruction selection: the cheapest sequence of a target's operations for each three-input table, and its cost.

Bit ``4 a + 2 b + c`` of a table is its value for the inputs a, b, c. Dynamic programming over costs finds the cheapest
formula, in which each intermediate value is read once (Knuth, TAOCP 7.1.2, "Boolean evaluation"). Reading intermediate
values twice does not save operations for any function of three inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs, Singles
from reasoner.lanes.native.instructions import AND, ANDN, OR, SELECT, XOR, XOR3

INPUTS = 3

IDENTITY = np.array([0xF0, 0xCC, 0xAA], np.int16)
"""The tables of the three inputs themselves."""

STEPS = 6
"""Operations of the longest sequence."""

STEP_FIELDS = 5
STEP_OPERATION, DONE = 0, 4
"""Columns of a step. The columns between these two are its sources: the number of an input, INPUTS + the number of an
earlier step, or -1. DONE: bit i is set if the step reads input i and no later step reads it."""

UNIT = 20
"""Cost of a normal instruction as an integer; expensive instructions cost more."""

COMMUTATIVE = (AND, OR, XOR)


class Selection(NamedTuple):
    """A target's data for kernels."""

    cost: Singles  # [256] cost of a table in instructions
    weight: Ints  # [256] cost of a table in units of 1/UNIT instruction, at least UNIT
    steps: Ints  # [256, STEPS, STEP_FIELDS] the operations of a table, then -1; unused if `ternary`
    folds: Ints  # [256] bit s is set if all inputs in s, a bit mask of inputs, may be read from memory
    ternary: bool  # one instruction, TERNARY, computes any table, and overwrites an input
    memory: bool  # the second operand may be a row
    rotate: bool  # the target has ROTATE; else it has SHIFT, SHIFT_RIGHT and OR


class Operation(NamedTuple):
    """A bitwise operation of a target, which computes tables from tables in the same way as rows from rows."""

    number: int
    function: Callable[..., Any]  # maps `sources` tables to a table
    sources: int
    cost: int = UNIT


BASIC = (
    Operation(AND, lambda x, y: x & y, 2),
    Operation(ANDN, lambda x, y: ~x & y, 2),
    Operation(OR, lambda x, y: x | y, 2),
    Operation(XOR, lambda x, y: x ^ y, 2),
)
"""The operations of every target without TERNARY."""


def any_table(*, memory: bool, rotate: bool) -> Selection:
    """The selection of a target that computes every table in one instruction."""
    weight = np.full(256, UNIT, np.int32)
    steps, folds = np.full((256, STEPS, STEP_FIELDS), -1, np.int32), np.zeros(256, np.int32)
    return Selection(_instructions(weight), weight, steps, folds, True, memory, rotate)


def sequences(operations: Sequence[Operation], *, memory: bool, rotate: bool) -> Selection:
    """The selection of a target with these operations."""
    cost, chosen = _formulas(operations)
    steps = np.full((256, STEPS, STEP_FIELDS), -1, np.int32)
    for table in range(256):
        for place, step in enumerate(_flattened(table, chosen)):
            steps[table, place] = step
    folds = np.array([_foldable(steps[table]) for table in range(256)], np.int32)
    weight = np.maximum(np.minimum(cost, cost[::-1]), UNIT).astype(np.int32)  # complements may be stored instead
    return Selection(_instructions(weight), weight, steps, folds, False, memory, rotate)


def _instructions(weight: Ints) -> Singles:
    return (weight / UNIT).astype(np.float32)


Formulas = dict[int, tuple[int, tuple[int, ...]]]
"""For each table the operation that computes it, and the tables of its sources."""


def _formulas(operations: Sequence[Operation]) -> tuple[Longs, Formulas]:
    """The cost of each table, and its formula; inputs cost nothing."""
    cost = np.full(256, 2**30, np.int64)
    cost[IDENTITY] = 0
    chosen: Formulas = {}
    improved = True
    while improved:
        improved = False
        for operation in operations:
            for table, total, sources in _made(operation, cost):
                if total < cost[table]:
                    cost[table], chosen[table], improved = total, (operation.number, sources), True
    return cost, chosen


def _made(operation: Operation, cost: Longs) -> list[tuple[int, int, tuple[int, ...]]]:
    """The tables that an operation computes from tables of known cost: table, least total cost, sources."""
    if not operation.sources:
        return [(operation.function(), operation.cost, ())]
    reach = UNIT if operation.sources > 2 else 2**30 - 1  # operands of three-source operations: at most one instruction
    known = np.flatnonzero(cost <= reach)
    grids = np.meshgrid(*[known] * operation.sources, indexing="ij")
    made = (operation.function(*grids) & 0xFF).ravel()
    total = operation.cost + np.sum([cost[grid.ravel()] for grid in grids], axis=0)
    order = np.lexsort((np.arange(len(made)), total, made))
    first = order[np.flatnonzero(np.diff(made[order], prepend=-1))]
    sources = np.stack([grid.ravel()[first] for grid in grids], axis=1)
    return list(zip(made[first].tolist(), total[first].tolist(), map(tuple, sources.tolist()), strict=True))


def _flattened(table: int, chosen: Formulas) -> list[list[int]]:
    """The steps of a table, each after the steps that it reads; the longer part of a formula comes first."""
    steps: list[list[int]] = []
    if table in chosen:
        _put(table, chosen, steps)
    for k, step in enumerate(steps):
        later = {source for following in steps[k + 1 :] for source in following[1:]}
        step.append(sum(1 << i for i in range(INPUTS) if i in step[1:] and i not in later))
    return steps


def _put(table: int, chosen: Formulas, steps: list[list[int]]) -> int:
    """Append the steps of a table; return its number as a source."""
    if table in IDENTITY:
        return int(np.flatnonzero(table == IDENTITY)[0])
    operation, parts = chosen[table]
    sources = [-1] * INPUTS
    for part in sorted(range(len(parts)), key=lambda part: -_length(parts[part], chosen)):
        sources[part] = _put(parts[part], chosen, steps)
    steps.append([operation, *sources])
    return INPUTS + len(steps) - 1


def _length(table: int, chosen: Formulas) -> int:
    """The number of steps of a table."""
    if table in IDENTITY:
        return 0
    return 1 + sum(_length(part, chosen) for part in chosen[table][1])


def _foldable(steps: Ints) -> int:
    """The sets of inputs that may all be in memory, as bits.

    A step may read at most one row, as its second operand, and only one step may read a row.
    """
    sources = [step[1:DONE].tolist() for step in steps if step[STEP_OPERATION] >= 0]
    kinds = [int(step[STEP_OPERATION]) for step in steps if step[STEP_OPERATION] >= 0]
    read = [source for step in sources for source in step]
    good = 0
    for subset, bits in enumerate(product((False, True), repeat=INPUTS)):
        rows = [i for i in range(INPUTS) if bits[INPUTS - 1 - i]]
        fits = all(read.count(row) <= 1 for row in rows)
        for kind, step in zip(kinds, sources, strict=True):
            folded = [place for place, source in enumerate(step) if source in rows]
            fits &= len(folded) <= 1 and (kind in COMMUTATIVE or folded in ([], [1])) and kind not in (SELECT, XOR3)
        good |= fits << subset
    return good
