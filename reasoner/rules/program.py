"""Programs: the rules of a game in normal form, the input of every stage after parsing.

In normal form a body is a conjunction of literals and disequalities: each ``or`` has been distributed or replaced by an
auxiliary relation, nested ``not`` and ``and`` removed, ``(not (distinct a b))`` unified away. A relation is
identified by its name and arity together, so that one name with two arities is two relations.
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
    """``head`` holds whenever all of ``body`` does. A fact is a rule with an empty body.

    `span` is the rule's place in the source and is ignored in comparisons. The order of the body has no meaning: an
    evaluator orders it itself.
    """

    head: Atom
    body: tuple[Condition, ...] = ()
    span: Span | None = field(default=None, compare=False)

    def literals(self) -> Iterator[Literal]:
        """The literals of the body, negated ones too."""
        return (condition for condition in self.body if isinstance(condition, Literal))

    def variables(self) -> Iterator[Variable]:
        """Every occurrence of a variable, in the head and then in the body."""
        yield from self.head.variables()
        yield from variables_in(self.body)

    def substituted(self, bindings: Mapping[Variable, Term]) -> Rule:
        """The rule with each bound variable replaced; unbound ones stay."""
        return Rule(self.head.substituted(bindings), tuple(c.substituted(bindings) for c in self.body), self.span)

    def renamed(self, mark: str) -> Rule:
        """The rule with fresh variables: with a space and `mark` after their names, which no rulesheet can spell."""
        return self.substituted({v: Variable(f"{v.name} {mark}") for v in self.variables()})

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


@dataclass(frozen=True, slots=True)
class Program:
    """A game: its rules in source order and its roles in the order of the `role` facts.

    Rewritings mark two kinds of relations. `possible` relations have the rows that another relation may have: the
    grounder instantiates them, and they count as true, so that a body can be joined where the truth of the other
    relation does not matter. `selected` relations are large views without the columns that their readers determine.
    """

    rules: tuple[Rule, ...]
    roles: tuple[Term, ...]
    possible: frozenset[Relation] = frozenset()
    selected: frozenset[Relation] = frozenset()

    def by_head(self) -> dict[Relation, list[Rule]]:
        """For each relation all its rules and facts, in source order."""
        found: dict[Relation, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.head.relation, []).append(rule)
        return found

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))


def is_auxiliary(relation: Relation) -> bool:
    """Whether a relation was made by normalisation or a rewrite: its name has a space, which no rulesheet can spell."""
    return " " in relation[0]
