"""The interpreter of join plans, and the evaluation order of units.

Nested loops find the rows of a join one at a time ("pipelined" evaluation: Ullman, Principles of Database and
Knowledge-Base Systems, vol. 2, ch. 12). Fixpoints are loops in the code (`fixpoints`).
"""

from __future__ import annotations

from reasoner.arrays import Ints
from reasoner.kernels import device_function, kernel
from reasoner.kernels.memory import int_at, long_at, put_int, put_long
from reasoner.relational.bytecode import layout
from reasoner.relational.bytecode.layout import RelationStore, demand_at, index_at, relation_at, term_at, unit_at
from reasoner.relational.bytecode.tables import (
    MADE_TOO_DEEP,
    NO_ROOM,
    enter,
    find_term,
    first_match,
    make_term,
    next_match,
)


@device_function
def _load(s: RelationStore, relation: int, row: int, at: int) -> int:
    """Copy columns of a row to registers, as the count and the (column, register) pairs at `at` say.

    Returns the address after the pairs.
    """
    base = relation_at(s.relations, relation).first + row * relation_at(s.relations, relation).arity
    end = at + 1 + 2 * int_at(s.code, at)
    for i in range(at + 1, end, 2):
        put_int(s.registers, int_at(s.code, i + 1), int_at(s.rows, base + int_at(s.code, i)))
    return end


@device_function
def _begin(s: RelationStore, pc: int) -> None:
    """Start a loop over rows."""
    slot, relation = int_at(s.code, pc + 1), int_at(s.code, pc + 2)
    whole = int_at(s.code, pc) == layout.SCAN
    put_int(s.cursors, slot * 2 + 0, 0 if whole else relation_at(s.relations, relation).low)
    put_int(
        s.cursors,
        slot * 2 + 1,
        relation_at(s.relations, relation).count if whole else relation_at(s.relations, relation).high,
    )


@device_function
def _step(s: RelationStore, pc: int) -> int:
    """Take the next row of a loop over rows."""
    slot = int_at(s.code, pc + 1)
    row = int_at(s.cursors, slot * 2 + 0)
    if row >= int_at(s.cursors, slot * 2 + 1):
        return int_at(s.code, pc + 3)
    put_int(s.cursors, slot * 2 + 0, row + 1)
    return _load(s, int_at(s.code, pc + 2), row, pc + 4)


@device_function
def _probe(s: RelationStore, pc: int) -> int:
    """Find the first row with a key."""
    row = first_match(s, int_at(s.code, pc + 2), pc + 5)
    if row < 0:
        return int_at(s.code, pc + 3)
    put_int(s.cursors, int_at(s.code, pc + 1) * 2 + 0, row)
    return pc + 5 + int_at(s.code, pc + 4)


@device_function
def _next(s: RelationStore, pc: int) -> int:
    """Take the next row with a key, and find its successor now, while the chain is in the CPU cache."""
    slot, index = int_at(s.code, pc + 1), int_at(s.code, pc + 2)
    row = int_at(s.cursors, slot * 2 + 0)
    if row < 0:
        return int_at(s.code, pc + 4)
    put_int(s.cursors, slot * 2 + 0, next_match(s, index, int_at(s.code, pc + 3), row))
    return _load(s, index_at(s.indexes, index).of, row, pc + 5)


@device_function
def _open(s: RelationStore, pc: int) -> int:
    """Run OPEN: load the arguments of a compound into registers."""
    term, arity = int_at(s.registers, int_at(s.code, pc + 1)), int_at(s.code, pc + 4)
    if term_at(s.terms, term).functor != int_at(s.code, pc + 2):
        return int_at(s.code, pc + 3)
    first = term_at(s.terms, term).arguments
    for i in range(arity):
        put_int(s.registers, int_at(s.code, pc + 5 + i), int_at(s.arguments, first + i))
    return pc + 5 + arity


@device_function
def _find(s: RelationStore, pc: int) -> int:
    """Run FIND: look up a compound."""
    arity = int_at(s.code, pc + 4)
    term = find_term(s, int_at(s.code, pc + 2), pc + 5, arity)
    put_int(s.registers, int_at(s.code, pc + 1), term)
    return pc + 5 + arity if term >= 0 else int_at(s.code, pc + 3)


@device_function
def _look_up(s: RelationStore, pc: int) -> int:
    """Run MEMBER or ABSENT: test whether some row has a key."""
    found = first_match(s, int_at(s.code, pc + 1), pc + 4) >= 0
    return pc + 4 + int_at(s.code, pc + 3) if found == (int_at(s.code, pc) == layout.MEMBER) else int_at(s.code, pc + 2)


@device_function
def _look_into(s: RelationStore, pc: int) -> int:
    """Run FILLED or EMPTY."""
    filled = relation_at(s.relations, int_at(s.code, pc + 1)).count > 0
    return pc + 3 if filled == (int_at(s.code, pc) == layout.FILLED) else int_at(s.code, pc + 2)


@device_function
def _compare(s: RelationStore, pc: int) -> int:
    """Run DIFFER or SAME."""
    same = int_at(s.registers, int_at(s.code, pc + 1)) == int_at(s.registers, int_at(s.code, pc + 2))
    return pc + 4 if same == (int_at(s.code, pc) == layout.SAME) else int_at(s.code, pc + 3)


@device_function
def _ask(s: RelationStore, demand: int, at: int) -> int:
    """Add a key to the keys of a demand; return 1 if the key is new, 0 if not, -1 if the relation is full."""
    relation = demand_at(s.demands, demand).asked
    known = relation_at(s.relations, relation).count
    if not enter(s, relation, at):
        return -1
    return relation_at(s.relations, relation).count - known


