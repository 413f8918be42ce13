"""Relations that are evaluated on demand, and their demands.

A *demand* is a relation with the columns whose values are bound; a *key* is one tuple of these values. When a key is
used for the first time, the code of the demand evaluates the rules of the unit to a fixpoint for that key. The rules
are transformed by `magic_sets`, unless no column is bound or the unit depends on its own negation. Evaluations of
demands nest, so each demand has its own registers and loop counters.
"""

from __future__ import annotations

from collections.abc import Callable

from reasoner.errors import LimitError
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.assemble import Columns, Demand, Room
from reasoner.relational.bytecode.layout import SLOTS, VARIABLES
from reasoner.relational.bytecode.magic_sets import Adornment, demand_program
from reasoner.relational.bytecode.memory import Memory
from reasoner.relational.bytecode.units import Unit
from reasoner.rules.program import Relation, Rule

AddRelation = Callable[[Relation, Relation, int], int]
"""`Writer.add_relation`: (relation, original relation, its level in `layout`) → number of the relation, old or new."""


class Demands:
    """The relations on demand of one game; `waiting` are the demands whose code is not written yet."""

    def __init__(self, memory: Memory, add_relation: AddRelation) -> None:
        self.units: dict[Relation, Unit] = {}
        self.known: dict[tuple[Relation, Columns], Demand] = {}
        self.waiting: list[tuple[Relation, Columns]] = []
        self._memory = memory
        self._add_relation = add_relation
        self._held: set[int] = set()  # relations of keys and answers
        self.write_again()

    @property
    def room(self) -> Room:
        """The registers and loop counters for the code of the next demand."""
        return Room(*self._free, VARIABLES, SLOTS)

    def demand(self, relation: Relation, columns: Columns) -> Demand:
        """Return the demand for a relation with these columns as its key; queue the code of a new demand.

        The key is empty if the unit of the relation depends on its own negation.
        """
        unit = self.units[relation]
        if unit.negative or not columns:
            whole: tuple[Relation, Columns] = (unit.relations[0], ())
            demand = self.known.get(whole) or self._new(whole, (f"asked {unit.relations[0][0]}", 0), unit)
            self._held.update(self._memory.relations[r] for r in unit.relations)
            return Demand(demand.number, relation, ())
        key = (relation, columns)
        return self.known.get(key) or self._new(key, self._entry(key).asked, unit)

    def _new(self, key: tuple[Relation, Columns], asked: Relation, unit: Unit) -> Demand:
        number = len(self.known)
        if number >= at.MAX_DEMANDS:
            raise LimitError(f"the rules look up rows of relations by more than {number} sets of columns", "rules")
        self._memory.fit("demands", number + 1)
        self._memory.arrays.demands[number, at.ASKED] = self._relation(asked, key[0], unit.level)
        answers = self._entry(key).answer if key[1] else key[0]
        self._relation(answers, key[0], unit.level)
        demand = self.known[key] = Demand(number, answers, key[1])
        self.waiting.append(key)
        return demand

    def rules(self, key: tuple[Relation, Columns]) -> tuple[tuple[Rule, ...], tuple[Relation, ...]]:
        """Return the transformed rules of a demand, and the relations that their fixpoint computes."""
        unit = self.units[key[0]]
        others = frozenset(self.units.keys() - set(unit.relations))
        program = demand_program(unit.rules, frozenset(unit.relations), others, self._entry(key))
        own = []
        for adornment in program.adornments:
            for relation in (adornment.asked, adornment.answer):
                own.append(relation)
                self._relation(relation, adornment.relation, unit.level)
        return program.rules, tuple(own)

    def written(self, key: tuple[Relation, Columns], code: int, used: tuple[int, int]) -> None:
        """Record where a demand's code is, and the first registers and loop counters that it leaves free."""
        self._free = used
        self._memory.arrays.demands[self.known[key].number, at.ENTRY] = code

    def write_again(self) -> None:
        """Queue the code of all demands to be rewritten."""
        self._free = (VARIABLES // 2, SLOTS // 2)
        self.waiting = [*self.known]

    def forget(self) -> None:
        """Discard the rows of all keys and answers."""
        if self._held:
            self._memory.clear(self._held)

    def rows(self) -> int:
        """Return the number of stored rows of keys and answers."""
        return int(self._memory.arrays.relations[[*self._held], at.COUNT].sum()) if self._held else 0

    def _entry(self, key: tuple[Relation, Columns]) -> Adornment:
        pattern = "".join("b" if c in key[1] else "-" for c in range(key[0][1]))
        return Adornment(*key, f" for {key[0][0]} {pattern}")

    def _relation(self, relation: Relation, made_from: Relation, level: int) -> int:
        number = self._add_relation(relation, made_from, level)
        self._held.add(number)
        return number
