"""Slots of moves with the same effect on different things: at most one of a slot's moves is legal.

"Something goes from here to there" is a slot, whatever moves: its effect on the cells is stated once and not for each
piece. As in `reasoner.lanes.exclusive_moves`, moves exclude each other if they imply different bases of a group or
belong to roles that take turns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from reasoner.arrays import Bools, Longs
from reasoner.circuit.graph import FALSE
from reasoner.lanes.step.move_effects import Effects
from reasoner.lanes.step.state_logic import StateLogic, bits, implied_bases

LEAST = 4
"""Fewest bases of a group that a move changes for the group to describe its effect."""

Key = tuple[frozenset[int], frozenset[int]]
"""The groups that a move empties, and those that it fills."""

Row = dict[tuple[int, int], int]
"""For each role and base of a group, the moves that imply the base."""


@dataclass(frozen=True, slots=True)
class EffectSlot:
    """Moves of which at most one is legal, and the literals that identify the move when the slot is chosen."""

    moves: tuple[int, ...]
    told: tuple[int, ...]


def effect_slots(logic: StateLogic, effects: Effects) -> list[EffectSlot]:
    """The slots of a game's choice; every move of the choice is in one."""
    return _Aligned(logic, effects).slots()


class _Aligned:
    def __init__(self, logic: StateLogic, effects: Effects) -> None:
        self.logic, self.effects = logic, effects
        groups = logic.circuit.groups
        self.groups_of: dict[int, list[int]] = defaultdict(list)
        for number, group in enumerate(groups):
            for base in group:
                self.groups_of[base].append(number)
        every = implied_bases(logic.circuit)
        self.implied = {move: bits(every[move]) for move in logic.chosen_among()}
        self.keys = self._keys()

    def slots(self) -> list[EffectSlot]:
        left, rows = dict.fromkeys(self.implied), []
        for moves in sorted(self._by_group(), key=self._distinct):
            left_moves = {who: [move for move in several if move in left] for who, several in moves.items()}
            if self._distinct(left_moves) < 0.9:
                rows += [sorted(row.values()) for row in self._rows(left_moves)]
                for several in left_moves.values():
                    for move in several:
                        left.pop(move, None)
        return [EffectSlot(tuple(row), self._told(row)) for row in (*rows, *self._alone(left))]

    def _keys(self) -> dict[int, Key]:
        """The effect of each move on whole groups, simplified by what its legality implies."""
        groups, effects, moves = self.logic.circuit.groups, self.effects, list(self.implied)
        row = np.repeat(np.arange(len(moves)), effects.end[moves] - effects.begin[moves])
        base, value = effects.bases.astype(np.int64), effects.values.astype(np.int64)
        value[self._false_where_legal(row, value)] &= 1
        place, number = _each_of([self.groups_of.get(one, []) for one in range(self.logic.bases)], base)
        pairs, which, count = np.unique(
            row[place] * max(1, len(groups)) + number, return_inverse=True, return_counts=True
        )
        row, number = np.divmod(pairs, max(1, len(groups)))
        size = np.array([len(group) for group in groups], np.int64)[number]
        whole = (count >= LEAST) & (5 * count >= 3 * size)
        empty = np.bincount(which, value[place] == FALSE, len(pairs)) == count
        keys: list[tuple[set[int], set[int]]] = [(set(), set()) for _ in moves]
        for move, group, emptied in zip(
            row[whole].tolist(), number[whole].tolist(), empty[whole].tolist(), strict=True
        ):
            keys[move][not emptied].add(group)
        return {move: (frozenset(old), frozenset(new)) for move, (old, new) in zip(self.implied, keys, strict=True)}

    def _false_where_legal(self, row: Longs, value: Longs) -> Bools:
        """Which values are literals of bases that are false if the move, number `row`, is legal."""
        bases = self.logic.bases
        excluded = [[*self.logic.circuit.excluded_by(base)] for base in range(bases)]
        held = np.fromiter(chain.from_iterable(self.implied.values()), np.int64)
        move = np.repeat(np.arange(len(self.implied)), [len(bases) for bases in self.implied.values()])
        place, out = _each_of(excluded, held)
        known = np.zeros((len(self.implied), bases), np.bool_)
        known[move[place], out] = True
        base = (value >> 1) - 1
        false = (base >= 0) & (base < bases)
        false[false] = known[row[false], base[false]]
        return false

    def _by_group(self) -> Iterable[dict[tuple[int, int], list[int]]]:
        """For each group that distinguishes moves of one role, its members' moves."""
        found: dict[int, dict[tuple[int, int], list[int]]] = defaultdict(lambda: defaultdict(list))
        for move, bases in self.implied.items():
            for base in bases:
                for number in self.groups_of.get(base, ()):
                    found[number][self.logic.role[move], base].append(move)
        return [moves for moves in found.values() if len(moves) > len({role for role, _ in moves})]

    def _distinct(self, members: dict[tuple[int, int], list[int]]) -> float:
        """The number of different effects, as a share of the moves."""
        moves = [move for several in members.values() for move in several]
        return len({self.keys[move] for move in moves}) / max(1, len(moves))

    def _rows(self, members: dict[tuple[int, int], list[int]]) -> Iterable[Row]:
        """Rows of moves with one effect, at most one move of each member."""
        alike: dict[tuple[Key, int], Row] = defaultdict(dict)
        placed: set[int] = set()
        for who, moves in members.items():
            seen: dict[Key, int] = defaultdict(int)
            for move in moves:
                if move not in placed:
                    placed.add(move)
                    alike[self.keys[move], seen[self.keys[move]]][who] = move
                    seen[self.keys[move]] += 1
        return alike.values()

    def _alone(self, moves: Iterable[int]) -> list[list[int]]:
        """Pairs of moves of roles that take turns, if their effects are equal."""
        alike: dict[Key, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for move in moves:
            alike[self.keys[move]][self.logic.role[move]].append(move)
        rows: list[list[int]] = []
        for of_roles in alike.values():
            many = min(map(len, of_roles.values())) if len(of_roles) > 1 else 0
            rows += [list(row) for row in zip(*(moves[:many] for moves in of_roles.values()), strict=True)]
            rows += [[move] for moves in of_roles.values() for move in moves[many:]]
        return rows

    def _told(self, moves: Sequence[int]) -> tuple[int, ...]:
        """The literals that identify the moves of a slot; single bases if possible."""
        logic, roles = self.logic, [self.logic.role[move] for move in moves]
        if len(set(roles)) == len(roles):
            return tuple(logic.now[role] for role in roles)
        bases_by_group = [
            {number: base for base in self.implied[move] for number in self.groups_of.get(base, ())} for move in moves
        ]
        for group in bases_by_group[0]:
            bases = {found[group] for found in bases_by_group if group in found}
            if len(bases) == len(moves):
                return tuple(2 * (1 + found[group]) for found in bases_by_group)
        return tuple(logic.playable(move) for move in moves)


def _each_of(lists: Sequence[Sequence[int]], which: Longs) -> tuple[Longs, Longs]:
    """Concatenate the lists with the given numbers; for each member the position in `which`, and the member."""
    sizes = np.array([len(members) for members in lists], np.int64)
    counts, members = sizes[which], np.fromiter(chain.from_iterable(lists), np.int64)
    place = np.repeat(np.arange(len(which)), counts)
    first = np.cumsum(sizes)[which] - counts - (np.cumsum(counts) - counts)
    return place, members[first[place] + np.arange(len(place))]
