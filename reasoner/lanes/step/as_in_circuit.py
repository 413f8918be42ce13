"""Next values with the structure that they have in the circuit, with slots instead of moves.

An OR that contains all moves of a slot becomes the slot's pick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from reasoner.lanes.step.effect_slots import EffectSlot
from reasoner.lanes.step.state_logic import StateLogic

Moves = frozenset[int]


def as_in_circuit(logic: StateLogic, slots: Sequence[EffectSlot], bases: Iterable[int]) -> dict[int, int]:
    """Map each base to the literal of its next value, in lanes that play on."""
    following = logic.circuit.next
    made = _Made(logic, slots)
    return {base: made.value(int(following[base])) for base in bases}


class _Made:
    def __init__(self, logic: StateLogic, slots: Sequence[EffectSlot]) -> None:
        self.logic, self.slots = logic, slots
        self.slot_of = {move: number for number, slot in enumerate(slots) for move in slot.moves}
        self.told = {move: told for slot in slots for move, told in zip(slot.moves, slot.told, strict=True)}
        self.left, self.right = logic.circuit.left.tolist(), logic.circuit.right.tolist()
        self.sums: dict[int, Moves] = {2 * (1 + logic.bases + m): frozenset((m,)) for m in range(logic.moves)}
        self.values: dict[int, int] = {}
        self._find_sums()

    def _find_sums(self) -> None:
        """Find the literals that are ORs of moves and of nothing else."""
        start, end = self.logic.circuit.stages[1:3]
        for gate in range(start, end):
            one, other = self.sums.get(self.left[gate] ^ 1), self.sums.get(self.right[gate] ^ 1)
            if one is not None and other is not None:
                self.sums[2 * (self.logic.first + gate) + 1] = one | other

    def value(self, literal: int) -> int:
        """The literal for a literal of the circuit."""
        stack = [literal >> 1]
        while stack:
            node = stack[-1]
            if node not in self.values and (made := self._simple(node)) is not None:
                self.values[node] = made
            if node in self.values:
                stack.pop()
                continue
            gate = node - self.logic.first
            waiting = [side >> 1 for side in (self.left[gate], self.right[gate]) if side >> 1 not in self.values]
            stack += waiting
            if not waiting:
                self.values[node] = self.logic.graph.and_(self._known(self.left[gate]), self._known(self.right[gate]))
        return self._known(literal)

    def _known(self, literal: int) -> int:
        return self.values[literal >> 1] ^ (literal & 1)

    def _simple(self, node: int) -> int | None:
        """The literal of a node that is an OR of moves or depends on the state only; else None."""
        for literal in (2 * node, 2 * node + 1):
            if literal in self.sums:
                return self._sum(self.sums[literal]) ^ (literal & 1)
        logic = self.logic
        return logic.of(2 * node) if node < logic.first + logic.circuit.stages[0] else None

    def _sum(self, moves: Moves) -> int:
        logic, of_slot = self.logic, defaultdict(list)
        terms = [logic.now[logic.role[move]] ^ 1 for move in moves if move not in self.slot_of]  # idle moves
        for move in sorted(moves & self.slot_of.keys()):
            of_slot[self.slot_of[move]].append(move)
        for slot, picked in of_slot.items():
            whole = len(picked) == len(self.slots[slot].moves)
            told = () if whole else (logic.graph.any(self.told[move] for move in picked),)
            terms.append(logic.graph.all((logic.pick(slot), *told)))
        return logic.graph.any(terms)
