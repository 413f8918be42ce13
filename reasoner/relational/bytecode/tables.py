"""Kernels for rows, their indexes and compound terms. `at` is where operands stand in the code."""

from __future__ import annotations

import numpy as np

from reasoner.kernels import subkernel
from reasoner.relational.bytecode.layout import (
    ARGUMENT_ROOM,
    ARGUMENTS,
    ARGUMENTS_USED,
    ARITY,
    ARITY_OF,
    BITS,
    BUILT,
    CAPACITY,
    CHAIN,
    CHAINS,
    COLUMNS,
    COUNT,
    DEPTH,
    FIRST,
    FULL,
    FUNCTOR,
    GENERATION,
    HEAD,
    MAX_DEPTH,
    MAX_SIZE,
    OF,
    SEEN,
    SIZE,
    TERM_BITS,
    TERM_ROOM,
    TERMS,
    WIDE,
    WIDTH,
    RelationStore,
    mix,
)
from reasoner.relational.bytecode.raw_memory import get, get64, put, put64

MADE_TOO_LARGE = -3
ROW_MASK = 0x7FFFFFFF
NO_ROOM = -2
NONE = -1


@subkernel
def _bucket(mixed: np.int64, bits: int) -> int:
    """The highest bits of a mixed key."""
    return np.int64(np.uint64(mixed) >> np.uint64(64 - bits))


@subkernel
def _catch_up(s: RelationStore, index: int) -> None:
    """Enter the rows that an index has not seen."""
    relation, width, at = (
        get(s.indexes, index * WIDE + OF),
        get(s.indexes, index * WIDE + WIDTH),
        get(s.indexes, index * WIDE + COLUMNS),
    )
    generation = get(s.relations, relation * WIDE + GENERATION)
    built = get(s.indexes, index * WIDE + BUILT) if get(s.indexes, index * WIDE + SEEN) == generation else 0
    heads, chains, bits = (
        get(s.indexes, index * WIDE + HEAD),
        get(s.indexes, index * WIDE + CHAINS),
        get(s.indexes, index * WIDE + BITS),
    )
    first, arity = np.int64(get(s.relations, relation * WIDE + FIRST)), get(s.relations, relation * WIDE + ARITY)
    tag = np.int64(generation) << 32
    for row in range(built, get(s.relations, relation * WIDE + COUNT)):
        base = first + np.int64(row) * arity
        mixed = np.int64(0)
        for i in range(width):
            mixed = mix(mixed, get(s.rows, base + get(s.columns, at + i)))
        head = heads + _bucket(mixed, bits)
        entry = get64(s.heads, head)
        put(s.chains, chains + row, entry & ROW_MASK if entry >> 32 == generation else NONE)
        put64(s.heads, head, tag | row)
    put(s.indexes, index * WIDE + SEEN, generation)
    put(s.indexes, index * WIDE + BUILT, get(s.relations, relation * WIDE + COUNT))


@subkernel
def matching(s: RelationStore, index: int, at: int, row: int) -> int:
    """The first row from `row` on along its chain that has the key, or NONE."""
    relation, width, columns = (
        get(s.indexes, index * WIDE + OF),
        get(s.indexes, index * WIDE + WIDTH),
        get(s.indexes, index * WIDE + COLUMNS),
    )
    first, arity = np.int64(get(s.relations, relation * WIDE + FIRST)), get(s.relations, relation * WIDE + ARITY)
    chains = get(s.indexes, index * WIDE + CHAINS)
    while row >= 0:
        base = first + np.int64(row) * arity
        i = 0
        while i < width and get(s.rows, base + get(s.columns, columns + i)) == get(s.registers, get(s.code, at + i)):
            i += 1
        if i == width:
            return row
        row = get(s.chains, chains + row)
    return NONE


@subkernel
def first_match(s: RelationStore, index: int, at: int) -> int:
    """Some row that has the key, the first of its chain, or NONE."""
    relation = get(s.indexes, index * WIDE + OF)
    generation = get(s.relations, relation * WIDE + GENERATION)
    if get(s.indexes, index * WIDE + SEEN) != generation or get(s.indexes, index * WIDE + BUILT) != get(
        s.relations, relation * WIDE + COUNT
    ):
        _catch_up(s, index)
    mixed = np.int64(0)
    for i in range(get(s.indexes, index * WIDE + WIDTH)):
        mixed = mix(mixed, get(s.registers, get(s.code, at + i)))
    entry = get64(s.heads, get(s.indexes, index * WIDE + HEAD) + _bucket(mixed, get(s.indexes, index * WIDE + BITS)))
    if entry >> 32 != generation:
        return NONE
    return matching(s, index, at, entry & ROW_MASK)


