"""Facts of a state by their shape: what rules make, keep and read of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasoner.language.terms import Compound, Constant, Term
from reasoner.rules.program import Atom, Literal, Relation, Rule

Shape = tuple[str, int]
"""Functor and number of arguments of a fact; -1 for a constant, which is not a function without arguments."""

HOLDING = frozenset({("true", 1), ("next", 1), ("init", 1)})
"""Relations that say of a fact when it holds. `next` stands in bodies of rewritten rules only."""

DECLARING = frozenset({("base", 1)})


def shape_of(fact: Term) -> Shape | None:
    """The shape of a fact; None for a variable."""
    if isinstance(fact, Compound):
        return fact.functor, len(fact.arguments)
    return (fact.name, -1) if isinstance(fact, Constant) else None


def fact_of(atom: Atom) -> Term | None:
    """The fact that ``true``, ``next`` or ``init`` speaks of."""
    return atom.arguments[0] if atom.relation in HOLDING else None


def reads(rules: Iterable[Rule], relation: Relation) -> Iterator[tuple[Rule, Literal]]:
    """Every literal about `relation` in a body, with its rule."""
    for rule in rules:
        for literal in rule.literals():
            if literal.atom.relation == relation:
                yield rule, literal


def named(shape: Shape) -> str:
    """``cell/3``; a constant has no arguments."""
    return f"{shape[0]}/{max(shape[1], 0)}"
