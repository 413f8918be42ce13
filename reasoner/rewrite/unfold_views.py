"""Unfold large views: replace the literal of a view by the body of its rule.

A view without restricting conditions, such as "the direction from any square to any other", has a row for each
combination of values, but its readers need few of these rows. If its body is joined in the rules that read it, and
split there, the view needs no rows. `unfold_large` unfolds views of one rule only, so that the number of rules does not
grow.

`unfold_copies` is copy propagation: rules read the original rows instead of copies of them.

    ray(X,Y) :- rise(X,Y)    ray(X,Y) :- rise(Y,X)    move(X,Y) :- ray(X,Y)

gives ``move(X,Y) :- rise(X,Y)`` and ``move(X,Y) :- rise(Y,X)``. A *copy rule* has the rows of another relation,
possibly with permuted columns. Each row of a view between two copy rules costs the grounder an atom and a rule, and
produces no gates.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import chain

from reasoner.language.terms import Variable
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rules.program import Condition, Literal, Program, Relation, Rule, is_positive
from reasoner.rules.strata import stratify

MIN_ROWS = 100_000
"""Minimum estimated rows of a view that `unfold_large` unfolds."""


def unfold_large(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Unfold the large views of `program` that have one rule, except `outputs`."""
    views = _large(program, outputs)
    if not views:
        return program
    rules = [unfolded for rule in program.rules if (unfolded := _unfolded(rule, views))]
    return drop_unused(replace(program, rules=tuple(rules)), outputs)


def _large(program: Program, outputs: frozenset[Relation]) -> dict[Relation, Rule]:
    """Return the large views of one rule that are never negated, each with its rule."""
    estimate = Estimate.of(program)
    literals = [literal for rule in program.rules for literal in rule.literals()]
    negated = {literal.atom.relation for literal in literals if not literal.positive}
    single = [c.rules[0] for c in stratify(program) if not c.recursive and len(c.rules) == 1]
    return {
        rule.head.relation: rule
        for rule in single
        if rule.body
        and rule.head.relation not in outputs | negated
        and estimate.sizes.get(rule.head.relation, 0) >= MIN_ROWS
    }


def _unfolded(rule: Rule, views: dict[Relation, Rule]) -> Rule | None:
    """Return the rule with all views unfolded; None if a literal does not unify with the head of its view."""
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
    """Return the rule with a literal replaced by the body of the rule `view`; None if literal and head do not unify.

    `number` distinguishes the variables of several views unfolded into one rule.
    """
    view = view.renamed(f"of {number}")
    bindings = unify(zip(view.head.arguments, literal.atom.arguments, strict=True))
    if bindings is None:
        return None
    worked = resolve(bindings)
    rest: list[Condition] = [c for c in rule.body if c != literal]
    conditions = dict.fromkeys(c.substituted(worked) for c in (*rest, *view.body))
    return Rule(rule.head.substituted(worked), tuple(conditions), rule.span)


MIN_COPIED_ROWS = 10_000
"""Minimum estimated rows of a view that `unfold_copies` unfolds."""


def unfold_copies(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Unfold the large views of `program` between two copy rules, except `outputs`."""
    copies = _copies(program, outputs)
    if copies:
        sizes = Estimate.of(program).sizes
        once = {relation for stratum in stratify(program) if not stratum.recursive for relation in stratum.relations}
        copies = {v: rules for v, rules in copies.items() if v in once and sizes.get(v, 0) >= MIN_COPIED_ROWS}
    if not copies:
        return program
    rules = tuple(chain.from_iterable(_without_copies(rule, copies) for rule in program.rules))
    return drop_unused(replace(program, rules=rules), outputs)


def _copies(program: Program, outputs: frozenset[Relation]) -> dict[Relation, list[Rule]]:
    """Return the views that have only copy rules and are read once, by a copy rule, with their rules."""
    rules, readers = defaultdict[Relation, list[Rule]](list), defaultdict[Relation, list[Rule]](list)
    for rule in program.rules:
        rules[rule.head.relation].append(rule)
        for literal in rule.literals():
            readers[literal.atom.relation].append(rule)
    read_once = {view: own for view, own in rules.items() if view not in outputs and len(readers[view]) == 1}
    return {
        view: own
        for view, own in read_once.items()
        if program.possible.isdisjoint((view, readers[view][0].head.relation))
        and all(map(_copied, (*own, *readers[view])))
    }


def _copied(rule: Rule) -> Literal | None:
    """Return the literal that a copy rule copies; None if the rule is not a copy rule."""
    if len(rule.body) != 1 or not is_positive(rule.body[0]):
        return None
    terms, others = rule.head.arguments, rule.body[0].atom.arguments
    same = all(isinstance(term, Variable) for term in terms) and sorted(map(str, terms)) == sorted(map(str, others))
    return rule.body[0] if same and rule.body[0].atom.relation != rule.head.relation else None


def _without_copies(rule: Rule, copies: dict[Relation, list[Rule]]) -> list[Rule]:
    """Return the rules that replace a rule after all copies in it are unfolded."""
    literal = _copied(rule)
    views = copies.get(literal.atom.relation) if literal else None
    if literal is None or views is None:
        return [rule]
    made = (put(rule, literal, view, 1) for view in views)
    return list(chain.from_iterable(_without_copies(each, copies) for each in made if each))
