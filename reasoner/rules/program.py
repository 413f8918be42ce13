"""Programs: the rules of a game in normal form, the input of every stage after parsing.

In normal form a body is a conjunction of literals and disequalities: each ``or`` has been distributed or replaced by an
auxiliary relation, nested ``not`` and ``and`` are removed, and the terms of ``(not (distinct a b))`` are unified. A
relation is identified by its name and its arity, so one name with two arities means two relations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from reasoner.diagnostics import Span
from reasoner.language.literals import Atom, Condition, Distinct, Literal, Relation, is_positive, variables_in
from reasoner.language.terms import Term, Variable

__all__ = [
    "Atom",
    "Condition",
    "Distinct",
    "Literal",
    "Program",
    "Relation",
    "Rule",
    "is_auxiliary",
    "is_positive",
    "variables_in",
]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: ``head`` is true if all conditions of ``body`` are true. A fact is a rule with an empty body.

    `span` is the location of the rule in the source; comparisons ignore it. The order of the conditions has no meaning:
    each evaluator chooses its own order.
    """

    head: Atom
    body: tuple[Condition, ...] = ()
    span: Span | None = field(default=None, compare=False)

    def literals(self) -> Iterator[Literal]:
        """Yield the literals of the body, positive and negated."""
        return (condition for condition in self.body if isinstance(condition, Literal))

    def variables(self) -> Iterator[Variable]:
        """Yield every occurrence of a variable, first in the head, then in the body."""
        yield from self.head.variables()
        yield from variables_in(self.body)

    def substituted(self, bindings: Mapping[Variable, Term]) -> Rule:
        """Return the rule with each bound variable replaced; other variables are unchanged."""
        return Rule(self.head.substituted(bindings), tuple(c.substituted(bindings) for c in self.body), self.span)

    def renamed(self, mark: str) -> Rule:
        """Return the rule with fresh variables: a space and `mark` are appended to their names."""
        return self.substituted({v: Variable(f"{v.name} {mark}") for v in self.variables()})

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


@dataclass(frozen=True, slots=True)
class Program:
    """A game: its rules in source order and its roles in the order of the `role` facts.

    Rewritings mark two kinds of relations. A `possible` relation over-approximates another relation: it has all rows
    that the other one may have. The grounder instantiates it, and its rows count as true, so it can restrict a join
    without gates in the circuit. `selected` relations are large views without the columns that their readers determine.
    """

    rules: tuple[Rule, ...]
    roles: tuple[Term, ...]
    possible: frozenset[Relation] = frozenset()
    selected: frozenset[Relation] = frozenset()

    def by_head(self) -> dict[Relation, list[Rule]]:
        """Return, for each relation, its rules and facts in source order."""
        found: dict[Relation, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.head.relation, []).append(rule)
        return found

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))


def is_auxiliary(relation: Relation) -> bool:
    """Whether a relation was created by normalisation or a rewriting: its name contains a space."""
    return " " in relation[0]
