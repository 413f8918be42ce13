"""Copy propagation for large views: read their rows directly instead of through chains of copies.

    ray(X,Y) :- rise(X,Y)    ray(X,Y) :- rise(Y,X)    move(X,Y) :- ray(X,Y)

gives ``move(X,Y) :- rise(X,Y)`` and ``move(X,Y) :- rise(Y,X)``. A *copy rule* has the rows of another relation,
possibly with permuted columns. Each row of a view between two copy rules costs the grounder an atom and a rule, and
produces no gates.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

from reasoner.language.terms import Variable
from reasoner.rewrite.drop_unused import OUTPUTS, drop_unused
from reasoner.rewrite.estimate import Estimate
from reasoner.rewrite.split_bodies import POSSIBLE
from reasoner.rewrite.unfold_large import put
from reasoner.rules.program import Literal, Program, Relation, Rule, is_positive
from reasoner.rules.strata import stratify

LARGE = 10_000
"""Minimum estimated rows of a view to unfold."""


def unfold_copies(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Return `program` without such intermediate views, except `outputs`."""
    copies = _copies(program, outputs)
    if copies:
        sizes = Estimate.of(program).sizes
        once = {relation for stratum in stratify(program) if not stratum.recursive for relation in stratum.relations}
        copies = {view: rules for view, rules in copies.items() if view in once and sizes.get(view, 0) >= LARGE}
    if not copies:
        return program
    rules = tuple(chain.from_iterable(_unfolded(rule, copies) for rule in program.rules))
    return drop_unused(Program(rules, program.roles), outputs)


def _copies(program: Program, outputs: frozenset[Relation]) -> dict[Relation, list[Rule]]:
    """Return the views, with their rules, that have only copy rules and are read once, by a copy rule."""
    rules, readers = defaultdict[Relation, list[Rule]](list), defaultdict[Relation, list[Rule]](list)
    for rule in program.rules:
        rules[rule.head.relation].append(rule)
        for literal in rule.literals():
            readers[literal.atom.relation].append(rule)
    return {
        view: own
        for view, own in rules.items()
        if view not in outputs and len(readers[view]) == 1 and all(map(_handed_on, (*own, *readers[view])))
    }


def _handed_on(rule: Rule) -> Literal | None:
    """Return the literal that a copy rule copies: its one condition, if this has exactly the head's variables."""
    if len(rule.body) != 1 or not is_positive(rule.body[0]) or rule.head.name.startswith(POSSIBLE):
        return None
    terms, others = rule.head.arguments, rule.body[0].atom.arguments
    same = all(isinstance(term, Variable) for term in terms) and sorted(map(str, terms)) == sorted(map(str, others))
    return rule.body[0] if same and rule.body[0].atom.relation != rule.head.relation else None


def _unfolded(rule: Rule, copies: dict[Relation, list[Rule]]) -> list[Rule]:
    """Return the rules that replace one rule."""
    literal = _handed_on(rule)
    views = copies.get(literal.atom.relation) if literal else None
    if literal is None or views is None:
        return [rule]
    made = (put(rule, literal, view, 1) for view in views)
    return list(chain.from_iterable(_unfolded(each, copies) for each in made if each))
