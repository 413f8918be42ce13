"""The rules of a game in normal form, what every stage after parsing works on.

In normal form a body is a conjunction of literals and disequalities: ``or`` has been distributed or given an
auxiliary relation, nested ``not`` and ``and`` removed, ``(not (distinct a b))`` unified away. A relation is
identified by its name and arity together, so that one name with two arities is two relations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from reasoner.diagnostics import Span
from reasoner.language.terms import Term, Variable, variables

Relation = tuple[str, int]
"""Name and arity: ``("cell", 3)``. Keywords are in lower case: ``("true", 1)``, ``("legal", 2)``."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation applied to terms. ``(open2)`` and ``open2`` are the same atom."""

    name: str
    arguments: tuple[Term, ...] = ()

    @property
    def relation(self) -> Relation:
        """Name and arity."""
        return (self.name, len(self.arguments))

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, left to right."""
        for argument in self.arguments:
            yield from variables(argument)

    def __str__(self) -> str:
        return f"({' '.join((self.name, *map(str, self.arguments)))})" if self.arguments else self.name


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation (by failure)."""

    atom: Atom
    positive: bool = True

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, left to right."""
        return self.atom.variables()

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class Distinct:
    """The two terms are not the same ground term."""

    left: Term
    right: Term

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, left to right."""
        yield from variables(self.left)
        yield from variables(self.right)

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


Condition = Literal | Distinct


@dataclass(frozen=True, slots=True)
class Rule:
    """``head`` holds wherever all of ``body`` does. A fact is a rule with an empty body.

    `span` is where the rule stands in the source; rules are equal whatever their place. The order of the body has
    no meaning: an evaluator orders it itself.
    """

    head: Atom
    body: tuple[Condition, ...] = ()
    span: Span | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


@dataclass(frozen=True, slots=True)
class Program:
    """A game: its rules in source order and its roles in the order of the `role` facts."""

    rules: tuple[Rule, ...]
    roles: tuple[Term, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))
