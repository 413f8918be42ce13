"""Conditions on a variable that hold for every value, because the facts state them for its whole domain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from reasoner.language.terms import Constant, Term, Variable, is_ground
from reasoner.rules.domains import Domains, complete, variable_domains
from reasoner.rules.program import Literal, Program, Relation, Rule


class Certain:
    """The facts of one program, and its domains where these are complete."""

    def __init__(self, program: Program, domains: Domains) -> None:
        self._domains = domains
        self._complete = complete(domains)
        self._facts: dict[Relation, set[tuple[Term, ...]]] = defaultdict(set)
        for rule in program.rules:
            if not rule.body:
                self._facts[rule.head.relation].add(rule.head.arguments)

    def of(self, rule: Rule) -> Callable[[Literal], bool]:
        """Return a test whether a literal with at most one term is a stated fact wherever the rule's body holds."""
        domains = variable_domains(rule, self._domains)

        def holds(literal: Literal) -> bool:
            rows = self._facts.get(literal.atom.relation, set())
            if all(is_ground(argument) for argument in literal.atom.arguments):
                return literal.atom.arguments in rows
            found = {argument for argument in literal.atom.arguments if not is_ground(argument)}
            (variable,) = found if len(found) == 1 else {None}
            if not isinstance(variable, Variable) or variable not in domains or not self._complete:
                return False
            domain = domains[variable]
            values = (Constant(name) for name in domain.constants)
            return not domain.functions and all(
                literal.atom.substituted({variable: value}).arguments in rows for value in values
            )

        return holds
