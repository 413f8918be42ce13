"""The arrays of one game: relations, indexes, constants, code and terms can be added, and relations can grow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from reasoner.arrays import Ints
from reasoner.kernels.memory import address
from reasoner.language.terms import Term
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.layout import VARIABLES, Arrays, RelationStore
from reasoner.relational.interning import NO_FUNCTOR, Row, TermTable
from reasoner.rules.program import Relation

MIN_ROWS = 64
"""Initial capacity of a relation in rows."""

MAX_CELLS = 1 << 25
"""Maximum int32 cells of the rows of all relations together: 128 MiB."""


class Memory:
    """Owns `arrays`, which are replaced when they grow; numbers relations, indexes and constants."""

    def __init__(self, terms: TermTable, least_rows: int = MIN_ROWS) -> None:
        self.terms = terms
        self.relations: dict[Relation, int] = {}
        self._least_rows = min(least_rows, MIN_ROWS)
        self._indexes: dict[tuple[int, tuple[int, ...]], int] = {}
        self._constants: dict[int, int] = {}
        self._code = self._rows = self._heads = self._chains = self._columns = 0
        self.arrays = _empty_arrays(terms)
        self._store: RelationStore | None = None
        self._note_room()

    @property
    def store(self) -> RelationStore:
        """Return the addresses of the arrays."""
        if self._store is None:
            self._store = RelationStore(*(address(array) for array in self.arrays))
        return self._store

    def _note_room(self) -> None:
        self._store = None
        self.arrays.counters[at.TERM_ROOM] = len(self.arrays.terms)
        self.arrays.counters[at.ARGUMENT_ROOM] = len(self.arrays.arguments)

    def add_relation(self, relation: Relation) -> int:
        """Number a relation and allocate its rows."""
        number = self.relations[relation] = len(self.relations)
        self.fit("relations", number + 1)
        entry = self.arrays.relations[number]
        entry[:] = 0
        entry[at.ARITY], entry[at.GENERATION] = relation[1], 1
        self._place_rows(number, self._least_rows)
        entry = self.arrays.relations[number]
        entry[at.FULL] = self._index(number, tuple(range(relation[1])))
        return number

    def index(self, relation: Relation, columns: tuple[int, ...]) -> int:
        """Return the number of the index of a relation on some columns."""
        return self._index(self.relations[relation], columns)

    def constant(self, term: Term) -> int:
        """Return the register that contains a ground term."""
        number = self.terms.intern(term)
        register = self._constants.setdefault(number, VARIABLES + len(self._constants))
        self.fit("registers", register + 1)
        self.arrays.registers[register] = number
        return register

    def write(self, code: Sequence[int]) -> int:
        """Append code; return its address."""
        start = self._code
        self._code += len(code)
        self.fit("code", self._code)
        self.arrays.code[start : self._code] = code
        return start

    @property
    def here(self) -> int:
        """The address at which `write` puts the next code."""
        return self._code

    def grow(self, number: int, most: int, factor: int = 2) -> bool:
        """Multiply the capacity of a relation, up to `most` rows; return False if it cannot grow."""
        entry = self.arrays.relations[number]
        capacity = min(max(factor * int(entry[at.CAPACITY]), 1), most)
        if capacity <= entry[at.CAPACITY] or self._rows + capacity * int(entry[at.ARITY]) > MAX_CELLS:
            return False
        self._resize(number, capacity)
        return True

    def _resize(self, number: int, capacity: int) -> None:
        self._place_rows(number, capacity)
        for (relation, _), index in self._indexes.items():
            if relation == number:
                self._place_index(index)

    def clear(self, numbers: Iterable[int]) -> None:
        """Empty relations."""
        counters = self.arrays.counters
        counters[at.GENERATIONS] += 1
        for number in numbers:
            self.arrays.relations[number, [at.GENERATION, at.COUNT, at.HIGH]] = counters[at.GENERATIONS], 0, 0

    def set_rows(self, relation: Relation, rows: Collection[Row]) -> None:
        """Set the rows of a relation; `rows` must not have duplicates, and may have any length."""
        number = self.relations[relation]
        if len(rows) > self.arrays.relations[number, at.CAPACITY]:
            self._resize(number, len(rows))
        cells = np.array([*rows], np.int32)
        first = self.arrays.relations[number, at.FIRST]
        self.arrays.rows[first : first + cells.size] = cells.reshape(-1)
        self.arrays.relations[number, at.COUNT] = len(cells)

    def rows(self, number: int) -> Ints:
        """Return a view of the current rows of a relation.  # [rows, arity] int32."""
        entry = self.arrays.relations[number]
        first, count, arity = int(entry[at.FIRST]), int(entry[at.COUNT]), int(entry[at.ARITY])
        return self.arrays.rows[first : first + count * arity].reshape(count, arity)

    def write_unit(self, number: int, code: int, level: int) -> None:
        """Set the code address and the level of a unit."""
        self.fit("units", number + 1)
        self.arrays.units[number] = (code, 0, level, 0, 0, 0, 0, 0)

    def push_terms(self) -> None:
        """Copy new terms of the term table to the store."""
        known, total = int(self.arrays.counters[at.TERMS]), len(self.terms.functors)
        if known >= total:  # if known > total, the store has terms that are not pulled yet
            return
        self.fit("terms", total)
        for number in range(known, total):
            self._push(number)
        self.arrays.counters[at.TERMS] = total

    def pull_terms(self) -> None:
        """Copy new compounds of the store to the term table."""
        terms, arrays = self.terms, self.arrays
        for number in range(len(terms.functors), int(arrays.counters[at.TERMS])):
            entry = arrays.terms[number]
            first = int(entry[at.ARGUMENTS])
            arguments = arrays.arguments[first : first + entry[at.ARITY_OF]].tolist()
            made = terms.compounds[(int(entry[at.FUNCTOR]), *arguments)]
            assert made == number  # the store and the table number terms consecutively

    def forget_terms(self, known: int) -> None:
        """Remove the terms from number `known` on, which no row contains and `pull_terms` has not copied."""
        arrays, total = self.arrays, int(self.arrays.counters[at.TERMS])
        if total > known:
            arrays.counters[[at.TERMS, at.ARGUMENTS_USED]] = known, arrays.terms[known, at.ARGUMENTS]
            arrays.term_heads[:] = -1
            for number in range(known):
                if arrays.terms[number, at.FUNCTOR] != NO_FUNCTOR:
                    _chain(arrays, number)

    def grow_terms(self, most: int) -> bool:
        """Enlarge the arrays of terms, up to `most` terms, or of their arguments; return False if neither can grow."""
        counters = self.arrays.counters
        if counters[at.TERMS] < counters[at.TERM_ROOM]:
            length = 2 * len(self.arrays.arguments)
            self.fit("arguments", min(length, MAX_CELLS))
            return length <= MAX_CELLS
        length = min(2 * len(self.arrays.terms), most)
        grown = length > len(self.arrays.terms)
        self.fit("terms", length)
        return grown

    def _push(self, number: int) -> None:
        terms, arrays = self.terms, self.arrays
        arguments = terms.arguments[number]
        used = int(arrays.counters[at.ARGUMENTS_USED])
        self.fit("arguments", used + len(arguments))
        arrays = self.arrays
        arrays.arguments[used : used + len(arguments)] = arguments
        arrays.counters[at.ARGUMENTS_USED] = used + len(arguments)
        arrays.terms[number, : at.CHAIN] = (
            terms.functors[number], used, len(arguments), terms.depth(number), terms.size(number)
        )  # fmt: skip
        if terms.functors[number] != NO_FUNCTOR:
            _chain(arrays, number)

    def _index(self, relation: int, columns: tuple[int, ...]) -> int:
        known = self._indexes.get((relation, columns))
        if known is not None:
            return known
        number = self._indexes[relation, columns] = len(self._indexes)
        self.fit("indexes", number + 1)
        self.fit("columns", self._columns + len(columns))
        self.arrays.columns[self._columns : self._columns + len(columns)] = columns
        entry = self.arrays.indexes[number]
        entry[:] = 0
        entry[at.OF], entry[at.WIDTH], entry[at.COLUMNS] = relation, len(columns), self._columns
        self._columns += len(columns)
        self._place_index(number)
        return number

    def _place_rows(self, number: int, capacity: int) -> None:
        """Move the rows of a relation to a larger range of `rows`."""
        old = self.rows(number).copy()
        arity = int(self.arrays.relations[number, at.ARITY])
        first, self._rows = self._rows, self._rows + capacity * arity
        self.fit("rows", self._rows)
        self.arrays.rows[first : first + old.size] = old.reshape(-1)
        self.arrays.relations[number, at.FIRST] = first
        self.arrays.relations[number, at.CAPACITY] = capacity

    def _place_index(self, number: int) -> None:
        """Allocate an index for the capacity of its relation."""
        capacity = int(self.arrays.relations[self.arrays.indexes[number, at.OF], at.CAPACITY])
        bits = max(1, (capacity - 1).bit_length())
        heads, self._heads = self._heads, self._heads + (1 << bits)
        chains, self._chains = self._chains, self._chains + capacity
        self.fit("heads", self._heads)
        self.fit("chains", self._chains)
        entry = self.arrays.indexes[number]
        entry[at.BITS], entry[at.HEAD], entry[at.CHAINS] = bits, heads, chains
        entry[at.SEEN] = entry[at.BUILT] = 0

    def fit(self, name: str, length: int) -> None:
        """Grow an array to at least this length."""
        array = getattr(self.arrays, name)
        if length > len(array):
            shape = (max(length, 2 * len(array)), *array.shape[1:])
            larger = np.zeros(shape, array.dtype)
            larger[: len(array)] = array
            self.arrays = self.arrays._replace(**{name: larger})
            self._note_room()


