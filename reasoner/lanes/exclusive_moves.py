"""Slots: sets of moves of which at most one is legal. A choice counts slots, which are fewer than the moves.

Two moves of a role exclude each other if their legality implies two bases of one group (`Circuit.groups`): a queen and
a knight on the same cell cannot both leave it. Moves of roles that take turns exclude each other, too. A move's
legality implies the uncomplemented bases in its conjunction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.kernels import kernel
from reasoner.lanes.alternating_roles import TurnTaker

MAX_CONJUNCTION_NODES = 48
"""Maximum nodes of a move's conjunction to examine."""

Member = tuple[int, int]
"""A role, and a base that some of its moves imply."""
Moves = dict[Member, list[int]]


@dataclass(frozen=True, slots=True)
class Slot:
    """Moves of which at most one is legal.

    selectors: for each move a literal of the circuit that identifies the legal move when the slot is chosen; None if no
    other move of the slot belongs to the same role.
    """

    moves: tuple[int, ...]
    selectors: tuple[int | None, ...]


def slots_of(circuit: Circuit, choice: Sequence[TurnTaker], of_role: Sequence[tuple[int, int]]) -> list[Slot]:
    """The slots of a choice; each move that a role of the choice may make in its turn is in one slot.

    of_role: for each role of the game its first move and the end of its moves.
    """
    role_of = {
        move: turn.role for turn in choice for move in range(*of_role[turn.role]) if move != turn.idle or not turn.rests
    }
    idle = {turn.idle for turn in choice}
    left = dict.fromkeys(role_of)
    found: list[list[int]] = []
    for moves_of in _by_group(circuit, {move: role for move, role in role_of.items() if move not in idle}):
        members = _parted(moves_of, left)
        if _gain(members):
            found += _aligned(circuit, members)
            for moves in members.values():
                for move in moves:
                    del left[move]
    alone: dict[int, list[list[int]]] = {turn.role: [] for turn in choice}
    shared: list[list[int]] = []
    for moves in [*found, *([move] for move in left)]:
        roles = {role_of[move] for move in moves}
        (shared if len(roles) > 1 else alone[roles.pop()]).append(moves)
    joined = [[m for moves in several for m in moves or ()] for several in zip_longest(*alone.values())]
    selectors = _Selectors(circuit, role_of)
    return [Slot(tuple(moves), selectors.of(moves)) for moves in (*shared, *joined)]


def _parted(moves_of: Moves, left: Container[int]) -> Moves:
    """The remaining moves of a group's members; a move that implies several members is assigned to the first only.

    Such a move is never legal.
    """
    parted: Moves = {}
    seen: set[int] = set()
    for member, moves in moves_of.items():
        parted[member] = [move for move in moves if move in left and move not in seen]
        seen.update(moves)
    return parted


def _by_group(circuit: Circuit, role_of: dict[int, int]) -> Iterator[Moves]:
    """The members' moves of each group that may reduce the number of slots; the largest reduction first."""
    groups: dict[int, Moves] = defaultdict(lambda: defaultdict(list))
    numbers = _numbers(circuit)
    for move, bases in zip(role_of, _implied(circuit, list(role_of)), strict=True):
        for base in bases:
            for number in numbers.get(base, ()):
                groups[number][role_of[move], base].append(move)
    gaining = [group for group in groups.values() if _gain(group)]
    return iter(sorted(gaining, key=lambda group: max(map(len, group.values())) / sum(map(len, group.values()))))


def _numbers(circuit: Circuit) -> dict[int, list[int]]:
    """Map each base to the numbers of its groups."""
    numbers: dict[int, list[int]] = defaultdict(list)
    for number, group in enumerate(circuit.groups):
        for base in group:
            numbers[base].append(number)
    return numbers


def _gain(members: Moves) -> int:
    """The reduction from moves to slots, as the maximum over roles; moves of different roles share slots anyway."""
    by_role: dict[int, list[int]] = defaultdict(list)
    for (role, _), moves in members.items():
        by_role[role].append(len(moves))
    return max((sum(counts) - max(counts) for counts in by_role.values()), default=0)