@device_function
def _round(s: RelationStore, pc: int) -> int:
    """Begin a round of semi-naive evaluation over the rows that the previous round added."""
    grown, end = False, pc + 3 + int_at(s.code, pc + 2)
    for place in range(pc + 3, end):
        relation = relation_at(s.relations, int_at(s.code, place))
        relation.low = relation.high
        relation.high = relation.count
        grown |= relation.high > relation.low
    return end if grown else int_at(s.code, pc + 1)


@device_function
def _renew(s: RelationStore, pc: int) -> int:
    """Run AGAIN or CLEAR."""
    clear, end = int_at(s.code, pc) == layout.CLEAR, pc + 2 + int_at(s.code, pc + 1)
    if clear:
        put_long(s.counters, layout.GENERATIONS, long_at(s.counters, layout.GENERATIONS) + 1)
    for place in range(pc + 2, end):
        relation = relation_at(s.relations, int_at(s.code, place))
        relation.high = 0
        if clear:
            relation.generation = long_at(s.counters, layout.GENERATIONS)
            relation.count = 0
    return end


@device_function
def _control(s: RelationStore, pc: int) -> int:
    """Run a fixpoint instruction; return the next address, or minus the status if an atom is undecided."""
    op = int_at(s.code, pc)
    if op == layout.ROUND:
        return _round(s, pc)
    if op == layout.GO:
        return int_at(s.code, pc + 1)
    if op in (layout.AGAIN, layout.CLEAR):
        return _renew(s, pc)
    left, right = int_at(s.code, pc + 1), int_at(s.code, pc + 2)  # ALIKE
    if relation_at(s.relations, left).count == relation_at(s.relations, right).count:
        return pc + 3
    put_long(s.counters, layout.FAULT, left)
    return -layout.UNDECIDED


@device_function
def _make(s: RelationStore, pc: int) -> int:
    """Create a compound; return the next address, or minus the status if it cannot be created."""
    arity = int_at(s.code, pc + 3)
    term = make_term(s, int_at(s.code, pc + 2), pc + 4, arity)
    put_int(s.registers, int_at(s.code, pc + 1), term)
    if term >= 0:
        return pc + 4 + arity
    if term == NO_ROOM:
        return -layout.TERMS_FULL
    return -layout.TERM_TOO_DEEP if term == MADE_TOO_DEEP else -layout.TERM_TOO_LARGE


@device_function
def run(s: RelationStore, pc: int) -> int:
    """Run code until HALT; return the status."""
    nested, ended = 0, layout.BUDGET_SPENT
    steps, budget = long_at(s.counters, layout.STEPS), long_at(s.counters, layout.BUDGET)
    while steps < budget:
        steps += 1
        op = int_at(s.code, pc)
        if op == layout.STEP:
            pc = _step(s, pc)
        elif op == layout.NEXT:
            pc = _next(s, pc)
        elif op == layout.PROBE:
            pc = _probe(s, pc)
        elif op in (layout.MEMBER, layout.ABSENT):
            pc = _look_up(s, pc)
        elif op == layout.EMIT:
            if not enter(s, int_at(s.code, pc + 1), pc + 4):
                ended = layout.ROWS_FULL
                break
            pc = int_at(s.code, pc + 2)
        elif op in (layout.DIFFER, layout.SAME):
            pc = _compare(s, pc)
        elif op == layout.HALT and nested > 0:
            nested -= 1
            pc = int_at(s.stack, nested)
        elif op == layout.HALT:
            ended = layout.FINE
            break
        elif op in (layout.FILLED, layout.EMPTY):
            pc = _look_into(s, pc)
        elif op in (layout.SCAN, layout.DELTA):
            _begin(s, pc)
            pc += 3
        elif op == layout.OPEN:
            pc = _open(s, pc)
        elif op == layout.FIND:
            pc = _find(s, pc)
        elif op == layout.ASK:
            demand, behind = int_at(s.code, pc + 1), pc + 3 + int_at(s.code, pc + 2)
            asked = _ask(s, demand, pc + 3)
            if asked < 0:
                ended = layout.ROWS_FULL
                break
            pc = behind
            if asked:
                put_int(s.stack, nested, behind)
                nested += 1
                pc = demand_at(s.demands, demand).entry
        else:
            then = _make(s, pc) if op == layout.MAKE else _control(s, pc)
            if then < 0:
                ended = -then
                break
            pc = then
    put_long(s.counters, layout.STEPS, steps)
    put_long(s.counters, layout.PLACE, pc)
    return ended


@device_function
def evaluate_unit(s: RelationStore, unit: int) -> int:
    """Evaluate a unit if it is not evaluated for the current state and joint move yet; return the status."""
    if unit_at(s.units, unit).level == layout.STATIC and unit_at(s.units, unit).done != 0:
        return layout.FINE  # static, evaluated already
    joint = unit_at(s.units, unit).level == layout.JOINT
    generation = long_at(s.counters, layout.JOINT_GENERATION) if joint else long_at(s.counters, layout.STATE_GENERATION)
    if unit_at(s.units, unit).done == generation:
        return layout.FINE
    status = run(s, unit_at(s.units, unit).code)
    if status == layout.FINE:
        unit_at(s.units, unit).done = generation
    else:
        put_long(s.counters, layout.UNIT, unit)
    return status


@kernel
def evaluate(s: RelationStore, units: Ints) -> int:
    """Evaluate the units in `units` that are not evaluated yet; return the status."""
    for unit in units:
        status = evaluate_unit(s, unit)
        if status != layout.FINE:
            return status
    return layout.FINE
