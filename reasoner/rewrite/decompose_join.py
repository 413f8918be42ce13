"""Split a body that reads several large views into a join of smaller bodies, and unfold the views there.

Example: for "each of nine numbers is in exactly one of nine cells" a body reads a view of nine variables nine times. If
keys (`reasoner.rewrite.keys`) imply that in a state the variables of the head determine all others, the body equals the
join of smaller bodies. Each of them has the literals that determine the values, and one literal of the view (Heath
1971; join dependencies, Rissanen 1977). The one view in a body is then replaced by the bodies of its rules, and later
passes split off the conditions on each variable: no row of the view is ever derived.
"""

from __future__ import annotations

from dataclasses import replace

from reasoner.rewrite.chase import stated_laws
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rewrite.keys import closure, find_keys
from reasoner.rewrite.unfold_views import MIN_ROWS, put
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule, is_positive, variables_in
from reasoner.rules.strata import stratify

PART = "part "
"""Prefix of the names of relations for parts of a body."""

MAX_RULES = 2_000
"""Maximum resulting rules; with more, the program stays unchanged."""


def decompose_join(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Unfold the large views of `program` that have several rules, if keys allow this in all rules that read them."""
    views = _large(program, outputs)
    if not views:
        return program
    keys, stated = find_keys(program), stated_laws(program)
    made: list[Rule] = []
    for rule in program.rules:
        if rule.head.relation in views:
            continue
        read = [c for c in dict.fromkeys(rule.body) if isinstance(c, Literal) and c.atom.relation in views]
        parts = [rule]
        if len(read) > 1:
            rest = [c for c in dict.fromkeys(rule.body) if c not in read]
            if not closure(rule.head.variables(), rest, stated, keys.laws).issuperset(variables_in(read)):
                return program
            parts = _parts(rule, read, rest, len(made))
            if not all(map(_is_safe, parts)):
                return program
        if len(made) > MAX_RULES:
            return program
        for part in parts:
            made += _unfolded(part, views)
    decomposed = drop_unused(replace(program, rules=tuple(dict.fromkeys(made))), outputs)
    # the keys of the result must still detect every state that violates the original keys
    return decomposed if find_keys(decomposed).facts == keys.facts else program


def _large(program: Program, outputs: frozenset[Relation]) -> dict[Relation, tuple[Rule, ...]]:
    """Return the large views with their rules; empty if one of these rules reads a large view."""
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
        and estimate.sizes.get(relation, 0) >= MIN_ROWS
    }
    read = {literal.atom.relation for rules in found.values() for rule in rules for literal in rule.literals()}
    return found if not read & found.keys() else {}


def _parts(rule: Rule, read: list[Literal], rest: list[Condition], number: int) -> list[Rule]:
    """Return the rule as a join of rules that read one view each; `rest` are its other conditions."""
    head = tuple(dict.fromkeys(rule.head.variables()))
    bodies = [(*rest, view) for view in read]
    bound = [tuple(v for v in head if v in variables_in(body)) for body in bodies]
    atoms = [Atom(f"{PART}{number + i}", variables) for i, variables in enumerate(bound)]
    parts = [Rule(atom, body, rule.span) for atom, body in zip(atoms, bodies, strict=True)]
    return [Rule(rule.head, tuple(map(Literal, atoms)), rule.span), *parts]


def _is_safe(rule: Rule) -> bool:
    """Whether each variable of a rule occurs in a positive literal of its body."""
    bound = set(variables_in(filter(is_positive, rule.body)))
    return bound.issuperset([*rule.head.variables(), *variables_in(rule.body)])


def _unfolded(rule: Rule, views: dict[Relation, tuple[Rule, ...]]) -> list[Rule]:
    """Return the rule with the one view that it reads replaced by each of the view's rules."""
    for place, condition in enumerate(rule.body):
        if isinstance(condition, Literal) and condition.atom.relation in views:
            found = (put(rule, condition, view, place) for view in views[condition.atom.relation])
            return [one for one in found if one]
    return [rule]
