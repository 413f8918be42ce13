"""Lenient reading of `next` in bodies, which strict GDL refuses: as views of the next state.

    (<= (next (l ?x)) (next (e ?x ?y)) (g ?y ?x))        (<= (next (l ?x)) (coming e ?x ?y) (g ?y ?x))
    (<= (next (e ?x ?y)) (g ?x ?y))                      (<= (coming e ?x ?y) (g ?x ?y))
                                                         (<= (next (e ?x ?y)) (coming e ?x ?y))

The checks then see the dependencies, and every later stage gets plain GDL. Unfolding would suffice for a fact with one
`next` rule. A view also works for several rules, for negation, and for facts that depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.language.terms import CONSTANT, Compound, Constant, Shape, Term, Variable, shape_of
from reasoner.language.unify import resolve, unify
from reasoner.rules.program import Atom, Condition, Literal, Relation, Rule, is_auxiliary

NEXT: Relation = ("next", 1)


def with_next_views(rules: Sequence[Rule]) -> list[tuple[Rule, int]]:
    """Replace `next` in bodies by views; return the rules, each with the index of its original rule.

    A `next` whose argument is a variable is not replaced; the checks refuse it.
    """
    read = dict.fromkeys(shape for rule in rules for c in rule.body if (shape := _shape_asked(c)) is not None)
    found: list[tuple[Rule, int]] = []
    for place, rule in enumerate(rules):
        reader = Rule(rule.head, tuple(_viewed(condition) for condition in rule.body), rule.span)
        made = [view for shape in read if (view := _view(reader, shape)) is not None]
        fact = rule.head.arguments[0] if rule.head.relation == NEXT else None
        seen = fact is not None and shape_of(fact) in read
        made.append(Rule(rule.head, (Literal(_atom(fact)),), rule.span) if fact is not None and seen else reader)
        found += [(one, place) for one in made]
    return found


def _shape_asked(condition: Condition) -> Shape | None:
    """Return the shape of the fact in a `next` condition; None for other conditions."""
    if isinstance(condition, Literal) and condition.atom.relation == NEXT:
        return shape_of(condition.atom.arguments[0])
    return None


def _viewed(condition: Condition) -> Condition:
    if _shape_asked(condition) is None:
        return condition
    assert isinstance(condition, Literal)
    return Literal(_atom(condition.atom.arguments[0]), condition.positive)


def _atom(fact: Term) -> Atom:
    """Return the atom of a view for a fact."""
    if isinstance(fact, Compound):
        return Atom(f"coming {fact.functor}", fact.arguments)
    assert isinstance(fact, Constant)
    return Atom(f"coming {fact.name} alone", ())


def shown(atom: Atom) -> str | None:
    """Return the text of an atom for messages; the atom of a view of the next state is shown as ``(next …)``.

    None for atoms of other auxiliary relations.
    """
    if not is_auxiliary(atom.relation):
        return str(atom)
    name = atom.name.removeprefix("coming ")
    if name == atom.name:
        return None
    fact = Compound(name, atom.arguments) if atom.arguments else Constant(name.removesuffix(" alone"))
    return str(Atom("next", (fact,)))


def _view(rule: Rule, shape: Shape) -> Rule | None:
    """Return the rule of the view for a `next` rule; None if the rule derives facts of another shape."""
    if rule.head.relation != NEXT:
        return None
    fact = rule.head.arguments[0]
    if not isinstance(fact, Variable):
        return Rule(_atom(fact), rule.body, rule.span) if shape_of(fact) == shape else None
    bindings = resolve(unify([(fact, _general(shape))]) or {})
    return Rule(_atom(bindings[fact]), tuple(c.substituted(bindings) for c in rule.body), rule.span)


def _general(shape: Shape) -> Term:
    """Return the most general term of a shape, with fresh variables as arguments."""
    name, count = shape
    if count == CONSTANT:
        return Constant(name)
    return Compound(name, tuple(Variable(f"part {place}") for place in range(1, count + 1)))
