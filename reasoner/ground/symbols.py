"""Decode gringo's symbols into numbered terms, with compiled code that calls clingo's C interface (clingo.h).

A symbol is an opaque 64-bit word. Equal symbols are equal words, so each symbol is decoded once, and terms share their
parts. `reasoner.ground.terms` describes the term numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs
from reasoner.kernels import device_function, kernel
from reasoner.kernels.hashing import place_of
from reasoner.kernels.memory import C_BYTE, C_INT, C_WORD, external, text, words
from reasoner.kernels.scalars import int32, uint64

NUMBER = 1
"""clingo's symbol type of numbers; all other symbols in this package are functions."""

MAX_SHOWN_ARITY = 2
"""Maximum arguments of a shown relation."""

NO_TERM = -1
DIGIT_0 = ord("0")

TERMS, PARTS = range(2)
"""Indices into `SymbolStore.used`."""

INITIAL_ROOM = 1 << 2
"""Initial capacity. It is small, so that every game runs the growth code, and warm-up compiles all kernels."""

_type = external("clingo_symbol_type", C_INT, C_WORD)
_number = external("clingo_symbol_number", C_BYTE, C_WORD, C_WORD)
_name = external("clingo_symbol_name", C_BYTE, C_WORD, C_WORD)
_arguments = external("clingo_symbol_arguments", C_BYTE, C_WORD, C_WORD, C_WORD)


class SymbolStore(NamedTuple):
    """The terms so far, and a hash table of their symbols, at most half full."""

    keys: Longs  # [a power of two] symbols, 0 in a free slot
    values: Ints  # [slots] the term of the symbol in each slot of `keys`
    kind: Ints  # [capacity of terms] as in `reasoner.ground.terms`
    first: Ints  # [capacity of terms + 1] as in `reasoner.ground.terms`
    parts: Ints  # [capacity of parts] as in `reasoner.ground.terms`
    used: Longs  # [2] number of terms and of parts

    @classmethod
    def empty(cls, room: int, parts: int) -> SymbolStore:
        """Return an empty store with the given capacity of terms and of parts."""
        places = 1 << (2 * room).bit_length()
        values, kind, first, arguments = (np.zeros(size, np.int32) for size in (places, room, room + 1, parts))
        return cls(np.zeros(places, np.int64), values, kind, first, arguments, np.zeros(2, np.int64))

    def doubled(self) -> SymbolStore:
        """Return a copy with twice the capacity."""
        bigger = SymbolStore.empty(2 * len(self.kind), 2 * len(self.parts))
        for field in ("kind", "first", "parts", "used"):
            old = getattr(self, field)
            getattr(bigger, field)[: len(old)] = old
        rehash(self.keys, self.values, bigger.keys, bigger.values)
        return bigger


def decoded(shown: Longs) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Decode the shown atoms: the relation of each, the terms of its arguments, and a table of all terms.

    shown [atoms, 2]: symbol, number. Returns relation [atoms], arguments [atoms, MAX_SHOWN_ARITY] terms or NO_TERM, and
    the terms: kind [terms], first [terms + 1], parts [parts].
    """
    relation, arguments = np.zeros(len(shown), np.int32), np.full((len(shown), MAX_SHOWN_ARITY), NO_TERM, np.int32)
    store, stack, at = SymbolStore.empty(INITIAL_ROOM, 2 * INITIAL_ROOM), np.zeros(INITIAL_ROOM, np.int64), 0
    while (at := decode(shown, at, store, stack, relation, arguments)) < len(shown):
        store, stack = store.doubled(), np.zeros(2 * len(stack), np.int64)
    terms, parts = store.used.tolist()
    return relation, arguments, store.kind[:terms].copy(), store.first[: terms + 1].copy(), store.parts[:parts].copy()


@kernel
def decode(shown: Longs, start: int, store: SymbolStore, stack: Longs, relation: Ints, arguments: Ints) -> int:
    """Decode the atoms from `start` on; return the first atom that does not fit, or the number of atoms."""
    out = np.zeros(2, np.int64)
    for i in range(start, len(shown)):
        relation[i] = index_of(shown[i, 0], out)
        own = parts_of(shown[i, 0], out)
        for column in range(len(own)):
            arguments[i, column] = term_of(store, stack, own[column], out)
            if arguments[i, column] == NO_TERM:
                return i
    return len(shown)


@device_function
def term_of(store: SymbolStore, stack: Longs, root: int, out: Longs) -> int:
    """Return the number of a symbol's term; store new terms, parts first. Returns NO_TERM if a term does not fit."""
    stack[0], height = root, 1
    while height:
        symbol = stack[height - 1]
        below = parts_of(symbol, out)
        count = len(below)
        if height + count > len(stack):
            return NO_TERM
        bottom = height
        if store.keys[place(store.keys, symbol)] == 0:
            for k in range(count):
                if store.keys[place(store.keys, below[k])] == 0:
                    stack[height] = below[k]
                    height += 1
            if height == bottom and not put(store, symbol, below, out):
                return NO_TERM
        if height == bottom:
            height -= 1
    return store.values[place(store.keys, root)]


@device_function
def put(store: SymbolStore, symbol: int, below: Longs, out: Longs) -> bool:
    """Store a term whose parts are already stored; return False if it does not fit."""
    term, used = store.used[TERMS], store.used[PARTS]
    if term == len(store.kind) or used + len(below) > len(store.parts):
        return False
    for k in range(len(below)):
        store.parts[used + k] = store.values[place(store.keys, below[k])]
    if _type(symbol) == NUMBER:
        _number(symbol, out.ctypes.data)
        store.kind[term] = int32(out[0])  # a C int, in the lower half of the word
    else:
        store.kind[term] = ~index_of(symbol, out)
    at = place(store.keys, symbol)
    store.keys[at], store.values[at] = symbol, term
    store.first[term + 1] = used + len(below)
    store.used[TERMS], store.used[PARTS] = term + 1, used + len(below)
    return True


@device_function
def parts_of(symbol: int, out: Longs) -> Longs:
    """Return the arguments of a symbol, as a view of clingo's memory; a number has none."""
    out[1] = 0
    if _type(symbol) != NUMBER:
        _arguments(symbol, out.ctypes.data, out[1:].ctypes.data)
    return words(out[0], out[1])


@device_function
def index_of(symbol: int, out: Longs) -> int:
    """Return the number in the name of a function symbol: 12 for ``p12``."""
    _name(symbol, out.ctypes.data)
    name = text(out[0])
    index, at = 0, 1
    while name[at] != 0:
        index = 10 * index + (name[at] - DIGIT_0)
        at += 1
    return index


@device_function
def place(keys: Longs, symbol: int) -> int:
    """Return the slot of a symbol in the hash table (linear probing)."""
    mask = len(keys) - 1
    at = place_of(uint64(symbol), mask)
    while keys[at] != 0 and keys[at] != symbol:
        at = (at + 1) & mask
    return at


@kernel
def rehash(keys: Longs, values: Ints, new_keys: Longs, new_values: Ints) -> None:
    """Move a hash table into a larger one."""
    for k in range(len(keys)):
        if keys[k] != 0:
            at = place(new_keys, keys[k])
            new_keys[at], new_values[at] = keys[k], values[k]
