"""Helpers of the rewritings: the fact in an atom, the literals that read a relation, the name of a fact's shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasoner.language.terms import Shape, Term
from reasoner.rules.program import Atom, Literal, Relation, Rule

HOLDING = frozenset({("true", 1), ("next", 1), ("init", 1)})
"""Relations whose argument is a fact. In bodies, `next` occurs only in rewritten rules."""

DECLARING = frozenset({("base", 1)})


def fact_of(atom: Atom) -> Term | None:
    """Return the fact in a ``true``, ``next`` or ``init`` atom."""
    return atom.arguments[0] if atom.relation in HOLDING else None


def reads(rules: Iterable[Rule], relation: Relation) -> Iterator[tuple[Rule, Literal]]:
    """Yield every literal of `relation` in a body, with its rule."""
    for rule in rules:
        for literal in rule.literals():
            if literal.atom.relation == relation:
                yield rule, literal


def named(shape: Shape) -> str:
    """Return the name of a shape, such as ``cell/3``; a constant has no arguments."""
    return f"{shape[0]}/{max(shape[1], 0)}"
