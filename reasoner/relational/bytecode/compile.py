"""From units to code in a store: each unit is planned from the sizes of what is below it, then evaluated.

The first plans come from one state and one joint move; some steps of play later all are planned again, from the sizes
seen on the way. A unit that grows too large as a whole is evaluated where it is asked for (`demands`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from reasoner.language.terms import variables
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.assemble import Assembly, Demand, Numbers
from reasoner.relational.bytecode.costs import Sizes
from reasoner.relational.bytecode.demands import Demands
from reasoner.relational.bytecode.layout import HALT, JOINT, STATE, STATIC
from reasoner.relational.bytecode.memory import MOST_ROWS, Memory, NoRoomError
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.strata import Unit, Units
from reasoner.relational.interning import TermTable
from reasoner.relational.order import greedy_order, literal_at
from reasoner.rules.program import Literal, Relation, Rule

FIRST_BUDGET = 100_000_000
"""Instructions that one unit may cost when it is first evaluated."""

WAITING_BUDGET = 20_000_000
"""The same for a unit that can be evaluated on demand instead."""

TERMS_A_ROW = 2
"""Terms that there may be for each row that is allowed."""

ALLOWED = {STATIC: 1 << 17, STATE: 1 << 14, JOINT: 1 << 14}
"""Rows that a relation may have before it is evaluated on demand, where that can be."""


class Compiler:
    """Writes the code of all units of one game and evaluates the static ones."""

    def __init__(self, units: Units, terms: TermTable) -> None:
        self.units = units
        self.memory = Memory(terms)
        self.sizes = Sizes(terms.intern)
        self.demands = Demands(self.memory)
        self.levels: dict[int, int] = {}  # of each relation's number
        self._numbers = Numbers(
            lambda relation: self.memory.relations[relation],
            self.memory.index,
            terms.functor,
            self.memory.constant,
            self.demands.relations.__contains__,
            self.demand,
        )
        for relation, level in units.levels.items():
            self.levels[self.memory.add_relation(relation)] = level
        self.evaluate_level(STATIC)

    def evaluate_level(self, level: int) -> None:
        """Plan and evaluate the units of a level one after the other. Raises NoRoomError."""
        self.record(r for r, found in self.units.levels.items() if found == level and r not in self.units.graph)
        for number, unit in enumerate(self.units.units):
            if unit.level == level:
                self._evaluate(number, unit)

    def _evaluate(self, number: int, unit: Unit) -> None:
        self.plan(number, unit)
        can_wait = not unit.recursive and not self.units.is_output(unit)
        try:
            if can_wait:
                self.run([number], WAITING_BUDGET, ALLOWED[unit.level])
            else:
                self.run([number], FIRST_BUDGET, MOST_ROWS)
            self.record(unit.relations)
        except NoRoomError:
            if not can_wait:
                raise
            self.memory.clear(self.memory.relations[r] for r in unit.relations)
            self.demands.relations[unit.relations[0]] = unit
            self.memory.write_unit(number, self.memory.write([HALT]), unit.level)

    def record(self, relations: Iterable[Relation]) -> None:
        """Learn the sizes of relations as they are now."""
        for relation in relations:
            self.sizes.record(relation, self.memory.rows(self.memory.relations[relation]))

    def plan_again(self) -> None:
        """Write the code of all units above the static ones, from the sizes seen so far."""
        self.sizes.forget()
        for number, unit in enumerate(self.units.units):
            if unit.level != STATIC and unit.relations[0] not in self.demands.relations:
                self.plan(number, unit)

    def run(self, units: Sequence[int], budget: int, most: int) -> None:
        """Evaluate units, with more room where they need it. Raises NoRoomError when that is too much."""
        memory = self.memory
        chosen = np.array(units, np.int32)
        mark = memory.mark_terms()
        memory.arrays.counters[[at.BUDGET, at.STEPS]] = budget, 0
        while True:
            memory.push_terms()
            status = evaluate(memory.store, chosen)
            if status == at.FINE:
                memory.pull_terms()
                return
            try:
                self.make_room(status, most)
            except NoRoomError:
                memory.forget_terms(mark)
                raise

    def make_room(self, status: int, most: int = MOST_ROWS) -> None:
        """Mend what ended a run, or raise NoRoomError; what was evaluated on demand is forgotten."""
        self.demands.forget()
        if status == at.ROWS_FULL:
            self.memory.grow(int(self.memory.arrays.counters[at.FAULT]), most)
        elif status == at.TERMS_FULL:
            self.memory.grow_terms(TERMS_A_ROW * most)
        else:
            raise NoRoomError(status)

    def plan(self, number: int, unit: Unit) -> None:
        """Write the code of a unit."""
        if unit.level == STATIC:
            self._enter_facts(unit)
        start, code = self.memory.here, list[int]()
        for rule in unit.rules if unit.level == STATIC else (*unit.facts, *unit.rules):
            code += self._code(rule, start + len(code))
        start = self.memory.write([*code, HALT])
        members = [self.memory.relations[r] for r in unit.relations] if unit.recursive else []
        deltas = [*self._delta_codes(unit)] if unit.recursive else []
        self.memory.write_unit(number, start, unit.level, members, deltas)
        self._write_demands()

    def _delta_codes(self, unit: Unit) -> Iterable[tuple[int, int]]:
        """For each place of the unit's own relations in its bodies, the relation and code that takes its new rows."""
        for rule in unit.rules:
            for position, condition in enumerate(rule.body):
                if isinstance(condition, Literal) and condition.atom.relation in unit.relations:
                    code = self._code(rule, self.memory.here, position)
                    relation = literal_at(rule.body, position).atom.relation
                    yield self.memory.relations[relation], self.memory.write([*code, HALT])

    def _code(self, rule: Rule, start: int, delta: int | None = None) -> list[int]:
        cost = self.sizes.cost(rule, self._numbers.on_demand)
        return Assembly(rule, self._numbers, start).assemble(greedy_order(rule.body, set(), cost, delta), delta)

    def demand(self, relation: Relation, columns: tuple[int, ...]) -> Demand:
        """A way to ask for a relation; its code is written once the code at hand is."""
        known = self.demands.known.get((relation, columns))
        if known is not None:
            return known
        level = max(self.demands.relations[relation].level, STATE)
        demand = self.demands.add(relation, columns)
        for number in self.demands.numbers_of(demand):
            self.levels[number] = level
        return demand

    def _write_demands(self) -> None:
        """The code of the demands that have none yet."""
        while self.demands.waiting:
            relation, demand = self.demands.waiting.pop()
            unit = self.demands.relations[relation]
            start, code, used = self.memory.here, list[int](), (0, 0)
            placed = self.demands.place(demand)
            for rule in (*unit.facts, *unit.rules):
                known = {v for column in demand.columns for v in variables(rule.head.arguments[column])}
                order = greedy_order(rule.body, known, self.sizes.cost(rule, self._numbers.on_demand))
                assembly = Assembly(rule, self._numbers, start + len(code), placed)
                code += assembly.assemble(order)
                used = max(used[0], assembly.used[0]), max(used[1], assembly.used[1])
            self.demands.written(placed, self.memory.write([*code, HALT]), used)

    def _enter_facts(self, unit: Unit) -> None:
        terms = self.memory.terms
        for relation in unit.relations:
            rows = {tuple(map(terms.intern, f.head.arguments)) for f in unit.facts if f.head.relation == relation}
            if rows:
                self.memory.set_rows(relation, rows)
