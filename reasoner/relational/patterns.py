"""Atoms of a rule body as patterns: the view of a relation that holds one column per variable."""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.language.terms import Compound, Term, Variable, is_ground
from reasoner.relational.interning import TermTable
from reasoner.relational.table import Access, Select, Slice
from reasoner.rules.program import Atom


@dataclass(frozen=True, slots=True)
class Pattern:
    """An atom as an access path: the view at its end has the columns `variables`, each variable once."""

    atom: Atom
    access: Access | None
    variables: tuple[Variable, ...]


class Patterns:
    """Makes patterns; equal access paths are one object, so that rules share views and indexes."""

    def __init__(self, terms: TermTable) -> None:
        self.terms = terms
        self._paths: dict[tuple[int | None, Slice | Select], Access] = {}

    def pattern(self, atom: Atom, needed: set[Variable]) -> Pattern:
        """`atom` with one column for each of its variables that is in `needed`; the others are projected away."""
        columns: list[Term] = list(atom.arguments)
        access: Access | None = None
        position = 0
        while position < len(columns):
            term = columns[position]
            if isinstance(term, Compound) and not is_ground(term):
                functor = self.terms.functor(term.functor, len(term.arguments))
                access = self._extend(access, Slice(position, functor))
                columns[position : position + 1] = term.arguments
            else:
                position += 1
        return self._select(atom, access, columns, needed)

    def _select(self, atom: Atom, access: Access | None, columns: list[Term], needed: set[Variable]) -> Pattern:
        first: dict[Variable, int] = {}
        constants, equal = [], []
        for position, term in enumerate(columns):
            if not isinstance(term, Variable):
                constants.append((position, self.terms.intern(term)))
            elif term in first:
                equal.append((first[term], position))
            else:
                first[term] = position
        kept = {variable: position for variable, position in first.items() if variable in needed}
        if len(kept) < len(columns):
            access = self._extend(access, Select(tuple(constants), tuple(equal), tuple(kept.values())))
        return Pattern(atom, access, tuple(kept))

    def _extend(self, before: Access | None, step: Slice | Select) -> Access:
        key = (id(before) if before else None, step)
        path = self._paths.get(key)
        if path is None:
            path = self._paths[key] = Access(step, before, self.terms)
        return path
