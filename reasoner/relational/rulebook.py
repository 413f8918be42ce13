"""A program prepared for evaluation, and what is learnt about it while it is evaluated."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from reasoner.errors import LimitError
from reasoner.relational.demand import Adornment, DemandProgram, demand_program
from reasoner.relational.fixpoint import RuleSet
from reasoner.relational.interning import Row, TermTable
from reasoner.relational.limits import Account, EvaluationLimits, Overflow, named
from reasoner.relational.patterns import Patterns
from reasoner.relational.rule import CompiledRule
from reasoner.rules.dependencies import dependencies, reached
from reasoner.rules.program import Program, Relation, Rule
from reasoner.rules.strata import Component, stratify

STATIC, STATE, JOINT = 0, 1, 2
"""What a relation depends on: nothing, the facts of a state (`true`), or a joint move (`does`) besides."""

TRUE: Relation = ("true", 1)
DOES: Relation = ("does", 2)


class Section:
    """One component of relations: its facts as rows, its rules compiled when first needed."""

    def __init__(self, component: Component, level: int, patterns: Patterns) -> None:
        self.relations = component.relations
        self.static = level == STATIC
        self.negative_cycle = component.negative_cycle
        self.proper = tuple(rule for rule in component.rules if rule.body)
        self.facts = _facts(component, patterns.terms)
        self._patterns = patterns
        self._demand: dict[tuple[Adornment, frozenset[Relation]], CompiledDemand] = {}

    @cached_property
    def rules(self) -> RuleSet:
        """The rules with a body."""
        return RuleSet((CompiledRule(rule, self._patterns) for rule in self.proper), self.relations)

    def demand(self, entry: Adornment, on_demand: frozenset[Relation]) -> CompiledDemand:
        """The rules that evaluate this section as asked."""
        key = (entry, on_demand)
        if key not in self._demand:
            program = demand_program(self.proper, self.relations, on_demand - self.relations, entry)
            own = {relation for a in program.adornments for relation in (a.answer, a.asked)}
            rules = RuleSet((CompiledRule(rule, self._patterns) for rule in program.rules), own)
            self._demand[key] = CompiledDemand(program, rules)
        return self._demand[key]


@dataclass(frozen=True, slots=True)
class CompiledDemand:
    """A demand program and its rules, compiled."""

    program: DemandProgram
    rules: RuleSet


class Rulebook:
    """All sections by relation, the term table, the account, and which relations are to be evaluated on demand."""

    def __init__(self, program: Program, limits: EvaluationLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.terms = TermTable(limits.max_term_depth, limits.max_term_size)
        self.patterns = Patterns(self.terms)
        self.account = Account(limits, clock)
        self.on_demand: frozenset[Relation] = frozenset()
        self.sections: dict[Relation, Section] = {}
        self.levels: dict[Relation, int] = {TRUE: STATE, DOES: JOINT}
        self._graph = dependencies(program.rules).every
        try:
            for component in stratify(program):
                self._add(component)
        except Overflow as fault:  # a fact too deep or too large
            raise self._limit(fault) from None

    def _add(self, component: Component) -> None:
        level = max((self.levels.get(r, STATIC) for rule in component.rules for r in body_relations(rule)), default=0)
        section = Section(component, level, self.patterns)
        self.sections.update(dict.fromkeys(component.relations, section))
        self.levels.update(dict.fromkeys(component.relations, level))

    def level(self, relation: Relation) -> int:
        """STATIC, STATE or JOINT; a relation without rules is static."""
        return self.levels.get(relation, STATIC)

    def needed(self, relation: Relation) -> list[Relation]:
        """The relations that `relation` depends on and that are evaluated as a whole, in an order of evaluation."""
        wanted = reached(self._graph, [relation]) - self.sections[relation].relations - self.on_demand
        return [r for r in self.sections if r in wanted]

    def escalate(self, fault: Overflow) -> None:
        """Change how the rules are evaluated after `fault`, or raise LimitError when nothing is left to try.

        The innermost of the components under evaluation that is still evaluated as a whole is evaluated on demand from
        now on. When there is none, being asked does not help: more is allowed, and the choices begin anew.
        """
        for relations in fault.components:
            if not self.sections[next(iter(relations))].negative_cycle and not relations <= self.on_demand:
                self.on_demand |= relations
                return
        self.on_demand = frozenset()
        if not self.account.allow_more():
            self.account.allow_least()  # the next question may be an easier one
            raise self._limit(fault)

    def _limit(self, fault: Overflow) -> LimitError:
        what = named(self.account.relation)
        grown = {
            "facts": f"grows past {fault.allowance} facts",
            "depth": f"builds terms nested more than {fault.allowance} deep",
            "size": f"builds terms of more than {fault.allowance} words",
        }
        return LimitError(f"{what} {grown[fault.limit]}", fault.limit)


def body_relations(rule: Rule) -> list[Relation]:
    """The relations in a rule's body."""
    return [literal.atom.relation for literal in rule.literals()]


def _facts(component: Component, terms: TermTable) -> dict[Relation, set[Row]]:
    """The rows stated by rules without a body."""
    facts: dict[Relation, set[Row]] = {relation: set() for relation in component.relations}
    for rule in component.rules:
        if not rule.body:
            facts[rule.head.relation].add(tuple(map(terms.intern, rule.head.arguments)))
    return facts
