"""Facts of a state by their shape: what rules make, keep and read of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasoner.language.terms import Shape, Term
from reasoner.rules.program import Atom, Literal, Relation, Rule

HOLDING = frozenset({("true", 1), ("next", 1), ("init", 1)})
"""Relations that say of a fact when it holds. `next` stands in bodies of rewritten rules only."""

DECLARING = frozenset({("base", 1)})


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
