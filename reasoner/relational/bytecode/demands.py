"""Relations that are evaluated only where they are asked for: what is known of each way to ask.

This is the magic-set idea (Bancilhon, Maier, Sagiv, Ullman 1986) as a call with a table: the first time a key is asked
for, the code of the relation's rules runs with that key and enters what it finds among the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.assemble import FIRST_ASKED, Columns, Demand
from reasoner.relational.bytecode.layout import VARIABLES
from reasoner.relational.bytecode.memory import Memory, NoRoomError
from reasoner.relational.bytecode.strata import Unit
from reasoner.rules.program import Relation


class Demands:
    """The relations on demand of one game; `waiting` are ways to ask whose code is not written yet."""

    def __init__(self, memory: Memory) -> None:
        self.relations: dict[Relation, Unit] = {}
        self.known: dict[tuple[Relation, Columns], Demand] = {}
        self.waiting: list[tuple[Relation, Demand]] = []
        self._memory = memory
        self._registers = FIRST_ASKED
        self._slots = at.SLOTS // 2

    def add(self, relation: Relation, columns: Columns) -> Demand:
        """A new way to ask for a relation."""
        number = len(self.known)
        if number >= at.MOST_NESTED:
            raise NoRoomError(number)
        label = f"{relation[0]} {''.join('b' if c in columns else '-' for c in range(relation[1]))}"
        answers = (f"answer {label}", relation[1])
        self._memory.add_relation(answers)
        asked = self._memory.add_relation((f"asked {label}", len(columns)))
        self._memory.fit("demands", number + 1)
        self._memory.arrays.demands[number, at.ASKED] = asked
        demand = self.known[relation, columns] = Demand(number, answers, columns, 0, 0)
        self.waiting.append((relation, demand))
        return demand

    def numbers_of(self, demand: Demand) -> Sequence[int]:
        """The relations of its keys and of its answers."""
        return int(self._memory.arrays.demands[demand.number, at.ASKED]), self._memory.relations[demand.answers]

    def place(self, demand: Demand) -> Demand:
        """The demand with registers and loop counters that no code that asks for it uses."""
        return replace(demand, inputs=self._registers, slots=self._slots)

    def written(self, demand: Demand, code: int, used: tuple[int, int]) -> None:
        """Note where its code is, and the registers and loop counters that it left free."""
        self._registers = max(used[0], demand.inputs + len(demand.columns))
        self._slots = max(used[1], self._slots)
        if self._registers > VARIABLES or self._slots > at.SLOTS:
            raise NoRoomError(demand.number)
        entry = self._memory.arrays.demands[demand.number]
        entry[at.ENTRY], entry[at.INPUTS] = code, demand.inputs

    def forget(self) -> None:
        """Forget what was found."""
        self._memory.clear(number for demand in self.known.values() for number in self.numbers_of(demand))
