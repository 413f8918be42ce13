"""Kernels for rows, their indexes and compound terms. `at` is the address of operands in the code."""

from __future__ import annotations

from reasoner.kernels import device_function
from reasoner.kernels.memory import int_at, long_at, put_int, put_long
from reasoner.kernels.scalars import int64, uint64
from reasoner.relational.bytecode import layout
from reasoner.relational.bytecode.layout import RelationStore, index_at, mix, relation_at, term_at

MADE_TOO_DEEP = -4
MADE_TOO_LARGE = -3
ROW_MASK = 0x7FFFFFFF
NO_ROOM = -2
NONE = -1


@device_function
def _bucket(mixed: int, bits: int) -> int:
    """Return the highest bits of a mixed key."""
    return int64(uint64(mixed) >> uint64(64 - bits))


@device_function
def _catch_up(s: RelationStore, index: int) -> None:
    """Add the rows that an index does not contain yet."""
    relation, width, at = (
        index_at(s.indexes, index).of,
        index_at(s.indexes, index).width,
        index_at(s.indexes, index).columns,
    )
    generation = relation_at(s.relations, relation).generation
    built = index_at(s.indexes, index).built if index_at(s.indexes, index).seen == generation else 0
    heads, chains, bits = (
        index_at(s.indexes, index).head,
        index_at(s.indexes, index).chains,
        index_at(s.indexes, index).bits,
    )
    first, arity = int64(relation_at(s.relations, relation).first), relation_at(s.relations, relation).arity
    tag = int64(generation) << 32
    for row in range(built, relation_at(s.relations, relation).count):
        base = first + int64(row) * arity
        mixed = int64(0)
        for i in range(width):
            mixed = mix(mixed, int_at(s.rows, base + int_at(s.columns, at + i)))
        head = heads + _bucket(mixed, bits)
        entry = long_at(s.heads, head)
        put_int(s.chains, chains + row, entry & ROW_MASK if entry >> 32 == generation else NONE)
        put_long(s.heads, head, tag | row)
    index_at(s.indexes, index).seen = generation
    index_at(s.indexes, index).built = relation_at(s.relations, relation).count


@device_function
def matching(s: RelationStore, index: int, at: int, row: int) -> int:
    """Return the first row with the key in a chain, from `row` on, or NONE."""
    entry = index_at(s.indexes, index)
    relation = relation_at(s.relations, entry.of)
    width, columns, chains = entry.width, entry.columns, entry.chains
    first, arity = int64(relation.first), relation.arity
    while row >= 0:
        base = first + int64(row) * arity
        i = 0
        while i < width:
            key = int_at(s.registers, int_at(s.code, at + i))
            if int_at(s.rows, base + int_at(s.columns, columns + i)) != key:
                break
            i += 1
        if i == width:
            return row
        row = int_at(s.chains, chains + row)
    return NONE


@device_function
def first_match(s: RelationStore, index: int, at: int) -> int:
    """Return the first row with the key in its chain, or NONE."""
    entry = index_at(s.indexes, index)
    relation = relation_at(s.relations, entry.of)
    if entry.seen != relation.generation or entry.built != relation.count:
        _catch_up(s, index)
    mixed = int64(0)
    for i in range(entry.width):
        mixed = mix(mixed, int_at(s.registers, int_at(s.code, at + i)))
    head = long_at(s.heads, entry.head + _bucket(mixed, entry.bits))
    if head >> 32 != relation.generation:
        return NONE
    return matching(s, index, at, head & ROW_MASK)


@device_function
def next_match(s: RelationStore, index: int, at: int, row: int) -> int:
    """Return the next row with the key after `row` in its chain, or NONE."""
    return matching(s, index, at, int_at(s.chains, index_at(s.indexes, index).chains + row))


@device_function
def enter(s: RelationStore, relation: int, at: int) -> bool:
    """Add a row if it is new; return False if the relation is full, and record the relation as FAULT."""
    if first_match(s, relation_at(s.relations, relation).full, at) >= 0:
        return True
    row, arity = relation_at(s.relations, relation).count, relation_at(s.relations, relation).arity
    if row >= relation_at(s.relations, relation).capacity:
        put_long(s.counters, layout.FAULT, relation)
        return False
    base = int64(relation_at(s.relations, relation).first) + int64(row) * arity
    for i in range(arity):
        put_int(s.rows, base + i, int_at(s.registers, int_at(s.code, at + i)))
    relation_at(s.relations, relation).count = row + 1
    return True


@device_function
def _term_bucket(s: RelationStore, functor: int, at: int, arity: int) -> int:
    mixed = mix(int64(0), functor)
    for i in range(arity):
        mixed = mix(mixed, int_at(s.registers, int_at(s.code, at + i)))
    return int64(uint64(mixed) >> uint64(20)) & ((1 << layout.TERM_BITS) - 1)


@device_function
def _in_bucket(s: RelationStore, bucket: int, functor: int, at: int, arity: int) -> int:
    term = int_at(s.term_heads, bucket)
    while term >= 0:
        if term_at(s.terms, term).functor == functor:
            first, i = term_at(s.terms, term).arguments, 0
            while i < arity and int_at(s.arguments, first + i) == int_at(s.registers, int_at(s.code, at + i)):
                i += 1
            if i == arity:
                return term
        term = term_at(s.terms, term).chain
    return NONE


@device_function
def find_term(s: RelationStore, functor: int, at: int, arity: int) -> int:
    """Return the compound of a functor and arguments, or NONE."""
    return _in_bucket(s, _term_bucket(s, functor, at, arity), functor, at, arity)


@device_function
def make_term(s: RelationStore, functor: int, at: int, arity: int) -> int:
    """Return the compound of a functor and arguments, and create it if it does not exist.

    Returns NO_ROOM, MADE_TOO_LARGE or MADE_TOO_DEEP on failure.
    """
    bucket = _term_bucket(s, functor, at, arity)
    term = _in_bucket(s, bucket, functor, at, arity)
    if term >= 0:
        return term
    term, first = long_at(s.counters, layout.TERMS), long_at(s.counters, layout.ARGUMENTS_USED)
    if term >= long_at(s.counters, layout.TERM_ROOM) or first + arity > long_at(s.counters, layout.ARGUMENT_ROOM):
        return NO_ROOM
    depth, size = 0, 1
    for i in range(arity):
        argument = int_at(s.registers, int_at(s.code, at + i))
        put_int(s.arguments, first + i, argument)
        depth, size = max(depth, term_at(s.terms, argument).depth), size + term_at(s.terms, argument).size
    if depth + 1 > long_at(s.counters, layout.MAX_DEPTH):
        return MADE_TOO_DEEP
    if size > long_at(s.counters, layout.MAX_SIZE):
        return MADE_TOO_LARGE
    term_at(s.terms, term).functor = functor
    term_at(s.terms, term).arguments = first
    term_at(s.terms, term).arity_of = arity
    term_at(s.terms, term).depth = depth + 1
    term_at(s.terms, term).size = size
    term_at(s.terms, term).chain = int_at(s.term_heads, bucket)
    put_int(s.term_heads, bucket, term)
    put_long(s.counters, layout.TERMS, term + 1)
    put_long(s.counters, layout.ARGUMENTS_USED, first + arity)
    return term
