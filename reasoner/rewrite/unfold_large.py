"""Unfold large views: put the body of the view in place of the literal.

A view that relates many things without a condition, such as "the direction from any place to any other", has as many
rows as all their combinations, but its readers need few of them. Joined where it is read, and split there, it needs no
rows of its own. Only views of one rule are unfolded, so that bodies do not multiply.
"""

from __future__ import annotations

from reasoner.language.terms import Variable
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rules.program import Condition, Literal, Program, Relation, Rule
from reasoner.rules.strata import stratify

LARGE = 100_000
"""Minimum estimated rows of a view to unfold."""


def unfold_large(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Return `program` with large views of one rule, none of `outputs`, unfolded."""
    views = _large(program, outputs)
    if not views:
        return program
    rules = [unfolded for rule in program.rules if (unfolded := _unfolded(rule, views))]
    return drop_unused(Program(tuple(rules), program.roles), outputs)


def _large(program: Program, outputs: frozenset[Relation]) -> dict[Relation, Rule]:
    """Return the views to unfold, each with its rule; none is read under a `not`."""
    estimate = Estimate.of(program)
    literals = [literal for rule in program.rules for literal in rule.literals()]
    negated = {literal.atom.relation for literal in literals if not literal.positive}
    single = [c.rules[0] for c in stratify(program) if not c.recursive and len(c.rules) == 1]
    return {
        rule.head.relation: rule
        for rule in single
        if rule.body
        and rule.head.relation not in outputs | negated
        and estimate.sizes.get(rule.head.relation, 0) >= LARGE
    }


def _unfolded(rule: Rule, views: dict[Relation, Rule]) -> Rule | None:
    """Return the rule without the views; None if it cannot fire."""
    found: Rule | None = rule
    number = 0
    while found:
        literal = next((c for c in found.literals() if c.atom.relation in views), None)
        if literal is None:
            return found
        number += 1
        found = put(found, literal, views[literal.atom.relation], number)
    return None


def put(rule: Rule, literal: Literal, view: Rule, number: int) -> Rule | None:
    """Return the rule with the body of one of a view's rules in place of a literal; None if their heads differ.

    `number` distinguishes the variables of several views unfolded into one rule.
    """
    view = view.substituted({v: Variable(f"{v.name} of {number}") for v in view.variables()})
    bindings = unify(zip(view.head.arguments, literal.atom.arguments, strict=True))
    if bindings is None:
        return None
    worked = resolve(bindings)
    rest: list[Condition] = [c for c in rule.body if c != literal]
    conditions = dict.fromkeys(c.substituted(worked) for c in (*rest, *view.body))
    return Rule(rule.head.substituted(worked), tuple(conditions), rule.span)
