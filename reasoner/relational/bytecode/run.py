"""The interpreter of join plans, and the order in which units of rules are evaluated.

Rows are found one at a time by nested loops, innermost last (Ullman, Principles of Database and Knowledge-Base Systems,
vol. 2, ch. 12, "pipelined" evaluation); recursive units by semi-naive rounds over the rows the round before added.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import kernel, subkernel
from reasoner.relational.bytecode.layout import (
    ABSENT,
    ARGUMENTS,
    ARITY,
    ASK,
    ASKED,
    BUDGET,
    BUDGET_SPENT,
    CODE,
    COUNT,
    DELTA,
    DELTAS,
    DELTAS_END,
    DIFFER,
    DONE,
    EMIT,
    EMPTY,
    ENTRY,
    FAULT,
    FILLED,
    FIND,
    FINE,
    FIRST,
    FUNCTOR,
    HALT,
    HIGH,
    INPUTS,
    JOINT,
    JOINT_GENERATION,
    LEVEL,
    LOW,
    MAKE,
    MEMBER,
    MEMBERS,
    MEMBERS_END,
    NEXT,
    OF,
    OPEN,
    PROBE,
    ROWS_FULL,
    SAME,
    SCAN,
    STATE_GENERATION,
    STATIC,
    STEP,
    STEPS,
    TERM_TOO_LARGE,
    TERMS_FULL,
    WIDE,
    RelationStore,
)
from reasoner.relational.bytecode.raw_memory import get, get64, put, put64
from reasoner.relational.bytecode.tables import NO_ROOM, enter, find_term, first_match, make_term, next_match


@subkernel
def _load(s: RelationStore, relation: int, row: int, at: int) -> int:
    """Copy columns of a row to registers, as the pairs after the count at `at` say; where the next step stands."""
    base = get(s.relations, relation * WIDE + FIRST) + row * get(s.relations, relation * WIDE + ARITY)
    end = at + 1 + 2 * get(s.code, at)
    for i in range(at + 1, end, 2):
        put(s.registers, get(s.code, i + 1), get(s.rows, base + get(s.code, i)))
    return end


@subkernel
def _begin(s: RelationStore, pc: int) -> None:
    """Set a loop over rows to its start."""
    slot, relation = get(s.code, pc + 1), get(s.code, pc + 2)
    whole = get(s.code, pc) == SCAN
    put(s.cursors, slot * 2 + 0, 0 if whole else get(s.relations, relation * WIDE + LOW))
    put(
        s.cursors,
        slot * 2 + 1,
        get(s.relations, relation * WIDE + COUNT) if whole else get(s.relations, relation * WIDE + HIGH),
    )


@subkernel
def _step(s: RelationStore, pc: int) -> int:
    """The next row of a loop over rows."""
    slot = get(s.code, pc + 1)
    row = get(s.cursors, slot * 2 + 0)
    if row >= get(s.cursors, slot * 2 + 1):
        return get(s.code, pc + 3)
    put(s.cursors, slot * 2 + 0, row + 1)
    return _load(s, get(s.code, pc + 2), row, pc + 4)


@subkernel
def _probe(s: RelationStore, pc: int) -> int:
    """Find the first row with a key."""
    row = first_match(s, get(s.code, pc + 2), pc + 5)
    if row < 0:
        return get(s.code, pc + 3)
    put(s.cursors, get(s.code, pc + 1) * 2 + 0, row)
    return pc + 5 + get(s.code, pc + 4)


@subkernel
def _next(s: RelationStore, pc: int) -> int:
    """The next row with a key; the one after it is looked for at once, while its chain is at hand."""
    slot, index = get(s.code, pc + 1), get(s.code, pc + 2)
    row = get(s.cursors, slot * 2 + 0)
    if row < 0:
        return get(s.code, pc + 4)
    put(s.cursors, slot * 2 + 0, next_match(s, index, get(s.code, pc + 3), row))
    return _load(s, get(s.indexes, index * WIDE + OF), row, pc + 5)


@subkernel
def _open(s: RelationStore, pc: int) -> int:
    """Take a compound apart."""
    term, arity = get(s.registers, get(s.code, pc + 1)), get(s.code, pc + 4)
    if get(s.terms, term * WIDE + FUNCTOR) != get(s.code, pc + 2):
        return get(s.code, pc + 3)
    first = get(s.terms, term * WIDE + ARGUMENTS)
    for i in range(arity):
        put(s.registers, get(s.code, pc + 5 + i), get(s.arguments, first + i))
    return pc + 5 + arity


@subkernel
def _find(s: RelationStore, pc: int) -> int:
    """Put a compound together if it exists."""
    arity = get(s.code, pc + 4)
    term = find_term(s, get(s.code, pc + 2), pc + 5, arity)
    put(s.registers, get(s.code, pc + 1), term)
    return pc + 5 + arity if term >= 0 else get(s.code, pc + 3)


@subkernel
def _look_up(s: RelationStore, pc: int) -> int:
    """Whether some row has a key; MEMBER goes on if so, ABSENT if not."""
    found = first_match(s, get(s.code, pc + 1), pc + 4) >= 0
    return pc + 4 + get(s.code, pc + 3) if found == (get(s.code, pc) == MEMBER) else get(s.code, pc + 2)


@subkernel
def _compare(s: RelationStore, pc: int) -> int:
    """DIFFER or SAME."""
    same = get(s.registers, get(s.code, pc + 1)) == get(s.registers, get(s.code, pc + 2))
    return pc + 4 if same == (get(s.code, pc) == SAME) else get(s.code, pc + 3)


@subkernel
def _ask(s: RelationStore, demand: int, at: int) -> int:
    """Enter a key among those asked for: 1 if it is new, 0 if not, -1 when there is no room for it."""
    relation = get(s.demands, demand * WIDE + ASKED)
    known = get(s.relations, relation * WIDE + COUNT)
    if not enter(s, relation, at):
        put64(s.counters, FAULT, relation)
        return -1
    inputs = get(s.demands, demand * WIDE + INPUTS)
    new = get(s.relations, relation * WIDE + COUNT) - known
    if new:
        for i in range(get(s.relations, relation * WIDE + ARITY)):
            put(s.registers, inputs + i, get(s.registers, get(s.code, at + i)))
    return new


@subkernel
def run(s: RelationStore, pc: int) -> int:
    """Run code until HALT; how it ended."""
    nested, ended = 0, BUDGET_SPENT
    steps, budget = get64(s.counters, STEPS), get64(s.counters, BUDGET)
    while steps < budget:
        steps += 1
        op = get(s.code, pc)
        if op == STEP:
            pc = _step(s, pc)
        elif op == NEXT:
            pc = _next(s, pc)
        elif op == PROBE:
            pc = _probe(s, pc)
        elif op in (MEMBER, ABSENT):
            pc = _look_up(s, pc)
        elif op == EMIT:
            if not enter(s, get(s.code, pc + 1), pc + 4):
                put64(s.counters, FAULT, get(s.code, pc + 1))
                ended = ROWS_FULL
                break
            pc = get(s.code, pc + 2)
        elif op in (DIFFER, SAME):
            pc = _compare(s, pc)
        elif op == HALT and nested > 0:
            nested -= 1
            pc = get(s.stack, nested)
        elif op == HALT:
            ended = FINE
            break
        elif op in (FILLED, EMPTY):
            filled = get(s.relations, get(s.code, pc + 1) * WIDE + COUNT) > 0
            pc = pc + 3 if filled == (op == FILLED) else get(s.code, pc + 2)
        elif op in (SCAN, DELTA):
            _begin(s, pc)
            pc += 3
        elif op == OPEN:
            pc = _open(s, pc)
        elif op == FIND:
            pc = _find(s, pc)
        elif op == ASK:
            demand, behind = get(s.code, pc + 1), pc + 3 + get(s.code, pc + 2)
            asked = _ask(s, demand, pc + 3)
            if asked < 0:
                ended = ROWS_FULL
                break
            pc = behind
            if asked:
                put(s.stack, nested, behind)
                nested += 1
                pc = get(s.demands, demand * WIDE + ENTRY)
        elif op == MAKE:
            term = make_term(s, get(s.code, pc + 2), pc + 4, get(s.code, pc + 3))
            if term < 0:
                ended = TERMS_FULL if term == NO_ROOM else TERM_TOO_LARGE
                break
            put(s.registers, get(s.code, pc + 1), term)
            pc += 4 + get(s.code, pc + 3)
    put64(s.counters, STEPS, steps)
    return ended


@subkernel
def _fixpoint(s: RelationStore, unit: int) -> int:
    """Semi-naive rounds of a recursive unit."""
    first, last = get(s.units, unit * WIDE + MEMBERS), get(s.units, unit * WIDE + MEMBERS_END)
    for m in range(first, last):
        put(s.relations, get(s.members, m) * WIDE + HIGH, 0)
    while True:
        grown = False
        for m in range(first, last):
            relation = get(s.members, m)
            put(s.relations, relation * WIDE + LOW, get(s.relations, relation * WIDE + HIGH))
            put(s.relations, relation * WIDE + HIGH, get(s.relations, relation * WIDE + COUNT))
            grown |= get(s.relations, relation * WIDE + HIGH) > get(s.relations, relation * WIDE + LOW)
        if not grown:
            return FINE
        for d in range(get(s.units, unit * WIDE + DELTAS), get(s.units, unit * WIDE + DELTAS_END)):
            relation = get(s.deltas, d * 2 + 0)
            if get(s.relations, relation * WIDE + HIGH) > get(s.relations, relation * WIDE + LOW):
                status = run(s, get(s.deltas, d * 2 + 1))
                if status != FINE:
                    return status


@subkernel
def evaluate_unit(s: RelationStore, unit: int) -> int:
    """Evaluate a unit if it is not evaluated in this situation yet; how it ended."""
    if get(s.units, unit * WIDE + LEVEL) == STATIC and get(s.units, unit * WIDE + DONE) != 0:
        return FINE  # static, once and for all
    joint = get(s.units, unit * WIDE + LEVEL) == JOINT
    generation = get64(s.counters, JOINT_GENERATION) if joint else get64(s.counters, STATE_GENERATION)
    if get(s.units, unit * WIDE + DONE) == generation:
        return FINE
    status = run(s, get(s.units, unit * WIDE + CODE))
    if status == FINE and get(s.units, unit * WIDE + DELTAS_END) > get(s.units, unit * WIDE + DELTAS):
        status = _fixpoint(s, unit)
    if status == FINE:
        put(s.units, unit * WIDE + DONE, generation)
    return status


@kernel
def evaluate(s: RelationStore, units: NDArray[np.int32]) -> int:
    """Evaluate those of `units` that are not evaluated yet; how it ended."""
    for unit in units:
        status = evaluate_unit(s, unit)
        if status != FINE:
            return status
    return FINE
