"""From units to code in a store: each unit is planned from the sizes of the relations below it, then evaluated once.

The first plans are based on one state and one joint move; after some steps of play all units are planned again, from
the sizes observed. A unit that grows too large, or negates itself, is evaluated on demand.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from reasoner.errors import LimitError, RulesError
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.fact_relations import spelled, written_as
from reasoner.relational.bytecode.faults import past_limit, undecided
from reasoner.relational.bytecode.layout import STATIC
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.strata import Unit, Units
from reasoner.relational.bytecode.writer import Writer
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account
from reasoner.rules.program import Relation

FIRST_BUDGET = 100_000_000
"""Maximum instructions of a unit's first evaluation."""

WAITING_BUDGET = 20_000_000
"""Maximum instructions of a first evaluation without recursion, where on-demand evaluation is possible."""

ALL_BUDGET = 1_000_000_000
"""Maximum instructions of all first evaluations; further units are planned without being evaluated."""

TERMS_A_ROW = 2
"""Maximum terms per allowed row."""


class Compiler:
    """Plans the units of one game, and decides which to evaluate on demand."""

    def __init__(self, units: Units, terms: TermTable, account: Account) -> None:
        self.units = units
        self.account = account
        self.planned: dict[int, Unit] = {}  # by number
        self.writer = Writer(units, terms, account.limits.small_facts)
        self.memory, self.demands, self.sizes = self.writer.memory, self.writer.demands, self.writer.sizes
        self.memory.fit("units", len(units.units))
        self._budget = ALL_BUDGET
        evaluate(self.memory.store, np.zeros(0, np.int32))  # numba may have to compile it: that time must not count
        account.start()

    def prepare(self, numbers: Iterable[int], level: int) -> None:
        """Plan units and evaluate them, once the facts of a level are given. Raises LimitError when time is up."""
        self.record(r for r, found in self.units.levels.items() if found == level and r not in self.units.graph)
        for number in numbers:
            if number not in self.planned:
                unit = self.units.units[number]
                self._prepare(number, unit)
                self.account.check_time(written_as(unit.relations[0]))

    def plan(self, number: int, unit: Unit) -> None:
        """Write the code of a unit."""
        self.planned[number] = unit
        if unit.level == STATIC:
            self._enter_facts(unit)
        self.writer.unit(number, unit)

    def plan_again(self, numbers: Iterable[int]) -> None:
        """Rewrite the code of non-static units from the sizes observed so far."""
        self.sizes.forget()
        for number in numbers:
            unit = self.planned.get(number) or self.units.units[number]
            if not self.waits(unit) and (number not in self.planned or unit.level != STATIC):
                self.plan(number, unit)

    def record(self, relations: Iterable[Relation]) -> None:
        """Record the current sizes of relations."""
        for relation in relations:
            self.sizes.record(relation, self.memory.rows(self.memory.relations[relation]))

    def waits(self, unit: Unit) -> bool:
        """Whether a unit is evaluated on demand."""
        return unit.relations[0] in self.demands.units

    def relieve(self) -> bool:
        """Switch the unit that ended a run to on-demand evaluation; False if it is already, or cannot be."""
        number = int(self.memory.arrays.counters[at.UNIT])
        unit = self.planned.get(number)
        if unit is None or self.waits(unit) or self.units.is_output(unit):
            return False
        self._wait(number, unit)
        self.plan_again(self.planned)
        self.writer.demands_again()
        return True

    def make_room(self, status: int, most: int | None = None) -> None:
        """Make room after a run ended, or raise LimitError or RulesError; results of demands are discarded."""
        self.demands.forget()
        most = self.account.limits.max_facts if most is None else most
        counters = self.memory.arrays.counters
        number = int(counters[at.FAULT])
        if status == at.UNDECIDED:
            raise self._undecided(number)
        if status == at.ROWS_FULL:
            if not self.memory.grow(number, most):
                room = int(self.memory.arrays.relations[number, at.CAPACITY])
                raise past_limit(status, self.writer.relation_of(number), room)
        elif status != at.TERMS_FULL or not self.memory.grow_terms(TERMS_A_ROW * most):
            counted = {at.TERM_TOO_DEEP: at.MAX_DEPTH, at.TERM_TOO_LARGE: at.MAX_SIZE, at.TERMS_FULL: at.TERMS}
            raise past_limit(status, self.at_work(), int(counters[counted.get(status, at.STEPS)]))

    def at_work(self) -> Relation | None:
        """Return the relation whose rule was being evaluated when a run ended."""
        return self.writer.relation_at(int(self.memory.arrays.counters[at.PLACE]))

    def _prepare(self, number: int, unit: Unit) -> None:
        can_wait = not self.units.is_output(unit)
        if unit.negative and can_wait:
            self._wait(number, unit)
            return
        limits = self.account.limits
        allowed = limits.large_facts if unit.level == STATIC or unit.recursive else limits.small_facts
        budget = WAITING_BUDGET if can_wait and not unit.recursive else FIRST_BUDGET
        self.plan(number, unit)
        try:
            self._evaluate(number, budget, min(allowed, limits.max_facts) if can_wait else limits.max_facts)
            self.record(unit.relations)
        except (LimitError, RulesError):
            self.memory.clear(self.memory.relations[r] for r in unit.relations)
            if can_wait:
                self._wait(number, unit)
            elif unit.level == STATIC:
                self._enter_facts(unit)

    def _wait(self, number: int, unit: Unit) -> None:
        """Evaluate a unit on demand from now on."""
        self.planned[number] = unit
        self.demands.units.update(dict.fromkeys(unit.relations, self.writer.with_facts_apart(unit)))
        self.writer.no_unit(number, unit)

    def _evaluate(self, number: int, budget: int, most: int) -> None:
        """Evaluate a unit for the first time. Raises LimitError or RulesError."""
        memory = self.memory
        memory.push_terms()
        known = int(memory.arrays.counters[at.TERMS])
        while True:
            memory.arrays.counters[[at.BUDGET, at.STEPS]] = min(budget, self._budget), 0
            status = evaluate(memory.store, np.array([number], np.int32))
            self._budget -= int(memory.arrays.counters[at.STEPS])
            if status == at.FINE:
                memory.pull_terms()
                return
            try:
                self.make_room(status, most)
            except LimitError:
                memory.forget_terms(known)
                raise

    def _enter_facts(self, unit: Unit) -> None:
        if not unit.negative:  # a unit that negates itself has them in its code
            for relation in unit.relations:
                self.writer.enter_facts(unit, relation, relation)

    def _undecided(self, number: int) -> RulesError:
        """Return the error for an atom of a relation that is possible, but not true."""
        memory, relation = self.memory, [*self.memory.relations][number]
        memory.pull_terms()
        possible = memory.rows(memory.relations[f"possible {relation[0]}", relation[1]]).tolist()
        true = set(map(tuple, memory.rows(number).tolist()))
        row = next(row for row in map(tuple, possible) if row not in true)
        unit = next(unit for unit in self.planned.values() if relation in unit.relations)
        atom = spelled(relation, [*map(memory.terms.text, row)])
        return undecided(atom, (rule for rule in unit.rules if rule.head.relation == relation))
