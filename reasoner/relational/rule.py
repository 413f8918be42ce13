"""A rule ready to run: it gathers the tables of its body, picks a plan that fits their sizes, and runs it."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, Protocol

from reasoner.language.terms import Term, Variable, variables
from reasoner.relational.limits import Account
from reasoner.relational.order import greedy_order, literal_at
from reasoner.relational.patterns import Pattern, Patterns
from reasoner.relational.plan import Plan, compile_plan
from reasoner.relational.steps import Asker, Frame, Rows
from reasoner.relational.table import Access, Table
from reasoner.rules.program import Distinct, Relation, Rule, is_positive

ASKED = -1  # stands for the size of a relation evaluated on demand
UNCONNECTED = 4.0  # how much worse a literal is that shares no variable with the rows so far
NO_TABLE, ASKED_TABLE = Table(), Table()


class Relations(Asker, Protocol):
    """Where a rule finds the relations of its body."""

    account: Account

    def known(self, relation: Relation, positive: bool) -> Table | None:
        """The whole relation, if it is evaluated already."""

    def table(self, relation: Relation) -> Table:
        """The whole relation, evaluated now if it was not."""

    def on_demand(self, relation: Relation) -> bool:
        """Whether the relation is too large as a whole and is to be asked for."""


Delta = tuple[int, Table]
"""A position in the body, and the new rows alone that this condition is to be matched with."""


class BodyLiteral(NamedTuple):
    """A literal of a body, as needed to find its table."""

    position: int
    relation: Relation
    positive: bool
    access: Access | None


class CompiledRule:
    """A rule with its access paths; plans are made when tables of a new order of size come up."""

    def __init__(self, rule: Rule, patterns: Patterns) -> None:
        self.rule = rule
        self.relation: Relation = rule.head.relation
        self.terms = patterns.terms
        self.patterns = _patterns(rule, patterns)
        self.literals = tuple(
            BodyLiteral(i, p.atom.relation, is_positive(rule.body[i]), p.access)
            for i, p in enumerate(self.patterns)
            if p is not None
        )
        self._plans: dict[tuple[int, ...], Plan] = {}

    def run(self, relations: Relations, delta: Delta | None = None) -> Rows:
        """The head's rows that the body gives; with `delta`, those that use at least one of its rows."""
        relations.account.relation = self.relation
        tables = self._gather(relations, delta)
        if tables is None:
            return ()
        sizes = [
            ASKED if tables[p] is ASKED_TABLE else len(tables[p].rows).bit_length() >> 1 for p, *_ in self.literals
        ]
        key = (delta[0] if delta else -1, *sizes)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(tables, delta)
        return plan.run(Frame(tables, relations, relations.account, self.terms))

    def _gather(self, relations: Relations, delta: Delta | None) -> list[Table] | None:
        """A view per condition; ASKED_TABLE where it is to be asked for. None when some condition fails.

        What is evaluated already is looked at first, so that a rule that cannot apply costs no evaluation.
        """
        tables = [NO_TABLE] * len(self.patterns)
        unknown = []
        for literal in self.literals:
            position, relation, positive, access = literal
            if delta is not None and position == delta[0]:
                tables[position] = delta[1].view(access)
            elif relations.on_demand(relation):
                tables[position] = ASKED_TABLE
            else:
                table = relations.known(relation, positive)
                if table is None:
                    unknown.append(literal)
                    continue
                tables[position] = view = table.view(access)
                if positive and not view.rows:
                    return None
        return self._evaluate(unknown, relations, tables) if unknown else tables

    def _evaluate(self, unknown: list[BodyLiteral], relations: Relations, tables: list[Table]) -> list[Table] | None:
        """The tables of relations not evaluated so far; what binds before what tests."""
        for position, relation, positive, access in sorted(unknown, key=lambda literal: not literal.positive):
            tables[position] = view = relations.table(relation).view(access)
            relations.account.relation = self.relation
            if positive and not view.rows:
                return None
        return tables

    def _plan(self, tables: list[Table], delta: Delta | None) -> Plan:
        body = self.rule.body
        order = greedy_order(body, set(), _Costs(self, tables), delta[0] if delta else None)
        asked = frozenset(p for p, *_ in self.literals if tables[p] is ASKED_TABLE)
        return compile_plan(self.rule.head, body, self.patterns, order, asked, self.terms)


class _Costs:
    """Expected matches per row, from the tables' sizes."""

    def __init__(self, rule: CompiledRule, tables: list[Table]) -> None:
        self.rule = rule
        self.tables = tables

    def __call__(self, position: int, bound: set[Variable]) -> tuple[float, ...]:
        view, pattern = self.tables[position], self.rule.patterns[position]
        if view is ASKED_TABLE:
            return _asked_cost(literal_at(self.rule.rule.body, position).atom.arguments, bound)
        assert pattern is not None
        shared = [i for i, v in enumerate(pattern.variables) if v in bound]
        keys = 1.0
        for column in shared:
            keys *= view.distinct(column)
        fanout = len(view) / max(1.0, min(keys, len(view)))
        connected = bool(shared) or not bound or len(view) <= 1
        return (0.0, fanout if connected else fanout * UNCONNECTED, -len(shared))


def _asked_cost(arguments: tuple[Term, ...], bound: set[Variable]) -> tuple[float, ...]:
    """A relation on demand goes when all its arguments are bound, and otherwise last, the most bound first."""
    free = sum(1 for a in arguments if not bound.issuperset(variables(a)))
    return (0.0, 1.0, 0.0) if not free else (1.0, free / len(arguments), 0.0)


def _patterns(rule: Rule, patterns: Patterns) -> tuple[Pattern | None, ...]:
    """A pattern per literal of the body; a variable that occurs nowhere else gets no column."""
    uses = Counter(set(rule.head.variables()))
    for condition in rule.body:
        uses.update(set(condition.variables()))
    shared = {variable for variable, count in uses.items() if count > 1}
    return tuple(None if isinstance(c, Distinct) else patterns.pattern(c.atom, shared) for c in rule.body)