@subkernel
def next_match(s: RelationStore, index: int, at: int, row: int) -> int:
    """The next row after `row` that has the key, or NONE."""
    return matching(s, index, at, get(s.chains, get(s.indexes, index * WIDE + CHAINS) + row))


@subkernel
def enter(s: RelationStore, relation: int, at: int) -> bool:
    """Enter a row if it is new; False when there is no room for it."""
    if first_match(s, get(s.relations, relation * WIDE + FULL), at) >= 0:
        return True
    row, arity = get(s.relations, relation * WIDE + COUNT), get(s.relations, relation * WIDE + ARITY)
    if row >= get(s.relations, relation * WIDE + CAPACITY):
        return False
    base = np.int64(get(s.relations, relation * WIDE + FIRST)) + np.int64(row) * arity
    for i in range(arity):
        put(s.rows, base + i, get(s.registers, get(s.code, at + i)))
    put(s.relations, relation * WIDE + COUNT, row + 1)
    return True


@subkernel
def _term_bucket(s: RelationStore, functor: int, at: int, arity: int) -> int:
    mixed = mix(np.int64(0), functor)
    for i in range(arity):
        mixed = mix(mixed, get(s.registers, get(s.code, at + i)))
    return np.int64(np.uint64(mixed) >> np.uint64(20)) & ((1 << TERM_BITS) - 1)


@subkernel
def _in_bucket(s: RelationStore, bucket: int, functor: int, at: int, arity: int) -> int:
    term = get(s.term_heads, bucket)
    while term >= 0:
        if get(s.terms, term * WIDE + FUNCTOR) == functor:
            first, i = get(s.terms, term * WIDE + ARGUMENTS), 0
            while i < arity and get(s.arguments, first + i) == get(s.registers, get(s.code, at + i)):
                i += 1
            if i == arity:
                return term
        term = get(s.terms, term * WIDE + CHAIN)
    return NONE


@subkernel
def find_term(s: RelationStore, functor: int, at: int, arity: int) -> int:
    """The compound of a functor and arguments, or NONE."""
    return _in_bucket(s, _term_bucket(s, functor, at, arity), functor, at, arity)


@subkernel
def make_term(s: RelationStore, functor: int, at: int, arity: int) -> int:
    """The same, made if there is none; NO_ROOM or MADE_TOO_LARGE when it cannot be."""
    bucket = _term_bucket(s, functor, at, arity)
    term = _in_bucket(s, bucket, functor, at, arity)
    if term >= 0:
        return term
    term, first = get64(s.counters, TERMS), get64(s.counters, ARGUMENTS_USED)
    if term >= get64(s.counters, TERM_ROOM) or first + arity > get64(s.counters, ARGUMENT_ROOM):
        return NO_ROOM
    depth, size = 0, 1
    for i in range(arity):
        argument = get(s.registers, get(s.code, at + i))
        put(s.arguments, first + i, argument)
        depth, size = max(depth, get(s.terms, argument * WIDE + DEPTH)), size + get(s.terms, argument * WIDE + SIZE)
    if depth + 1 > get64(s.counters, MAX_DEPTH) or size > get64(s.counters, MAX_SIZE):
        return MADE_TOO_LARGE
    put(s.terms, term * WIDE + FUNCTOR, functor)
    put(s.terms, term * WIDE + ARGUMENTS, first)
    put(s.terms, term * WIDE + ARITY_OF, arity)
    put(s.terms, term * WIDE + DEPTH, depth + 1)
    put(s.terms, term * WIDE + SIZE, size)
    put(s.terms, term * WIDE + CHAIN, get(s.term_heads, bucket))
    put(s.term_heads, bucket, term)
    put64(s.counters, TERMS, term + 1)
    put64(s.counters, ARGUMENTS_USED, first + arity)
    return term