def _aligned(circuit: Circuit, members: Moves) -> list[list[int]]:
    """Arrange the moves of a group's members in slots with at most one move of each member.

    If moves are legal under the same condition, besides their base, they share a slot, because their OR is short.
    """
    alike: dict[tuple[int, int], dict[Member, int]] = defaultdict(dict)
    for member, moves in members.items():
        seen: dict[int, int] = defaultdict(int)
        for move in moves:
            key = _beside(circuit, move, member[1])
            alike[key, seen[key]][member] = move
            seen[key] += 1
    slots: list[dict[Member, int]] = []
    lacking: dict[Member, int] = defaultdict(int)  # for each member the first slot without it
    for row in sorted(alike.values(), key=len, reverse=True):
        first = max(lacking[member] for member in row)
        place = next((place for place in range(first, len(slots)) if not slots[place].keys() & row.keys()), len(slots))
        if place == len(slots):
            slots.append({})
        slots[place].update(row)
        for member in row:
            while lacking[member] < len(slots) and member in slots[lacking[member]]:
                lacking[member] += 1
    return [sorted(slot.values()) for slot in slots]


def _beside(circuit: Circuit, move: int, base: int) -> int:
    """The other operand of a move's legality besides a base; the legality itself if the base is no operand of it."""
    literal = int(circuit.legal[move])
    gate = (literal >> 1) - 1 - len(circuit.bases) - len(circuit.legal)
    if literal & 1 or gate < 0:
        return literal
    operands = (int(circuit.left[gate]), int(circuit.right[gate]))
    return sum(operands) - 2 * (1 + base) if 2 * (1 + base) in operands else literal


def _implied(circuit: Circuit, moves: list[int]) -> Iterable[list[int]]:
    """The bases that each move's legality implies: numbers, distinct and ascending."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    found = np.empty((len(moves), MAX_CONJUNCTION_NODES), np.int32)
    counts = np.zeros(len(moves), np.int32)
    _conjoined(circuit.left, circuit.right, first, len(circuit.bases), circuit.legal[moves], found, counts)
    rows = (found[:, : counts.max(initial=0)] - 1).tolist()
    return (sorted({*row[:count]}) for row, count in zip(rows, counts.tolist(), strict=True))


@kernel
def _conjoined(left: Ints, right: Ints, first: int, bases: int, literals: Ints, found: Ints, counts: Ints) -> None:
    """Find, for each literal, the nodes of the uncomplemented bases in its conjunction.

    left, right, first: the gates, and the node of the first gate; bases: the number of bases, whose nodes start at 1;
    found: [literals, MAX_CONJUNCTION_NODES] the nodes, written; counts: [literals] the number of nodes, written.
    """
    row = np.empty(MAX_CONJUNCTION_NODES + 2, np.int32)
    for number in range(len(literals)):
        row[0], length, at = literals[number], 1, 0
        while at < length:
            node, flip = row[at] >> 1, row[at] & 1
            at += 1
            if not flip and node >= first and length < MAX_CONJUNCTION_NODES:
                row[length], row[length + 1] = left[node - first], right[node - first]
                length += 2
            elif not flip and 0 < node <= bases:
                found[number, counts[number]] = node
                counts[number] += 1


class _Selectors:
    """Finder of the literals that identify the moves of a slot."""

    def __init__(self, circuit: Circuit, role_of: dict[int, int]) -> None:
        self.circuit, self.role_of = circuit, role_of
        self.numbers = _numbers(circuit)

    def of(self, moves: list[int]) -> tuple[int | None, ...]:
        """The selectors of a slot: bases of one group if each move implies a different base; else the moves' legality.

        None for each move if all moves belong to different roles.
        """
        roles = [self.role_of[move] for move in moves]
        if len(set(roles)) == len(roles):
            return (None,) * len(moves)
        implied = [
            {number: base for base in bases for number in self.numbers.get(base, ())}
            for bases in _implied(self.circuit, moves)
        ]
        for group in implied[0]:
            bases = {by_group[group] for by_group in implied if group in by_group}
            if len(bases) == len(moves):
                return tuple(2 * (1 + by_group[group]) for by_group in implied)
        return tuple(int(self.circuit.legal[move]) for move in moves)
