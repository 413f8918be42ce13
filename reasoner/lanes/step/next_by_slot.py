"""Next values of the bases in terms of the chosen slot: few gates, because a slot describes what happens to a cell.

If exactly one slot is chosen, a next value is an OR over slots of the value that each gives to the base. Bases belong
to one *kind* if they get equal values wherever they become true: what arrives, "a rook", is the same for all cells. So

    next of b  =  (default of b, and no slot that changes b)  |  (a slot that makes b)  &  (the value it gives the kind)

All bases of a kind share the last factor: an OR over slots with few different values, "what stood where the move came
from". Values that vary too much keep the structure that they have in the circuit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from reasoner.circuit.graph import FALSE, TRUE
from reasoner.lanes.step.move_effects import Effects
from reasoner.lanes.step.slot_values import Values
from reasoner.lanes.step.state_logic import StateLogic

VARIOUS = 40
"""Fewest values (gates, not bases) of a base that keeps its structure in the circuit."""

TRIED = 8
"""Most kinds that a base is compared with."""


class NextBySlot:
    """Builds the gates of the next values, for the bases that it can express."""

    def __init__(self, logic: StateLogic, values: Sequence[Values], effects: Effects) -> None:
        self.logic, self.values, self.default = logic, values, effects.default.tolist()
        gates = 2 * (1 + logic.bases + logic.moves + 1)
        self.bases = [b for b, own in enumerate(values) if len({v for v in own.values() if v >= gates}) <= VARIOUS]
        self.making = {b: {s: v for s, v in values[b].items() if v != FALSE} for b in self.bases}
        self.kinds: list[Values] = []
        self.kind_of: dict[int, int] = {}
        self._sort_into_kinds()
        self.sums: dict[frozenset[int], int] = {}
        self.holding: dict[int, list[frozenset[int]]] = defaultdict(list)

    def following(self) -> dict[int, int]:
        """Map each base to the literal of its next value, in lanes that play on."""
        wide = {base: self._widened(base) for base in self.kind_of}
        sets = {frozenset(self.values[b]) for b in self.bases} | set(wide.values())
        sets |= {frozenset(slots) for kind in self.kinds for slots in by_value(kind).values()}
        for slots in sorted(sets, key=lambda slots: (len(slots), sorted(slots))):
            self._sum(slots)
        graph = self.logic.graph
        made = [graph.any(self._terms(kind)) for kind in self.kinds]
        found = {}
        for base in self.bases:
            kind = self.kind_of.get(base)
            terms = self._terms(self.making[base]) if kind is None else [graph.and_(self._sum(wide[base]), made[kind])]
            found[base] = graph.any([*terms, self._kept(base)])
        return found

    def _sort_into_kinds(self) -> None:
        """Group bases whose values agree; a base that agrees with no other has no kind."""
        having: dict[int, set[int]] = defaultdict(set)  # for each value the kinds that have it
        members: dict[int, list[int]] = defaultdict(list)
        for base in self.bases:
            values = set(self.making[base].values()) - {TRUE}
            if len(values) > 1:
                kind = self._kind_for(base, Counter(kind for value in values for kind in having[value]))
                self.kinds[kind].update(self.making[base])
                members[kind].append(base)
                for value in values:
                    having[value].add(kind)
        kept = [kind for kind, bases in members.items() if len(bases) > 1]
        self.kind_of = {base: i for i, kind in enumerate(kept) for base in members[kind]}
        self.kinds = [self.kinds[kind] for kind in kept]

    def _kind_for(self, base: int, shared: Counter[int]) -> int:
        making = self.making[base].items()
        for kind, _ in shared.most_common(TRIED):
            if all(self.kinds[kind].get(slot, value) == value for slot, value in making):
                return kind
        self.kinds.append({})
        return len(self.kinds) - 1

    def _widened(self, base: int) -> frozenset[int]:
        """Slots under which a base may become true, if only slots that make it true give its kind a value.

        Slots that change the base and give its kind no value are added if they make others of its group true: then the
        bases of one cell share one OR.
        """
        kind, own = self.kinds[self.kind_of[base]], self.making[base].keys()
        changing = self.values[base].keys()
        best: set[int] = set(own)
        for other in sorted(self.logic.circuit.excluded_by(base) & self.kind_of.keys()):
            more = {slot for slot in self.making[other] if slot in changing and slot not in kind}
            best |= more
        return frozenset(best)

    def _sum(self, slots: frozenset[int]) -> int:
        """The OR of the slots' picks, from existing smaller ORs if possible."""
        if slots not in self.sums:
            within = {inner for slot in slots for inner in self.holding[slot] if inner < slots}
            left, terms = set(slots), []
            for inner in sorted(within, key=lambda inner: (-len(inner), min(inner))):
                if inner <= left and len(inner) > 1:
                    terms.append(self.sums[inner])
                    left -= inner
            self.sums[slots] = self.logic.graph.any([*terms, *map(self.logic.pick, sorted(left))])
            for slot in slots:
                self.holding[slot].append(slots)
        return self.sums[slots]

    def _terms(self, values: Mapping[int, int]) -> list[int]:
        return [self.logic.graph.and_(value, self._sum(frozenset(slots))) for value, slots in by_value(values).items()]

    def _kept(self, base: int) -> int:
        """The default, unless a slot changes the base."""
        changed = self._sum(frozenset(self.values[base]))
        return self.logic.graph.and_(self.default[base], changed ^ 1)


def by_value(values: Mapping[int, int]) -> Mapping[int, Iterable[int]]:
    """Group the slots by the value that they give."""
    found: dict[int, list[int]] = defaultdict(list)
    for slot, value in values.items():
        found[value].append(slot)
    return found