def _chain(arrays: Arrays, number: int) -> None:
    """Add a compound to the hash table of compounds that `tables.make_term` reads."""
    entry = arrays.terms[number]
    first = int(entry[at.ARGUMENTS])
    mixed = (int(entry[at.FUNCTOR]) * MIX) & WORD
    for argument in arrays.arguments[first : first + entry[at.ARITY_OF]].tolist():
        mixed = ((mixed ^ argument) * MIX) & WORD
    bucket = (mixed >> 20) & ((1 << at.TERM_BITS) - 1)
    entry[at.CHAIN] = arrays.term_heads[bucket]
    arrays.term_heads[bucket] = number


MIX = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1


def _empty_arrays(terms: TermTable) -> Arrays:
    counters = np.zeros(16, np.int64)
    counters[at.GENERATIONS] = counters[at.STATE_GENERATION] = counters[at.JOINT_GENERATION] = 1
    counters[at.MAX_DEPTH], counters[at.MAX_SIZE] = terms.max_depth, terms.max_size
    return Arrays(
        code=np.zeros(4096, np.int32),
        registers=np.zeros(VARIABLES + 256, np.int32),
        cursors=np.zeros((at.SLOTS, 2), np.int32),
        relations=np.zeros((64, 8), np.int32),
        rows=np.zeros(4096, np.int32),
        indexes=np.zeros((128, 8), np.int32),
        columns=np.zeros(512, np.int32),
        heads=np.zeros(8192, np.int64),
        chains=np.zeros(4096, np.int32),
        terms=np.zeros((1024, 8), np.int32),
        arguments=np.zeros(4096, np.int32),
        term_heads=np.full(1 << at.TERM_BITS, -1, np.int32),
        units=np.zeros((64, 8), np.int32),
        demands=np.zeros((16, 8), np.int32),
        stack=np.zeros(at.MAX_DEMANDS, np.int32),
        counters=counters,
    )
