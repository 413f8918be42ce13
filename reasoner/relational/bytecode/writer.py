"""Write the code of units and demands into a store, and map numbers and addresses back to relations."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import replace

from reasoner.language.terms import Variable
from reasoner.relational.bytecode.assemble import Assembly, Numbers, Room
from reasoner.relational.bytecode.demands import Demands
from reasoner.relational.bytecode.fixpoints import UnitCode
from reasoner.relational.bytecode.join_order import Sizes, greedy_order
from reasoner.relational.bytecode.layout import HALT, STATIC
from reasoner.relational.bytecode.memory import Memory
from reasoner.relational.bytecode.units import Unit, Units, written_as
from reasoner.relational.interning import TermTable
from reasoner.rules.program import Atom, Literal, Relation, Rule

NO_LEVEL = -1
"""The level of relations that are cleared by the code of their unit."""


class Writer:
    """Writer of the code of one game; a unit may be written again for other relation sizes."""

    def __init__(self, units: Units, terms: TermTable, least_rows: int) -> None:
        self.memory = Memory(terms, least_rows)
        self.sizes = Sizes(terms.intern)
        self.levels: dict[int, int] = {}  # by number of a relation
        self.demands = Demands(self.memory, self.add_relation)
        self.numbers = Numbers(
            lambda relation: self.memory.relations[relation],
            self.memory.index,
            terms.functor,
            self.memory.constant,
            self.demands.units.__contains__,
            self.demands.demand,
        )
        self.possible: dict[Relation, Relation] = {}  # of relations in negative cycles: atoms not known to be false
        self._stand_for: dict[Relation, Relation] = {}
        self._places: list[tuple[int, Relation]] = []  # addresses where the rules of a relation begin, in order
        for relation, level in units.levels.items():
            self.add_relation(relation, relation, level)

    def add_relation(self, relation: Relation, stands_for: Relation, level: int) -> int:
        """Return the number of a relation; add the relation if it is new.

        `stands_for` is the original of a new relation, for messages; `level`: STATIC, STATE, JOINT or NO_LEVEL.
        """
        if relation not in self.memory.relations:
            self._stand_for[relation] = self._stand_for.get(stands_for, stands_for)
            self.levels[self.memory.add_relation(relation)] = level
        return self.memory.relations[relation]

    def unit(self, number: int, unit: Unit) -> None:
        """Write the code of a unit, and of the demands that the unit needs."""
        self.memory.write_unit(number, self._write(unit, _Rules(self, Room(), unit.relations)), unit.level)
        self._write_demands()

    def no_unit(self, number: int, unit: Unit) -> None:
        """Write empty code for a unit, because the unit is evaluated on demand."""
        self.memory.write_unit(number, self.memory.write([HALT]), unit.level)

    def demands_again(self) -> None:
        """Rewrite the code of all demands."""
        self.demands.write_again()
        self._write_demands()

    def with_facts_apart(self, unit: Unit) -> Unit:
        """Return the unit with its facts as rows of separate relations, and rules that copy these rows."""
        rules = list(unit.rules)
        for relation in {fact.head.relation: None for fact in unit.facts}:
            stated = (f"stated {relation[0]}", relation[1])
            self.add_relation(stated, relation, STATIC)
            self.enter_facts(unit, relation, stated)
            arguments = tuple(Variable(f"c{column}") for column in range(relation[1]))
            rules.append(Rule(Atom(relation[0], arguments), (Literal(Atom(stated[0], arguments)),)))
        return Unit(unit.relations, (), tuple(rules), unit.recursive, unit.level, unit.negative)

    def enter_facts(self, unit: Unit, relation: Relation, target: Relation) -> None:
        """Enter the unit's facts of a relation as rows of `target`."""
        intern = self.memory.terms.intern
        rows = {tuple(map(intern, f.head.arguments)) for f in unit.facts if f.head.relation == relation}
        if rows:
            self.memory.set_rows(target, rows)

    def relation_of(self, number: int) -> Relation:
        """Return the rulesheet's relation for the number of a relation."""
        relation = [*self.memory.relations][number]
        return written_as(self._stand_for[relation])

    def relation_at(self, address: int) -> Relation | None:
        """Return the rulesheet's relation whose rule has its code at an address."""
        place = bisect_right(self._places, address, key=lambda found: found[0])
        return written_as(self._stand_for[self._places[place - 1][1]]) if place else None

    def _write(self, unit: Unit, rules: _Rules) -> int:
        code = UnitCode(self.memory.here, self.numbers.relation, rules.code)
        words = code.alternation(unit, self._possible(unit)) if unit.negative else code.whole(unit)
        return self._append(words, rules)

    def _append(self, words: list[int], rules: _Rules) -> int:
        self._places += rules.places
        return self.memory.write(words)

    def _write_demands(self) -> None:
        while self.demands.waiting:
            key = self.demands.waiting.pop()
            unit, room = self.demands.units[key[0]], self.demands.room
            if key[1]:
                made, own = self.demands.rules(key)
                rules = _Rules(self, room, own)
                words = UnitCode(self.memory.here, self.numbers.relation, rules.code).rounds(made, own)
                address = self._append(words, rules)
            else:
                rules = _Rules(self, room, unit.relations)
                address = self._write(unit, rules)
            self.demands.written(key, address, rules.used)

    def _possible(self, unit: Unit) -> dict[Relation, Relation]:
        """Return, for each relation of a unit with a negative cycle, the relation of atoms not known to be false."""
        possible = {relation: (f"possible {relation[0]}", relation[1]) for relation in unit.relations}
        for relation, doubtful in possible.items():
            self.add_relation(doubtful, relation, NO_LEVEL)
        self.possible |= possible
        return possible


class _Rules:
    """Writer of the rules of one unit; it records the registers and loop counters that the rules use.

    The unit's rules read its `own` relations directly, even if these are evaluated on demand for other units.
    """

    def __init__(self, writer: Writer, room: Room, own: Collection[Relation]) -> None:
        self.places: list[tuple[int, Relation]] = []
        self.used = room.register, room.slot
        self._sizes = writer.sizes
        self._numbers = replace(writer.numbers, on_demand=lambda r: r not in own and writer.numbers.on_demand(r))
        self._room = room

    def code(self, rule: Rule, start: int, delta: int | None) -> list[int]:
        """Return the code of a rule; the literal at `delta` reads new rows only."""
        self.places.append((start, rule.head.relation))
        order = greedy_order(rule.body, set(), self._sizes.cost(rule, self._numbers.on_demand), delta)
        assembly = Assembly(rule, self._numbers, start, self._room)
        code = assembly.assemble(order, delta)
        self.used = max(self.used[0], assembly.used[0]), max(self.used[1], assembly.used[1])
        return code
