"""The memory and the instructions of join plans.

A *row* is as many terms (numbers of `TermTable`) as its relation has columns; the rows of a relation are consecutive in
the pool `rows`. An *index* of a relation groups its rows by some columns: a hash table of chains that adds new rows on
its next use. Nothing is ever cleared: a relation whose `GENERATION` has changed is empty, and so are its indexes, and a
head in `heads` is valid only while it has the generation of its index (``generation << 32 | row``).

    relations [relations, 8] int32   ARITY COUNT CAPACITY GENERATION FIRST FULL LOW HIGH
    indexes   [indexes, 8] int32     OF WIDTH COLUMNS BITS HEAD CHAINS SEEN BUILT
    units     [units, 8] int32       CODE DONE LEVEL (five unused)
    demands   [demands, 8] int32     ASKED ENTRY (six unused)
    terms     [terms, 8] int32       FUNCTOR ARGUMENTS ARITY_OF DEPTH SIZE CHAIN (two unused)

Every operand of the code is the number of a register: the first `VARIABLES` hold bound variables, the others constants.
A failed test continues at the step of the last loop that can change the tested values, or at a `HALT`.

    HALT                                                    the end, or return to after the ASK that called this code
    SCAN slot relation                                      a loop over all rows
    DELTA slot relation                                     a loop over the rows LOW … HIGH
    STEP slot relation exhausted n (column register)*n      the next row of such a loop
    PROBE slot index fail n key*n                           a loop over the rows with a key
    NEXT slot index keys exhausted n (column register)*n    the next row of it; `keys`: the position of the keys
    MEMBER index fail n key*n                               some row has the key
    ABSENT index fail n key*n                               no row has it
    FILLED relation fail                                    some row
    EMPTY relation fail                                     no row
    DIFFER left right fail
    SAME left right fail
    OPEN term functor fail n register*n                     the arguments of a compound
    FIND register functor fail n argument*n                 a compound, if it exists
    MAKE register functor n argument*n                      a compound, created if it does not exist
    ASK demand n key*n                                      evaluate a relation for a key, once
    EMIT relation then n register*n                         enter a row, and continue at `then`
    GO to
    AGAIN n relation*n                                      the next ROUND treats all rows as new
    ROUND done n relation*n                                 LOW … HIGH are the rows since the last; at `done` if none
    CLEAR n relation*n                                      remove all rows
    ALIKE left right                                        the same number of rows, or the run ends: UNDECIDED
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs
from reasoner.kernels import device_function
from reasoner.kernels.memory import records
from reasoner.kernels.scalars import int64

(HALT, SCAN, DELTA, STEP, PROBE, NEXT, MEMBER, ABSENT, FILLED, EMPTY, DIFFER, SAME, OPEN, FIND, MAKE, EMIT, ASK) = (
    range(17)
)
GO, AGAIN, ROUND, CLEAR, ALIKE = range(17, 22)

JUMP_OPERAND = {
    STEP: 3, PROBE: 3, NEXT: 4, MEMBER: 2, ABSENT: 2, FILLED: 2, EMPTY: 2, DIFFER: 3, SAME: 3, OPEN: 3, FIND: 3, EMIT: 2
}  # fmt: skip
"""The position of an instruction's jump address."""

ARITY, COUNT, CAPACITY, GENERATION, FIRST, FULL, LOW, HIGH = range(8)
OF, WIDTH, COLUMNS, BITS, HEAD, CHAINS, SEEN, BUILT = range(8)
CODE, DONE, LEVEL = range(3)
ASKED, ENTRY = range(2)
FUNCTOR, ARGUMENTS, ARITY_OF, DEPTH, SIZE, CHAIN = range(6)

GENERATIONS, STATE_GENERATION, JOINT_GENERATION, STEPS, BUDGET, FAULT = range(6)
TERMS, TERM_ROOM, ARGUMENTS_USED, ARGUMENT_ROOM, MAX_DEPTH, MAX_SIZE = range(6, 12)
PLACE, UNIT = range(12, 14)
"""Indices into `counters`.

FAULT: the relation that is full or undecided, if that ended the run; PLACE: where in the code a run ended; UNIT: the
unit that was being evaluated.
"""

ENTRY_WORDS = 8
"""Words of an entry of `relations`, `indexes`, `units`, `demands` and `terms`."""

TERM_BITS = 16
"""Bits of the hash of compounds."""

FINE, ROWS_FULL, TERMS_FULL, BUDGET_SPENT, TERM_TOO_LARGE, TERM_TOO_DEEP, UNDECIDED = range(7)
"""The status at the end of a run."""

VARIABLES = 1 << 16
"""Number of registers for variables; higher numbers are constants."""

SLOTS = 1 << 13
"""Maximum number of nested loops."""

MAX_DEMANDS = 1 << 12
"""Maximum number of ways to ask for relations on demand, all of which may be nested."""

STATIC, STATE, JOINT = range(3)
"""The level of a unit: it depends on nothing, on the facts of a state, or also on a joint move."""


class Arrays(NamedTuple):
    """All of the memory; the module docstring describes it."""

    code: Ints
    registers: Ints
    cursors: Ints  # [slots, 2] the position of a loop, and its end
    relations: Ints
    rows: Ints
    indexes: Ints
    columns: Ints  # of all indexes, one after another
    heads: Longs
    chains: Ints  # [row of an index] the next row with the same hash, or -1
    terms: Ints
    arguments: Ints  # of all compounds, one after another
    term_heads: Ints  # hash → last compound with it, or -1
    units: Ints
    demands: Ints
    stack: Ints  # return addresses of nested demands
    counters: Longs


class RelationStore(NamedTuple):
    """The addresses of the arrays, for kernels."""

    code: int
    registers: int
    cursors: int
    relations: int
    rows: int
    indexes: int
    columns: int
    heads: int
    chains: int
    terms: int
    arguments: int
    term_heads: int
    units: int
    demands: int
    stack: int
    counters: int


def _entry(names: str) -> np.dtype[np.void]:
    """Return the type of an entry whose first words have these names."""
    named = names.split()
    size = ENTRY_WORDS * np.dtype(np.int32).itemsize
    return np.dtype({"names": named, "formats": [np.int32] * len(named), "itemsize": size})


# entries as records for kernels: ``relation_at(s.relations, number).count``
relation_at = records(_entry("arity count capacity generation first full low high"))
index_at = records(_entry("of width columns bits head chains seen built"))
unit_at = records(_entry("code done level"))
demand_at = records(_entry("asked entry"))
term_at = records(_entry("functor arguments arity_of depth size chain"))

MIX = int64(-7046029254386353131)  # 2^64 / golden ratio, odd: multiplicative hashing (Knuth)


@device_function
def mix(hashed: int, word: int) -> int:
    """Return the hash of a key with one more word; its high bits are the best mixed."""
    return (hashed ^ word) * MIX
