"""Which slots can be chosen, tested only for the role in turn.

"None of white's pieces stands there if white is to move, and none of black's if black is" is one gate for each cell,
and "the way is free and none of the mover's pieces stands there" is then one for each pair of cells. In a slot with
moves of two roles, the conjunctions of the two roles are overlaid: common factors stay, and of the rest each part of
one conjunction is paired with a part of the other and selected by whose turn it is. A part is a set of literals that
always occur together. Any pairing is correct; parts that occur in the same slots are paired because they share gates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reasoner.circuit.graph import TRUE
from reasoner.lanes.step.effect_slots import EffectSlot
from reasoner.lanes.step.state_logic import Factors, StateLogic

BOTH = -1
"""Stands for a role: factors of both roles."""

Where = frozenset[int]
"""Slot numbers."""


@dataclass(frozen=True, slots=True)
class _Overlay:
    """Conjunctions of two roles in one slot, without the literals of whose turn it is."""

    both: Factors
    own: tuple[Factors, Factors]


def slots_asked(logic: StateLogic, slots: Sequence[EffectSlot]) -> list[int]:
    """For each slot the literal for "it can be chosen"."""
    return _Asked(logic, slots).literals()


class _Asked:
    def __init__(self, logic: StateLogic, slots: Sequence[EffectSlot]) -> None:
        self.logic, self.slots = logic, slots
        self.roles = tuple(logic.now)
        self.overlays: dict[int, _Overlay] = {}
        self.rest = [self._overlaid(number) for number in range(len(slots))]
        self.where = self._places()

    def literals(self) -> list[int]:
        """For each slot the literal for "it can be chosen"."""
        graph = self.logic.graph
        return [
            graph.any([*rest, self._laid_over(self.overlays[number])] if number in self.overlays else rest)
            for number, rest in enumerate(self.rest)
        ]

    def _overlaid(self, number: int) -> list[int]:
        """Record the overlay of a slot; return the other literals that make the slot playable."""
        conjunctions = [self._conjunctions(number, role) for role in self.roles]
        if len(self.roles) == 2 and all(conjunctions):
            one, other = (self.logic.now[role] for role in self.roles)
            pairs = [(a, b) for a in conjunctions[0] if one in a for b in conjunctions[1] if other in b]
            if pairs:
                a, b = max(pairs, key=lambda pair: (len(pair[0] & pair[1]), -abs(len(pair[0]) - len(pair[1]))))
                self.overlays[number] = _Overlay(a & b, (a - b - {one}, b - a - {other}))
                conjunctions[0].remove(a)
                conjunctions[1].remove(b)
                return [self.logic.graph.all(sorted(literals)) for some in conjunctions for literals in some]
        return list(map(self.logic.playable, self.slots[number].moves))

    def _conjunctions(self, number: int, role: int) -> list[Factors]:
        """The legality of a role's moves in a slot as few conjunctions: two that differ in one literal are merged."""
        logic = self.logic
        rows = [logic.factors(logic.playable(m)) for m in self.slots[number].moves if logic.role[m] == role]
        near: dict[Factors, list[Factors]] = {}
        for row in dict.fromkeys(rows):
            first = next((other for other in near if len(other & row) >= max(1, len(row) - 1)), row)
            near.setdefault(first, []).append(row)
        found = []
        for alike in near.values():
            common = frozenset.intersection(*alike)
            apart = logic.graph.any(logic.graph.all(sorted(row - common)) for row in alike)
            found.append(common | ({apart} - {TRUE}))
        return found

    def _places(self) -> Mapping[tuple[int, int], Where]:
        """For each role (or BOTH) and literal, the slots whose overlay contains it."""
        found: dict[tuple[int, int], set[int]] = defaultdict(set)
        for number, overlay in self.overlays.items():
            for kind, factors in ((BOTH, overlay.both), *zip(self.roles, overlay.own, strict=True)):
                for literal in factors:
                    found[kind, literal].add(number)
        known: dict[Where, Where] = {}  # equal values share one object, because they are dictionary keys
        return {
            key: known.setdefault(where, where)
            for key, where in zip(found, map(frozenset, found.values()), strict=True)
        }

    def _parts(self, kind: int, factors: Factors) -> dict[Where, int]:
        """For each set of slots, the conjunction of the literals that occur in exactly those slots."""
        found: dict[Where, list[int]] = defaultdict(list)
        for literal in factors:
            found[self.where[kind, literal]].append(literal)
        return {slots: self.logic.graph.all(sorted(literals)) for slots, literals in found.items()}

    def _laid_over(self, overlay: _Overlay) -> int:
        one, other = (self._parts(role, own) for role, own in zip(self.roles, overlay.own, strict=True))
        terms = list(self._parts(BOTH, overlay.both).values())
        for a, b in _paired(one, other):
            terms.append(self._in_turn(one.pop(a), other.pop(b)))
        terms += [self._in_turn(part, TRUE) for part in one.values()]
        terms += [self._in_turn(TRUE, part) for part in other.values()]
        return self.logic.graph.all(terms)

    def _in_turn(self, one: int, other: int) -> int:
        """Select the literal of the role in turn; exactly one of the two roles is."""
        graph, now = self.logic.graph, self.logic.now[self.roles[0]]
        return one if one == other else graph.any((graph.and_(now, one), graph.and_(now ^ 1, other)))


def _paired(one: Iterable[Where], other: Iterable[Where]) -> list[tuple[Where, Where]]:
    """Pair parts that occur in the same slots, then those with most slots in common."""
    mine, others = list(one), list(other)
    pairs = [(where, where) for where in mine if where in others]
    mine, others = [where for where in mine if where not in others], [where for where in others if where not in mine]
    ranked = sorted(
        ((len(a & b) / len(a | b), i, k) for i, a in enumerate(mine) for k, b in enumerate(others)), reverse=True
    )
    taken: tuple[set[int], set[int]] = set(), set()
    for _, i, k in ranked:
        if i not in taken[0] and k not in taken[1]:
            taken[0].add(i)
            taken[1].add(k)
            pairs.append((mine[i], others[k]))
    return pairs
