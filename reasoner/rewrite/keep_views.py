"""Make a view over the state a base relation where that is cheaper ("materialization").

    j(Y) :- true(g(Y,Z)) & h(Z)      becomes      next(kept j(Y)) :- next(g(Y,Z)) & after h(Z)
    k(X,Y) :- true(g(X,Y)) & j(Y)                 k(X,Y) :- true(g(X,Y)) & true(kept j(Y))

The initial rows are worked out, and its next ones derived from the next facts; other views that it needs of the next
state become relations `after h`. Cheaper is meant for a reasoner that evaluates top-down without indexes (`top_down`):
one that works out each view at most once a state, as all machines here do, gains nothing. No name that holds a space
can clash with a rulesheet's, or shows as one of its facts.
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
"""Views that are kept at most."""

WORTH = 0.95
"""A view is kept when a state then costs at most this share of what it did."""

KEPT, AFTER = "kept", "after"
_NEXT, _TRUE, _DOES = ("next", 1), ("true", 1), ("does", 2)


def keep_views(program: Program) -> Program:
    """`program` with the views kept for which that is cheaper."""
    return keep(program, _chosen(program))


def explain_kept(program: Program) -> tuple[str, ...]:
    """One line for each view that is kept, with the estimated cost of a state before and after."""
    lines, stored = [], list[Relation]()
    for relation in _chosen(program):
        before, after = _cost(program, stored), _cost(program, [*stored, relation])
        stored.append(relation)
        lines.append(f"{relation[0]}/{relation[1]}: kept, {before:.3g} facts looked at a state become {after:.3g}")
    return tuple(lines)


def keep(program: Program, views: tuple[Relation, ...]) -> Program:
    """`program` with `views` made base relations."""
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
    """The views that `program` has as facts, by the names that they had."""
    heads = (rule.head for rule in program.rules)
    facts = (fact for atom in heads if (fact := fact_of(atom)) is not None)
    kept = dict.fromkeys(shape for fact in facts if is_kept(fact) and (shape := shape_of(fact)) is not None)
    return tuple((name.removeprefix(f"{KEPT} "), max(count, 0)) for name, count in kept)


def _chosen(program: Program) -> tuple[Relation, ...]:
    """The views worth keeping, the one that saves most first; none where rules read a fact whatever it is."""
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
    """Views that depend on the state and not on a move, and not on themselves."""
    graph = dependencies(program.rules).every
    moving = reached(reversed_graph(graph), [_DOES])
    single = {r for component in stratify(program) if not component.recursive for r in component.relations}
    changing = _changing(program)
    return sorted(single & changing - moving - OUTPUTS - HOLDING - {("base", 1), ("input", 2)})


def _changing(program: Program) -> set[Relation]:
    graph: Graph[Relation] = dependencies(program.rules).every
    return reached(reversed_graph(graph), [_TRUE])


def _cost(program: Program, kept: list[Relation]) -> float:
    """A state's: all that is asked of it, and each kept view worked out once."""
    views = TopDown(program, kept)
    asked = sum(views.rule(rule) for rule in program.rules if rule.head.relation in OUTPUTS and rule.body)
    rows = sum(views.rule(rule) for rule in program.rules if rule.head.relation in kept)
    return min(asked + rows, ENDLESS)


def _initial(program: Program, views: tuple[Relation, ...]) -> list[Rule]:
    """The rows of the views in the initial state."""
    machine = RelationalMachine(program)
    start = machine.initial()
    rows = [(name, row) for name, arity in views for row in machine.relation((name, arity), start)]
    return [Rule(Atom("init", (kept_row(name, row),))) for name, row in sorted(rows, key=str)]


def _reading(rule: Rule, views: tuple[Relation, ...]) -> Rule:
    """The rule with every literal about a kept view asking the state."""
    body = tuple(_as_fact(condition, "true", views) for condition in rule.body)
    return rule if body == rule.body else Rule(rule.head, body, rule.span)


def _following(rule: Rule, views: tuple[Relation, ...], changing: set[Relation]) -> Rule:
    """What the rule says of the next state."""
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
    """Whether a fact is a row of a view that was kept, and none of the rulesheet's."""
    shape = shape_of(fact)
    return shape is not None and shape[0].startswith(f"{KEPT} ")


def kept_row(name: str, arguments: tuple[Term, ...]) -> Term:
    """The fact that a row of a kept view is."""
    return Compound(f"{KEPT} {name}", arguments) if arguments else Constant(f"{KEPT} {name}")
