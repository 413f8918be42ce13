"""Compile units to code in a store: plan each unit from the sizes of the relations it reads, then evaluate it once.

The first plans are based on one state and one joint move. After some steps of play all units are planned again, from
the observed sizes. A unit that grows too large, or that depends on its own negation, is evaluated on demand.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import LimitError, RulesError
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.layout import STATIC
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.units import Unit, Units, spelled, written_as
from reasoner.relational.bytecode.writer import Writer
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account, named
from reasoner.rules.program import Relation

FIRST_BUDGET = 100_000_000
"""Maximum instructions of a unit's first evaluation."""

ON_DEMAND_BUDGET = 20_000_000
"""Maximum instructions of the first evaluation of a unit without recursion that can be evaluated on demand."""

ALL_BUDGET = 1_000_000_000
"""Maximum instructions of all first evaluations together; further units are planned without being evaluated."""

COSTLY_STEPS, COSTLY_GROWTH = 1_000_000, 16
"""Instructions of a run beyond which a full relation grows by this factor, because the run is repeated."""

TERMS_PER_ROW = 2
"""Maximum number of terms, as a multiple of the maximum number of rows."""


class Compiler:
    """Compiler of one game: plans its units, and decides which units to evaluate on demand."""

    def __init__(self, units: Units, terms: TermTable, account: Account) -> None:
        self.units = units
        self.account = account
        self.planned: dict[int, Unit] = {}  # by number
        self.writer = Writer(units, terms, account.limits.small_facts)
        self.memory, self.demands, self.sizes = self.writer.memory, self.writer.demands, self.writer.sizes
        self.memory.fit("units", len(units.units))
        self._budget = ALL_BUDGET
        evaluate(self.memory.store, np.zeros(0, np.int32))  # numba may compile the kernel now: that time must not count
        account.start()

    def prepare(self, numbers: Iterable[int], level: int) -> None:
        """Plan and evaluate the units `numbers` of one level (STATIC, STATE or JOINT); their inputs must be loaded.

        Raises LimitError if time runs out.
        """
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
            if not self.is_on_demand(unit) and (number not in self.planned or unit.level != STATIC):
                self.plan(number, unit)

    def record(self, relations: Iterable[Relation]) -> None:
        """Record the current sizes of relations."""
        for relation in relations:
            self.sizes.record(relation, self.memory.rows(self.memory.relations[relation]))

    def is_on_demand(self, unit: Unit) -> bool:
        """Whether a unit is evaluated on demand."""
        return unit.relations[0] in self.demands.units

    def move_to_demand(self) -> bool:
        """Switch the unit that ended a run to evaluation on demand.

        Returns False if the unit is on demand already, or if it is an output, which must be evaluated as a whole.
        """
        number = int(self.memory.arrays.counters[at.UNIT])
        unit = self.planned.get(number)
        if unit is None or self.is_on_demand(unit) or self.units.is_output(unit):
            return False
        self._put_on_demand(number, unit)
        self.plan_again(self.planned)
        self.writer.demands_again()
        return True

    def make_room(self, status: int, most: int | None = None) -> None:
        """Make room to repeat a run that ended early.

        Discards the results of demands, and enlarges the memory that was full, up to `most` rows.

        Raises LimitError if nothing can be enlarged, and RulesError if an atom is undecided.
        """
        self.demands.forget()
        most = self.account.limits.max_facts if most is None else most
        counters = self.memory.arrays.counters
        number = int(counters[at.FAULT])
        if status == at.UNDECIDED:
            raise self._undecided(number)
        if status == at.ROWS_FULL:
            factor = COSTLY_GROWTH if counters[at.STEPS] > COSTLY_STEPS else 2
            if not self.memory.grow(number, most, factor):
                room = int(self.memory.arrays.relations[number, at.CAPACITY])
                raise _past_limit(status, self.writer.relation_of(number), room)
        elif status != at.TERMS_FULL or not self.memory.grow_terms(TERMS_PER_ROW * most):
            counted = {at.TERM_TOO_DEEP: at.MAX_DEPTH, at.TERM_TOO_LARGE: at.MAX_SIZE, at.TERMS_FULL: at.TERMS}
            raise _past_limit(status, self.at_work(), int(counters[counted.get(status, at.STEPS)]))

    def at_work(self) -> Relation | None:
        """Return the relation whose rule was being evaluated when a run ended."""
        return self.writer.relation_at(int(self.memory.arrays.counters[at.PLACE]))

    def _prepare(self, number: int, unit: Unit) -> None:
        can_be_on_demand = not self.units.is_output(unit)
        if unit.negative and can_be_on_demand:
            self._put_on_demand(number, unit)
            return
        limits = self.account.limits
        allowed = limits.large_facts if unit.level == STATIC or unit.recursive else limits.small_facts
        budget = ON_DEMAND_BUDGET if can_be_on_demand and not unit.recursive else FIRST_BUDGET
        self.plan(number, unit)
        try:
            self._evaluate(number, budget, min(allowed, limits.max_facts) if can_be_on_demand else limits.max_facts)
            self.record(unit.relations)
        except (LimitError, RulesError):
            self.memory.clear(self.memory.relations[r] for r in unit.relations)
            if can_be_on_demand:
                self._put_on_demand(number, unit)
            elif unit.level == STATIC:
                self._enter_facts(unit)

    def _put_on_demand(self, number: int, unit: Unit) -> None:
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
        if not unit.negative:  # a unit that depends on its own negation has its facts in its code
            for relation in unit.relations:
                self.writer.enter_facts(unit, relation, relation)

    def _undecided(self, number: int) -> RulesError:
        """Return the error for an undecided atom: a row of the relation of possible atoms that is not a true row."""
        memory, relation = self.memory, [*self.memory.relations][number]
        memory.pull_terms()
        possible = memory.rows(memory.relations[self.writer.possible[relation]]).tolist()
        true = set(map(tuple, memory.rows(number).tolist()))
        row = next(row for row in map(tuple, possible) if row not in true)
        unit = next(unit for unit in self.planned.values() if relation in unit.relations)
        atom = spelled(relation, [*map(memory.terms.text, row)])
        fault = Diagnostic(
            Severity.ERROR,
            "unstratified",
            f"{atom} depends on its own negation in this state, so that it is neither true nor false",
            "Change the rules so that no atom depends on its own negation.",
            next((rule.span for rule in unit.rules if rule.head.relation == relation), None),
        )
        return RulesError((fault,))


_GROWN = {
    at.ROWS_FULL: ("facts", "grows past {} facts"),
    at.TERMS_FULL: ("facts", "builds more than {} terms"),
    at.TERM_TOO_DEEP: ("depth", "builds terms nested more than {} deep"),
    at.TERM_TOO_LARGE: ("size", "builds terms of more than {} words"),
    at.BUDGET_SPENT: ("time", "takes more than {} steps to evaluate"),
}


def _past_limit(status: int, relation: Relation | None, allowed: int) -> LimitError:
    """Return the error of a run that ended with `status` during the evaluation of `relation`."""
    limit, grown = _GROWN[status]
    return LimitError(f"{named(relation)} {grown.format(allowed)}", limit)
