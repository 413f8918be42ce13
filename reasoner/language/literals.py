"""Atoms, literals and disequalities: the parts of rule bodies and queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from reasoner.language.terms import KeepsHash, Term, Variable, substitute, substituted, variables

Relation = tuple[str, int]
"""Name and arity: ``("cell", 3)``. Keywords are in lower case: ``("true", 1)``, ``("legal", 2)``."""


@dataclass(frozen=True, slots=True)
class Atom(KeepsHash):
    """A relation applied to terms. ``(open2)`` and ``open2`` are the same atom."""

    name: str
    arguments: tuple[Term, ...] = ()

    def __hash__(self) -> int:
        try:
            return self.kept_hash
        except AttributeError:
            object.__setattr__(self, "kept_hash", hash((self.name, self.arguments)))
            return self.kept_hash

    @property
    def relation(self) -> Relation:
        """Name and arity."""
        return (self.name, len(self.arguments))

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, left to right."""
        for argument in self.arguments:
            yield from variables(argument)

    def substituted(self, bindings: Mapping[Variable, Term]) -> Atom:
        """The atom with each bound variable replaced; other variables are unchanged."""
        if not bindings:
            return self
        arguments = substituted(self.arguments, bindings)
        return self if arguments is self.arguments else Atom(self.name, arguments)

    def __str__(self) -> str:
        return f"({' '.join((self.name, *map(str, self.arguments)))})" if self.arguments else self.name


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation (by failure)."""

    atom: Atom
    positive: bool = True

    def __hash__(self) -> int:  # faster than the tuple that a dataclass builds
        return hash(self.atom) if self.positive else ~hash(self.atom)

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, left to right."""
        return self.atom.variables()

    def substituted(self, bindings: Mapping[Variable, Term]) -> Literal:
        """The literal with each bound variable replaced; other variables are unchanged."""
        atom = self.atom.substituted(bindings)
        return self if atom is self.atom else Literal(atom, self.positive)

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class Distinct:
    """A disequality: the two terms are different ground terms."""

    left: Term
    right: Term

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, left to right."""
        yield from variables(self.left)
        yield from variables(self.right)

    def substituted(self, bindings: Mapping[Variable, Term]) -> Distinct:
        """The disequality with each bound variable replaced; other variables are unchanged."""
        left, right = substitute(self.left, bindings), substitute(self.right, bindings)
        return self if left is self.left and right is self.right else Distinct(left, right)

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


Condition = Literal | Distinct


def variables_in(conditions: Iterable[Condition]) -> list[Variable]:
    """Every occurrence of a variable in some conditions, left to right."""
    return [v for c in conditions for v in c.variables()]


def is_positive(condition: Condition) -> TypeGuard[Literal]:
    """Whether a condition is a positive literal, which binds its variables."""
    return isinstance(condition, Literal) and condition.positive
