"""The relations of one situation, evaluated when they are first asked for.

Models stand on one another: a joint move's on its state's, a state's on the static one. Each holds the relations of its
own level and passes questions about others down, so that what a question needs is evaluated once and shared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.relational.demand import Adornment
from reasoner.relational.fixpoint import Scope, Tables, least_fixpoint, well_founded
from reasoner.relational.interning import Row
from reasoner.relational.limits import Overflow
from reasoner.relational.rule import NO_TABLE
from reasoner.relational.rulebook import CompiledDemand, Rulebook, Section
from reasoner.relational.table import Table
from reasoner.rules.program import Relation

Found = TypeVar("Found")

DEEPEST_NESTING = 30
"""How many evaluations may be under way inside one another; past it, what a relation needs is evaluated before it."""


class Model:
    """The relations of one level. `given` holds what the rules do not derive: `true` or `does`."""

    def __init__(self, rulebook: Rulebook, level: int, below: Model | None, given: Tables) -> None:
        self.rulebook = rulebook
        self.level = level
        self.below = below
        self.account = rulebook.account
        self._tables: Tables = dict(given)
        self._demands: dict[Adornment, tuple[CompiledDemand, Tables]] = {}

    def known(self, relation: Relation, positive: bool) -> Table | None:
        """The whole relation, if it is evaluated already."""
        table = self._tables.get(relation)
        if table is None and self.below is not None:
            return self.below.known(relation, positive)
        return table

    def table(self, relation: Relation) -> Table:
        """The whole relation, evaluated now if it was not."""
        table = self._tables.get(relation)
        if table is None:
            below = self.below
            if below is not None and self.rulebook.level(relation) < self.level:
                return below.table(relation)
            section = self.rulebook.sections.get(relation)
            if section is None:
                return NO_TABLE
            if self.account.nested >= DEEPEST_NESTING:
                for needed in self.rulebook.needed(relation):
                    self.table(needed)
            self._tables.update(self._evaluating(section, lambda: self._evaluate(section)))
            table = self._tables[relation]
        return table

    def on_demand(self, relation: Relation) -> bool:
        """Whether the relation is to be asked for."""
        return relation in self.rulebook.on_demand

    def ask(self, relation: Relation, columns: tuple[int, ...], keys: set[Row]) -> Table:
        """A table with at least the rows of `relation` whose `columns` are one of `keys`."""
        if self.below is not None and self.rulebook.level(relation) < self.level:
            return self.below.ask(relation, columns, keys)
        if not columns:
            return self.table(relation)
        entry = Adornment(relation, columns)
        section = self.rulebook.sections[relation]
        demand, tables = self._demands.pop(entry) if entry in self._demands else self._new_demand(section, entry)
        new = tables[entry.asked].add(keys)
        if new:
            scope = Scope(tables, self)
            self._evaluating(section, lambda: least_fixpoint(demand.rules, scope, {entry.asked: new}))
        self._demands[entry] = (demand, tables)  # only now: an interrupted evaluation must not be taken for complete
        return tables[entry.answer]

    def forget_demands(self, above: int) -> None:
        """Drop what was evaluated on demand, if it holds more than `above` rows."""
        if sum(len(table) for _, tables in self._demands.values() for table in tables.values()) > above:
            self._demands.clear()

    def _evaluate(self, section: Section) -> Tables:
        facts = {relation: Table(set(rows)) for relation, rows in section.facts.items()}
        if not section.negative_cycle:
            least_fixpoint(section.rules, Scope(facts, self))
            return facts
        true, possible = well_founded(section.rules, facts, self)
        for relation, table in possible.items():
            for row in table.rows - true[relation].rows:
                raise self._unstratified(section, relation, row)
        return true

    def _new_demand(self, section: Section, entry: Adornment) -> tuple[CompiledDemand, Tables]:
        demand = section.demand(entry, self.rulebook.on_demand)
        tables: Tables = {}
        for adornment in demand.program.adornments:
            tables[adornment.answer] = Table(set(section.facts[adornment.relation]))
            tables[adornment.asked] = Table()
        return demand, tables

    def _evaluating(self, section: Section, evaluate: Callable[[], Found]) -> Found:
        """`evaluate` within the section's allowance; when it does not suffice, the signal gets the section's name."""
        with self.account.allowance(section.static):
            try:
                return evaluate()
            except Overflow as fault:
                fault.components.append(section.relations)
                raise

    def _unstratified(self, section: Section, relation: Relation, row: Row) -> RulesError:
        atom = " ".join((relation[0], *map(self.rulebook.terms.text, row)))
        fault = Diagnostic(
            Severity.ERROR,
            "unstratified",
            f"({atom}) depends on its own negation in this state, so that it is neither true nor false",
            "Break the cycle: define the relation without negating, directly or not, the same atom.",
            next((r.span for r in section.proper if r.head.relation == relation), None),
        )
        return RulesError((fault,))
