"""Cost model of a reasoner that evaluates top-down without indexes, in facts visited per state.

Materialization was proposed for this kind of evaluation: a literal about the state visits every fact of its relation,
and a literal about a view evaluates the whole view again, as often as the literals before it have answers. Sizes are
estimated from the domains of arguments: every combination holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from reasoner.language.terms import Compound, Term, Variable, variables
from reasoner.rewrite.facts import HOLDING
from reasoner.rules.domains import Domains, domains, variable_domains
from reasoner.rules.program import Literal, Program, Relation, Rule

ENDLESS = 1e30
"""The cost of a recursive relation."""


class TopDown:
    """Costs of a program's relations and rules; `stored` views are visited as facts."""

    def __init__(self, program: Program, stored: Iterable[Relation] = ()) -> None:
        self._domains: Domains = domains(program)
        self._stored = set(stored)
        self._rules = program.by_head()
        self._costs: dict[Relation, float] = {}
        self._sizes: dict[Relation, float] = {}

    def relation(self, relation: Relation) -> float:
        """Return the cost of all answers of a view, or of visiting all facts of a relation."""
        if relation not in self._costs:
            self._costs[relation] = ENDLESS  # during the computation: recursion
            derived = [rule for rule in self._rules.get(relation, ()) if rule.body]
            facts = len(self._rules.get(relation, ())) - len(derived)
            stored = relation in self._stored
            self._costs[relation] = self.size(relation) if stored else facts + sum(map(self.rule, derived))
        return self._costs[relation]

    def rule(self, rule: Rule) -> float:
        """Return the cost of all answers of a body, from left to right."""
        ranges = {v: max(1, domain.size()) for v, domain in variable_domains(rule, self._domains).items()}
        bound: set[Variable] = set()
        answers, cost = 1.0, 0.0
        for condition in rule.body:
            if isinstance(condition, Literal):
                cost += answers * self._literal(condition)
                if condition.positive:
                    fresh = set(condition.variables()) - bound
                    answers *= prod(ranges.get(v, 1) for v in fresh)
                    bound |= fresh
        return min(cost, ENDLESS)

    def size(self, relation: Relation) -> float:
        """Return the maximum of a relation's rows."""
        if relation not in self._sizes:
            self._sizes[relation] = float(prod(d.size() for d in self._domains.get(relation, ())))
        return self._sizes[relation]

    def _literal(self, literal: Literal) -> float:
        if literal.atom.relation in HOLDING:
            return self._facts(literal.atom.arguments[0])
        return self.relation(literal.atom.relation)

    def _facts(self, fact: Term) -> float:
        """Return the facts of one functor in a state."""
        places = self._domains.get(("true", 1))
        if places is None:
            return 1.0
        if isinstance(fact, Compound):
            parts = places[0].functions.get((fact.functor, len(fact.arguments)), ())
            return float(prod(part.size() for part in parts))
        return float(places[0].size()) if any(variables(fact)) else 1.0
