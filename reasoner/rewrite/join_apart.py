"""Split a body that reads several large views into a join of smaller bodies, and unfold the views there.

"Each of the nine numbers stands in exactly one of these nine cells": a view over nine variables, read nine times. If
keys imply that a state determines each of the variables (`reasoner.rewrite.keys`), given those of the head, the body
equals the join of smaller ones, each with the literals that determine the values and one literal of the view (Heath
1971; join dependencies, Rissanen 1977). A view that is alone in its body can be replaced by its rules, whose conditions
on each variable are then split off: no row of the view is ever derived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasoner.language.terms import Variable
from reasoner.rewrite.chase import stated_laws
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rewrite.keys import find_keys, law_of
from reasoner.rewrite.unfold_large import LARGE, put
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule, is_positive
from reasoner.rules.strata import stratify

APART = "apart "
"""Prefix of the names of relations for split bodies."""

MOST_RULES = 2_000
"""Maximum resulting rules; with more, the program stays unchanged."""


def join_apart(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Return `program` without its large views of several rules, if keys allow all their readers to unfold them."""
    views = _large(program, outputs)
    if not views:
        return program
    laws = _Laws(program)
    made: list[Rule] = []
    for rule in program.rules:
        if rule.head.relation in views:
            continue
        read = [c for c in dict.fromkeys(rule.body) if isinstance(c, Literal) and c.atom.relation in views]
        parts = _parts(rule, read, laws, len(made)) if read else [rule]
        if parts is None or len(made) > MOST_RULES:
            return program
        for part in parts:
            made += _unfolded(part, views)
    apart = drop_unused(Program(tuple(dict.fromkeys(made)), program.roles), outputs)
    # # the keys of the result must still detect every state that violates the original keys
    return apart if find_keys(apart).facts == find_keys(program).facts else program


def _large(program: Program, outputs: frozenset[Relation]) -> dict[Relation, tuple[Rule, ...]]:
    """Return the views with many rows, each with its rules, none of which reads such a view."""
    estimate = Estimate.of(program)
    literals = [literal for rule in program.rules for literal in rule.literals()]
    negated = {literal.atom.relation for literal in literals if not literal.positive}
    found = {
        relation: component.rules
        for component in stratify(program)
        for relation in component.relations
        if not component.recursive
        and len(component.rules) > 1
        and all(rule.body for rule in component.rules)
        and relation not in outputs | negated
        and estimate.sizes.get(relation, 0) >= LARGE
    }
    read = {literal.atom.relation for rules in found.values() for rule in rules for literal in rule.literals()}
    return found if not read & found.keys() else {}


def _parts(rule: Rule, read: list[Literal], laws: _Laws, number: int) -> list[Rule] | None:
    """Return the rule as a join of rules that read one view each; None if the head does not determine its variables."""
    rest = [c for c in dict.fromkeys(rule.body) if c not in read]
    given = laws.given(set(rule.head.variables()), rest)
    if len(read) == 1:
        return [rule]
    if not all(given.issuperset(literal.variables()) for literal in read):
        return None
    head = tuple(dict.fromkeys(rule.head.variables()))
    atoms = [Atom(f"{APART}{number + i}", head) for i in range(len(read))]
    parts = [Rule(atom, (*rest, view), rule.span) for atom, view in zip(atoms, read, strict=True)]
    return [Rule(rule.head, tuple(map(Literal, atoms)), rule.span), *parts]


class _Laws:
    """Functional dependencies in facts of a state and rows of stated relations."""

    def __init__(self, program: Program) -> None:
        self._keys = find_keys(program)
        self._stated = stated_laws(program)

    def given(self, variables: set[Variable], conditions: Iterable[Condition]) -> set[Variable]:
        """Return the variables that `variables` determine if the conditions hold."""
        laws = [law for c in conditions if is_positive(c) for law in self._of(c)]
        while gained := {v for key, determined in laws if key <= variables for v in determined} - variables:
            variables = variables | gained
        return variables

    def _of(self, literal: Literal) -> Iterator[tuple[set[Variable], set[Variable]]]:
        law = law_of(literal, self._keys.laws)
        if law:
            yield law
        for stated in self._stated.get(literal.atom.relation, ()):
            key, determined = (
                {v for i in columns for v in Atom("", (literal.atom.arguments[i],)).variables()} for columns in stated
            )
            yield key, determined


def _unfolded(rule: Rule, views: dict[Relation, tuple[Rule, ...]]) -> list[Rule]:
    """Return the rule with the one view that it reads replaced by each of the view's rules."""
    for place, condition in enumerate(rule.body):
        if isinstance(condition, Literal) and condition.atom.relation in views:
            found = (put(rule, condition, view, place) for view in views[condition.atom.relation])
            return [one for one in found if one]
    return [rule]
