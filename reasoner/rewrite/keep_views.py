"""Materialization: turn a view over the state into a base relation if that is cheaper.

    j(Y) :- true(g(Y,Z)) & h(Z)      becomes      next(kept j(Y)) :- next(g(Y,Z)) & after h(Z)
    k(X,Y) :- true(g(X,Y)) & j(Y)                 k(X,Y) :- true(g(X,Y)) & true(kept j(Y))

The initial rows are computed, and the next rows are derived from the next facts; other views of the next state become
relations `after h`. The cost model is a reasoner that evaluates top-down without indexes (`top_down`): one that
computes each view at most once a state, like all machines here, gains nothing. Names that contain a space cannot clash
with a rulesheet's names, and are not shown as facts.
"""

from __future__ import annotations

from reasoner.language.terms import Compound, Constant, Term, Variable, shape_of
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.drop_unused import OUTPUTS
from reasoner.rewrite.facts import HOLDING, fact_of, reads
from reasoner.rewrite.top_down import ENDLESS, TopDown
from reasoner.rules.dependencies import Graph, dependencies, reached, reversed_graph
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule
from reasoner.rules.strata import stratify

MOST_KEPT = 8
"""Maximum kept views."""

WORTH = 0.95
"""A view is kept if the cost of a state falls to at most this share."""

KEPT, AFTER = "kept", "after"
_NEXT, _TRUE, _DOES = ("next", 1), ("true", 1), ("does", 2)


def keep_views(program: Program) -> Program:
    """Return `program` with the views kept for which that is cheaper."""
    return keep(program, _chosen(program))


def explain_kept(program: Program) -> tuple[str, ...]:
    """Return one line for each kept view, with the estimated cost of a state before and after."""
    lines, stored = [], list[Relation]()
    for relation in _chosen(program):
        before, after = _cost(program, stored), _cost(program, [*stored, relation])
        stored.append(relation)
        lines.append(f"{relation[0]}/{relation[1]}: kept, {before:.3g} facts looked at a state become {after:.3g}")
    return tuple(lines)


def keep(program: Program, views: tuple[Relation, ...]) -> Program:
    """Return `program` with `views` made base relations."""
    if not views:
        return program
    changing = _changing(program)
    rules = [_reading(rule, views) for rule in program.rules if rule.head.relation not in views]
    rules += _initial(program, views)
    needed = reached(dependencies(program.rules).every, views) & changing - set(HOLDING)
    for rule in program.rules:
        if rule.head.relation in needed:
            rules.append(_following(rule, views, changing))
    used = {literal.atom.relation for rule in rules for literal in rule.literals()}
    dead = {(f"{AFTER} {name}", arity) for name, arity in needed} - used
    return Program(tuple(r for r in dict.fromkeys(rules) if r.head.relation not in dead), program.roles)


def kept_views(program: Program) -> tuple[Relation, ...]:
    """Return the original names of the views that `program` has as facts."""
    heads = (rule.head for rule in program.rules)
    facts = (fact for atom in heads if (fact := fact_of(atom)) is not None)
    kept = dict.fromkeys(shape for fact in facts if is_kept(fact) and (shape := shape_of(fact)) is not None)
    return tuple((name.removeprefix(f"{KEPT} "), max(count, 0)) for name, count in kept)


def _chosen(program: Program) -> tuple[Relation, ...]:
    """Return the views worth keeping, the largest saving first; empty if rules read facts of unknown shape."""
    if any(isinstance(literal.atom.arguments[0], Variable) for _, literal in reads(program.rules, _TRUE)):
        return ()
    candidates, chosen = _candidates(program), list[Relation]()
    cost = _cost(program, chosen)
    while candidates and len(chosen) < MOST_KEPT:
        costs = {relation: _cost(program, [*chosen, relation]) for relation in candidates}
        best = min(costs, key=lambda relation: (costs[relation], relation))
        if costs[best] > WORTH * cost:
            break
        cost = costs[best]
        chosen.append(best)
        candidates.remove(best)
    return tuple(chosen)


def _candidates(program: Program) -> list[Relation]:
    """Return the views that depend on the state, but not on a move or on themselves."""
    graph = dependencies(program.rules).every
    moving = reached(reversed_graph(graph), [_DOES])
    single = {r for component in stratify(program) if not component.recursive for r in component.relations}
    changing = _changing(program)
    return sorted(single & changing - moving - OUTPUTS - HOLDING - {("base", 1), ("input", 2)})


def _changing(program: Program) -> set[Relation]:
    graph: Graph[Relation] = dependencies(program.rules).every
    return reached(reversed_graph(graph), [_TRUE])


def _cost(program: Program, kept: list[Relation]) -> float:
    """Return the cost of a state: all its outputs, and each kept view once."""
    views = TopDown(program, kept)
    asked = sum(views.rule(rule) for rule in program.rules if rule.head.relation in OUTPUTS and rule.body)
    rows = sum(views.rule(rule) for rule in program.rules if rule.head.relation in kept)
    return min(asked + rows, ENDLESS)


def _initial(program: Program, views: tuple[Relation, ...]) -> list[Rule]:
    """Return the rows of the views in the initial state."""
    machine = RelationalMachine(program)
    start = machine.initial()
    rows = [(name, row) for name, arity in views for row in machine.relation((name, arity), start)]
    return [Rule(Atom("init", (kept_row(name, row),))) for name, row in sorted(rows, key=str)]


def _reading(rule: Rule, views: tuple[Relation, ...]) -> Rule:
    """Return the rule with every literal of a kept view replaced by a fact of the state."""
    body = tuple(_as_fact(condition, "true", views) for condition in rule.body)
    return rule if body == rule.body else Rule(rule.head, body, rule.span)


def _following(rule: Rule, views: tuple[Relation, ...], changing: set[Relation]) -> Rule:
    """Return the rule for the next state."""
    body = tuple(_next(condition, views, changing) for condition in rule.body)
    name, arguments = rule.head.name, rule.head.arguments
    if rule.head.relation in views:
        return Rule(Atom("next", (kept_row(name, arguments),)), body, rule.span)
    return Rule(Atom(f"{AFTER} {name}", arguments), body, rule.span)


def _next(condition: Condition, views: tuple[Relation, ...], changing: set[Relation]) -> Condition:
    kept = _as_fact(condition, "next", views)
    if kept is not condition or not isinstance(condition, Literal):
        return kept
    atom = condition.atom
    if atom.relation == _TRUE:
        return Literal(Atom("next", atom.arguments), condition.positive)
    if atom.relation in changing:
        return Literal(Atom(f"{AFTER} {atom.name}", atom.arguments), condition.positive)
    return condition


def _as_fact(condition: Condition, holding: str, views: tuple[Relation, ...]) -> Condition:
    if isinstance(condition, Literal) and condition.atom.relation in views:
        atom = condition.atom
        return Literal(Atom(holding, (kept_row(atom.name, atom.arguments),)), condition.positive)
    return condition


def is_kept(fact: Term) -> bool:
    """Whether a fact is a row of a kept view, and not a fact of the rulesheet."""
    shape = shape_of(fact)
    return shape is not None and shape[0].startswith(f"{KEPT} ")


def kept_row(name: str, arguments: tuple[Term, ...]) -> Term:
    """Return the fact for a row of a kept view."""
    return Compound(f"{KEPT} {name}", arguments) if arguments else Constant(f"{KEPT} {name}")
