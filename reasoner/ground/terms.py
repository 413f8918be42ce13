"""Ground terms in arrays, which are fast to send to another process; `Term` objects are created on demand.

Term ``t`` is a constant if ``kind[t] >= 0``: ``constants[kind[t]]``; otherwise a compound with the functor
``functors[~kind[t]]`` and the arguments ``parts[first[t]] … parts[first[t + 1] - 1]``, which are smaller numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import overload

import numpy as np

from reasoner.arrays import Ints, Longs
from reasoner.language.terms import Compound, Constant, Term

Kept = tuple[tuple[str, ...], tuple[str, ...], Ints, Ints, Ints]
"""The pickled form of a table."""


@dataclass(frozen=True, eq=False)
class TermTable:
    """The T terms of a ground program. The module docstring describes the layout."""

    constants: tuple[str, ...]
    functors: tuple[str, ...]
    kind: Ints  # [T]
    first: Ints  # [T + 1]
    parts: Ints  # [parts]
    _made: dict[int, Term] = field(default_factory=dict, repr=False)  # the `Term` objects created so far
    _found: dict[Term, int] = field(default_factory=dict, repr=False)  # the inverse of `_made`

    def __getstate__(self) -> Kept:
        return self.constants, self.functors, self.kind, self.first, self.parts

    def __setstate__(self, state: Kept) -> None:
        for name, value in zip(("constants", "functors", "kind", "first", "parts"), state, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_made", {})
        object.__setattr__(self, "_found", {})

    def term(self, number: int) -> Term:
        """Return the term of a number."""
        made = self._made.get(number)
        if made is None:
            kind = int(self.kind[number])
            parts = map(self.term, self._parts(number))
            made = Constant(self.constants[kind]) if kind >= 0 else Compound(self.functors[~kind], tuple(parts))
            self._made[number] = made
            self._found[made] = number
        return made

    def find(self, term: Term) -> int | None:
        """Return the number of a term; None if it is not in the table."""
        number = self._found.get(term)
        if number is None:
            number = self._constant(term.name) if isinstance(term, Constant) else self._compound(term)
            if number is not None:
                self._found[term] = number
        return number

    def texts(self) -> list[str]:
        """Return the KIF text of every term."""
        texts: list[str] = []
        first, parts = self.first.tolist(), self.parts.tolist()
        for number, kind in enumerate(self.kind.tolist()):
            own = [texts[part] for part in parts[first[number] : first[number + 1]]]
            texts.append(self.constants[kind] if kind >= 0 else f"({' '.join((self.functors[~kind], *own))})")
        return texts

    def _parts(self, number: int) -> list[int]:
        parts: list[int] = self.parts[self.first[number] : self.first[number + 1]].tolist()
        return parts

    def _constant(self, name: str) -> int | None:
        if name not in self.constants:
            return None
        found = np.flatnonzero(self.kind == self.constants.index(name))
        return int(found[0]) if len(found) else None

    def _compound(self, term: Term) -> int | None:
        if not isinstance(term, Compound) or term.functor not in self.functors:
            return None
        parts = [self.find(argument) for argument in term.arguments]
        kinds = self.kind == ~self.functors.index(term.functor)
        like = np.flatnonzero(kinds & (np.diff(self.first) == len(parts)))
        for i, part in enumerate(parts):
            like = like[self.parts[self.first[like] + i] == part] if part is not None else like[:0]
        return int(like[0]) if len(like) else None


@dataclass(frozen=True, eq=False)
class GroundTerms(Sequence[Term]):
    """Some terms of a table, in order."""

    table: TermTable
    numbers: Ints  # [terms]

    def __reduce__(self) -> tuple[type[GroundTerms], tuple[TermTable, Ints]]:
        return GroundTerms, (self.table, self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Term]:
        return map(self.table.term, self.numbers.tolist())

    @overload
    def __getitem__(self, index: int) -> Term: ...

    @overload
    def __getitem__(self, index: slice) -> GroundTerms: ...

    def __getitem__(self, index: int | slice) -> Term | GroundTerms:
        if isinstance(index, slice):
            return GroundTerms(self.table, self.numbers[index])
        return self.table.term(int(self.numbers[index]))

    def at(self, positions: Longs) -> GroundTerms:
        """Return the terms at some positions."""
        return GroundTerms(self.table, self.numbers[positions])

    def find(self, term: Term) -> int | None:
        """Return the position of a term in this sequence; None if the sequence does not contain it."""
        number = self.table.find(term)
        position = -1 if number is None else int(self._positions[number])
        return None if position < 0 else position

    @cached_property
    def _positions(self) -> Ints:
        """The position of each term of the table in this sequence, or -1.  # [T]."""
        positions = np.full(len(self.table.kind), -1, np.int32)
        positions[self.numbers] = np.arange(len(self.numbers), dtype=np.int32)
        return positions
