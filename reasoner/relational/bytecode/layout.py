"""The memory and the instructions of join plans.

A *row* has one term (a number of `TermTable`) per column of its relation. The rows of a relation are consecutive in the
pool `rows`. An *index* groups the rows of a relation by some columns. It is a hash table with chains; new rows are
added on the next use of the index. No array is ever cleared: changing the `GENERATION` of a relation empties the
relation and its indexes. An entry of `heads` is ``generation << 32 | row``, and is valid only if it has the generation
of its index.

    relations [relations, 8] int32   ARITY COUNT CAPACITY GENERATION FIRST FULL LOW HIGH
    indexes   [indexes, 8] int32     OF WIDTH COLUMNS BITS HEAD CHAINS SEEN BUILT
    units     [units, 8] int32       CODE DONE LEVEL (five unused)
    demands   [demands, 8] int32     ASKED ENTRY (six unused)
    terms     [terms, 8] int32       FUNCTOR ARGUMENTS ARITY_OF DEPTH SIZE CHAIN (two unused)

Operands that are terms are numbers of registers: the first `VARIABLES` contain bound variables, the others constants.
A failed test continues at the step of the last loop that can change the tested values, or at a `HALT`.

    HALT                                                    end, or return to the code after the ASK that called this
    SCAN slot relation                                      a loop over all rows
    DELTA slot relation                                     a loop over the rows LOW … HIGH
    STEP slot relation exhausted n (column register)*n      the next row of such a loop
    PROBE slot index fail n key*n                           a loop over the rows with a key
    NEXT slot index keys exhausted n (column register)*n    the next row of this loop; `keys`: position of the keys
    MEMBER index fail n key*n                               test that some row has the key
    ABSENT index fail n key*n                               test that no row has the key
    FILLED relation fail                                    test that the relation has a row
    EMPTY relation fail                                     test that the relation has no row
    DIFFER left right fail                                  test that two terms differ
    SAME left right fail                                    test that two terms are equal
    OPEN term functor fail n register*n                     load the arguments of a compound into registers
    FIND register functor fail n argument*n                 look up a compound; fail if it does not exist
    MAKE register functor n argument*n                      look up a compound; create it if it does not exist
    ASK demand n key*n                                      evaluate a relation for a key, once
    EMIT relation then n register*n                         enter a row, and continue at `then`
    GO to                                                   jump to an address
    AGAIN n relation*n                                      the next ROUND treats all rows as new
    ROUND done n relation*n                                 LOW … HIGH: rows since the last ROUND; if none, go to `done`
    CLEAR n relation*n                                      remove all rows
    ALIKE left right                                        test for equal numbers of rows; else end as UNDECIDED
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

FAULT: the relation that is full or undecided, if that ended the run. PLACE: the address in the code where a run ended.
UNIT: the unit that was being evaluated.
"""

ENTRY_WORDS = 8
"""Words of an entry of `relations`, `indexes`, `units`, `demands` and `terms`."""

TERM_BITS = 16
"""Bits of the hash of compounds."""

FINE, ROWS_FULL, TERMS_FULL, BUDGET_SPENT, TERM_TOO_LARGE, TERM_TOO_DEEP, UNDECIDED = range(7)
"""The status at the end of a run."""

VARIABLES = 1 << 16
"""Number of registers for variables; registers from this number on contain constants."""

SLOTS = 1 << 13
"""Maximum number of nested loops."""

MAX_DEMANDS = 1 << 12
"""Maximum number of demands; in the worst case all of them are nested."""

STATIC, STATE, JOINT = range(3)
"""The level of a unit: STATIC depends on the rules only, STATE on the facts of a state, JOINT on a joint move, too."""


class Arrays(NamedTuple):
    """All arrays of the memory; the module docstring describes them."""

    code: Ints
    registers: Ints
    cursors: Ints  # [slots, 2] position of a loop, end of the loop
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
    """Return the record type of an entry whose first words have these names."""
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
    """Return the hash of a key extended by one word; the high bits are mixed best."""
    return (hashed ^ word) * MIX
