"""Materialization: turn a view over the state into a base relation if that is cheaper.

    j(Y) :- true(g(Y,Z)) & h(Z)      becomes      next(kept j(Y)) :- next(g(Y,Z)) & after h(Z)
    k(X,Y) :- true(g(X,Y)) & j(Y)                 k(X,Y) :- true(g(X,Y)) & true(kept j(Y))

The rows in the initial state are computed; the rows in the next state are derived from the next facts. Other views of
the next state become relations such as `after h`. The new names contain a space, unlike all names of a rulesheet. Facts
with such names are not reported.

The cost model is a reasoner that evaluates top-down without indexes; the cost is the number of facts visited per state.
A `true` literal visits all facts with its function symbol, and a literal of a view evaluates the whole view, once for
each answer of the literals before it. All machines in this package compute each view at most once per state, so they
gain nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from reasoner.language.terms import Compound, Constant, Term, Variable, shape_of, variables
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.drop_unused import OUTPUTS
from reasoner.rewrite.estimate import Estimate
from reasoner.rewrite.facts import HOLDING, fact_of, reads
from reasoner.rules.dependencies import Graph, dependencies, reached, reversed_graph
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule
from reasoner.rules.strata import stratify

RECURSIVE_COST = 1e30
"""The cost of a recursive relation."""


class TopDown:
    """Costs of a program's relations and rules; `stored` views cost as much as facts."""

    def __init__(self, program: Program, stored: Iterable[Relation] = ()) -> None:
        self._estimate = Estimate.of(program)
        self._stored = set(stored)
        self._rules = program.by_head()
        self._costs: dict[Relation, float] = {}

    def relation(self, relation: Relation) -> float:
        """Return the cost of all answers of a view, or of visiting all facts of a relation."""
        if relation not in self._costs:
            self._costs[relation] = RECURSIVE_COST  # during the computation, to detect recursion
            derived = [rule for rule in self._rules.get(relation, ()) if rule.body]
            facts = len(self._rules.get(relation, ())) - len(derived)
            stored = relation in self._stored
            self._costs[relation] = self._estimate.full(relation) if stored else facts + sum(map(self.rule, derived))
        return self._costs[relation]

    def rule(self, rule: Rule) -> float:
        """Return the cost of all answers of a body, from left to right."""
        ranges = self._estimate.variables(rule)
        bound: set[Variable] = set()
        answers, cost = 1.0, 0.0
        for condition in rule.body:
            if isinstance(condition, Literal):
                cost += answers * self._literal(condition)
                if condition.positive:
                    fresh = set(condition.variables()) - bound
                    answers *= prod(ranges.get(v, 1) for v in fresh)
                    bound |= fresh
        return min(cost, RECURSIVE_COST)

    def _literal(self, literal: Literal) -> float:
        if literal.atom.relation in HOLDING:
            return self._facts(literal.atom.arguments[0])
        return self.relation(literal.atom.relation)

    def _facts(self, fact: Term) -> float:
        """Return the expected number of facts with the functor of `fact` in a state."""
        places = self._estimate.domains.get(("true", 1))
        if places is None:
            return 1.0
        if isinstance(fact, Compound):
            parts = places[0].functions.get((fact.functor, len(fact.arguments)), ())
            return float(prod(part.size() for part in parts))
        return float(places[0].size()) if any(variables(fact)) else 1.0


MAX_VIEWS = 8
"""Maximum kept views."""

MAX_COST_RATIO = 0.95
"""A view is kept if the cost of a state decreases to at most this share."""

KEPT, AFTER = "kept", "after"
_NEXT, _TRUE, _DOES = ("next", 1), ("true", 1), ("does", 2)


def keep_views(program: Program) -> Program:
    """Turn the views of `program` into base relations where the cost model predicts a gain."""
    return keep(program, _chosen(program))


def explain_kept(program: Program) -> tuple[str, ...]:
    """Return one line for each kept view, with the estimated cost of a state before and after."""
    lines, stored = [], list[Relation]()
    for relation in _chosen(program):
        before, after = _cost(program, stored), _cost(program, [*stored, relation])
        stored.append(relation)
        lines.append(f"{relation[0]}/{relation[1]}: kept, {before:.3g} facts visited per state become {after:.3g}")
    return tuple(lines)


def keep(program: Program, views: tuple[Relation, ...]) -> Program:
    """Turn `views` into base relations."""
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
    """Return the original relations of the views that are base relations of `program`."""
    heads = (rule.head for rule in program.rules)
    facts = (fact for atom in heads if (fact := fact_of(atom)) is not None)
    kept = dict.fromkeys(shape for fact in facts if is_kept(fact) and (shape := shape_of(fact)) is not None)
    return tuple((name.removeprefix(f"{KEPT} "), max(count, 0)) for name, count in kept)


def _chosen(program: Program) -> tuple[Relation, ...]:
    """Return the views to keep, the largest saving first; empty if rules read facts of unknown shape."""
    if any(isinstance(literal.atom.arguments[0], Variable) for _, literal in reads(program.rules, _TRUE)):
        return ()
    candidates, chosen = _candidates(program), list[Relation]()
    cost = _cost(program, chosen)
    while candidates and len(chosen) < MAX_VIEWS:
        costs = {relation: _cost(program, [*chosen, relation]) for relation in candidates}
        best = min(costs, key=lambda relation: (costs[relation], relation))
        if costs[best] > MAX_COST_RATIO * cost:
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
    """Return the cost of a state: all outputs, and each kept view once."""
    views = TopDown(program, kept)
    asked = sum(views.rule(rule) for rule in program.rules if rule.head.relation in OUTPUTS and rule.body)
    rows = sum(views.rule(rule) for rule in program.rules if rule.head.relation in kept)
    return min(asked + rows, RECURSIVE_COST)


def _initial(program: Program, views: tuple[Relation, ...]) -> list[Rule]:
    """Return the `init` rules for the rows of the views in the initial state."""
    machine = RelationalMachine(program)
    start = machine.initial()
    rows = [(name, row) for name, arity in views for row in machine.relation((name, arity), start)]
    return [Rule(Atom("init", (kept_row(name, row),))) for name, row in sorted(rows, key=str)]


def _reading(rule: Rule, views: tuple[Relation, ...]) -> Rule:
    """Return the rule with every literal of a kept view replaced by a `true` literal."""
    body = tuple(_as_fact(condition, "true", views) for condition in rule.body)
    return rule if body == rule.body else Rule(rule.head, body, rule.span)


def _following(rule: Rule, views: tuple[Relation, ...], changing: set[Relation]) -> Rule:
    """Return the rule of a view transformed to derive rows of the next state."""
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
