"""The memory that plans run on, and the code they are written in.

A *row* is as many terms (numbers of `TermTable`) as its relation has columns; the rows of a relation lie one after the
other in the pool `rows`. An *index* of a relation groups its rows by some columns: a hash table of chains that takes in
new rows when it is next asked. Nothing is ever cleared: a relation whose `GENERATION` has changed is empty, and so are
its indexes, and a head in `heads` counts only while it holds the generation of its index (``generation << 32 | row``).

    relations [relations, 8] int32   ARITY COUNT CAPACITY GENERATION FIRST FULL LOW HIGH
    indexes   [indexes, 8] int32     OF WIDTH COLUMNS BITS HEAD CHAINS SEEN BUILT
    units     [units, 8] int32       CODE DONE LEVEL (five unused)
    demands   [demands, 8] int32     ASKED ENTRY (six unused)
    terms     [terms, 8] int32       FUNCTOR ARGUMENTS ARITY_OF DEPTH SIZE CHAIN (two unused)

Every operand of the code is the number of a register: the first `VARIABLES` hold what is bound, the others constants.
Where a test fails, the code goes on at the step of the last loop that can change what was tested, or at a `HALT`.

    HALT                                                    the end, or back to behind the ASK that led here
    SCAN slot relation                                      a loop over all rows
    DELTA slot relation                                     a loop over the rows LOW … HIGH
    STEP slot relation exhausted n (column register)*n      the next row of such a loop
    PROBE slot index fail n key*n                           a loop over the rows with a key
    NEXT slot index keys exhausted n (column register)*n    the next row of it; `keys`: where the keys stand
    MEMBER index fail n key*n                               some row has the key
    ABSENT index fail n key*n                               no row has it
    FILLED relation fail                                    some row
    EMPTY relation fail                                     no row
    DIFFER left right fail
    SAME left right fail
    OPEN term functor fail n register*n                     the arguments of a compound
    FIND register functor fail n argument*n                 a compound, if it exists
    MAKE register functor n argument*n                      a compound, made if need be
    ASK demand n key*n                                      have a relation evaluated for a key, if it was not yet
    EMIT relation then n register*n                         enter a row, and go on at `then`
    GO to
    AGAIN n relation*n                                      let the next ROUND take all rows for new
    ROUND done n relation*n                                 LOW … HIGH are the rows since the last; at `done` if none
    CLEAR n relation*n                                      forget all rows
    ALIKE left right                                        as many rows in both, or the run ends: UNDECIDED
"""

from __future__ import annotations

from typing import NamedTuple

from reasoner.arrays import Ints, Longs
from reasoner.kernels import subkernel
from reasoner.kernels.scalars import int64

(HALT, SCAN, DELTA, STEP, PROBE, NEXT, MEMBER, ABSENT, FILLED, EMPTY, DIFFER, SAME, OPEN, FIND, MAKE, EMIT, ASK) = (
    range(17)
)
GO, AGAIN, ROUND, CLEAR, ALIKE = range(17, 22)

ARITY, COUNT, CAPACITY, GENERATION, FIRST, FULL, LOW, HIGH = range(8)
OF, WIDTH, COLUMNS, BITS, HEAD, CHAINS, SEEN, BUILT = range(8)
CODE, DONE, LEVEL = range(3)
ASKED, ENTRY = range(2)
FUNCTOR, ARGUMENTS, ARITY_OF, DEPTH, SIZE, CHAIN = range(6)

GENERATIONS, STATE_GENERATION, JOINT_GENERATION, STEPS, BUDGET, FAULT = range(6)
TERMS, TERM_ROOM, ARGUMENTS_USED, ARGUMENT_ROOM, MAX_DEPTH, MAX_SIZE = range(6, 12)
PLACE, UNIT = range(12, 14)
"""What `counters` hold.

FAULT: the relation that is full or undecided, when that was the fault; PLACE: where in the code a run ended; UNIT: the
unit that was being evaluated.
"""

WIDE = 8
"""Words of an entry of `relations`, `indexes`, `units`, `demands` and `terms`."""

TERM_BITS = 16
"""Of the hash of compounds."""

FINE, ROWS_FULL, TERMS_FULL, BUDGET_SPENT, TERM_TOO_LARGE, TERM_TOO_DEEP, UNDECIDED = range(7)
"""How a run ends."""

VARIABLES = 1 << 16
"""Registers for what is bound; the numbers above are constants."""

SLOTS = 1 << 13
"""Loops that may stand inside one another."""

MOST_NESTED = 1 << 12
"""Ways to ask for relations on demand, any of which may be under evaluation inside one another."""

STATIC, STATE, JOINT = range(3)
"""The level of a unit: what it depends on. Nothing, the facts of a state, or a joint move besides."""


class Arrays(NamedTuple):
    """All of the memory; see the module's text."""

    code: Ints
    registers: Ints
    cursors: Ints  # [slots, 2] where a loop stands, and its end
    relations: Ints
    rows: Ints
    indexes: Ints
    columns: Ints  # of all indexes, one after the other
    heads: Longs
    chains: Ints  # [row of an index] the next row with the same hash, or -1
    terms: Ints
    arguments: Ints  # of all compounds, one after the other
    term_heads: Ints  # hash → last compound with it, or -1
    units: Ints
    demands: Ints
    stack: Ints  # where to go on after each relation being evaluated on demand
    counters: Longs


class RelationStore(NamedTuple):
    """Where each of the arrays lies, as kernels take it."""

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


MIX = int64(-7046029254386353131)  # 2^64 / golden ratio, odd: multiplicative hashing (Knuth)


@subkernel
def mix(hashed: int, word: int) -> int:
    """The hash of a key with one more word; its high bits are the good ones."""
    return (hashed ^ word) * MIX
