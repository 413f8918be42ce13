"""Roles that take turns: at most one of them has a choice in any reachable state, so they can share one choice.

A role *takes turns* if it has a few *turns*, literals over bases, and each of its moves, except at most one *idle
move*, is legal only if one of them is true. Roles whose turns exclude each other share a choice. Two bases exclude each
other if the circuit's groups and phases say so, or by an inductive proof: they exclude each other in the initial state,
and their next values imply opposite literals, or bases that are assumed to exclude each other. Assumptions that cannot
be proved are dropped until a fixed point is reached.

Ternary simulation finds the implications of a literal: one base has a value and all other inputs are unknown. If the
literal cannot be true then, it implies the opposite value of the base.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from reasoner.arrays import Bools, Ints, Longs
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.implications import simulate_all
from reasoner.kernels import kernel

MAX_BASES = 32
"""Maximum bases examined, so that two bits of each fit into a word. Also the maximum nodes searched below a literal."""

MAX_TURN_LITERALS = 4
"""Maximum literals in a role's turns."""

NO_MOVE = -1

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TurnTaker:
    """A role that takes turns."""

    role: int
    literals: tuple[int, ...]  # literals of the circuit; if a move besides `idle` is legal, one is true
    idle: int  # the number of the idle move, or NO_MOVE
    rests: bool  # the idle move is never legal in the role's turn


@dataclass(frozen=True, slots=True)
class AlternatingRoles:
    """The groups of roles that share a choice, and the pairs of exclusive bases on which the sharing relies."""

    groups: tuple[tuple[TurnTaker, ...], ...]
    exclusive: tuple[Pair, ...]  # numbers of bases; no reachable state has both


NOBODY = AlternatingRoles((), ())


def take_turns(circuit: Circuit) -> AlternatingRoles:
    """Find the roles that share a choice."""
    bases = _candidates(circuit)
    if not bases or len(circuit.roles) < 2:
        return NOBODY
    implied = _Implied(circuit, bases)
    exclusive = _exclusive(circuit, implied, bases)
    groups: list[list[TurnTaker]] = []
    for turns in _turns(circuit, implied, exclusive):
        fits = ((turn, group) for turn in turns for group in groups if _all_exclude(turn, group, exclusive))
        turn, group = next(fits, (turns[0], None))
        if group is None:
            groups.append([turn])
        else:
            group.append(turn)
    shared = tuple(tuple(group) for group in groups if len(group) > 1)
    return AlternatingRoles(shared, tuple((a - 1, b - 1) for a, b in sorted(exclusive))) if shared else NOBODY


def _candidates(circuit: Circuit) -> list[int]:
    """The nodes of the bases near the outputs of many moves' legality; bases that distinguish phases come first."""
    first, counts = 1 + len(circuit.bases) + len(circuit.legal), np.zeros(1 + len(circuit.bases), np.int64)
    start, weight = 0, np.ones_like(counts)
    if circuit.phases is not None:
        weight[[1 + base for base in circuit.phases.bases]] = len(circuit.legal) + 1
    for moves in circuit.moves:
        own = np.zeros_like(counts)
        _count_on_top(circuit.left, circuit.right, first, circuit.legal[start : start + len(moves)], own)
        start += len(moves)
        own *= weight
        frequent = np.argsort(-own, kind="stable")[: MAX_BASES // 4]
        counts[frequent] += own[frequent]
    ranked = np.argsort(-counts, kind="stable")[:MAX_BASES]
    found: list[int] = ranked[counts[ranked] > 0].tolist()
    return found


@kernel
def _count_on_top(left: Ints, right: Ints, first: int, literals: Ints, counts: Longs) -> None:
    """Count for each base the literals that depend on it within the first MAX_BASES nodes below them."""
    row, last = np.empty(MAX_BASES + 2, np.int64), np.full(len(counts), -1)
    for number in range(len(literals)):
        row[0], length, at = literals[number] >> 1, 1, 0
        while at < length:
            node = row[at]
            at += 1
            if node >= first and length < MAX_BASES:
                row[length], row[length + 1] = left[node - first] >> 1, right[node - first] >> 1
                length += 2
            elif 0 < node < len(counts) and last[node] != number:
                last[node] = number
                counts[node] += 1


class _Implied:
    """The literals of candidate bases that each literal of the circuit implies."""

    def __init__(self, circuit: Circuit, bases: list[int]) -> None:
        self.given = [literal for base in bases for literal in (2 * base, 2 * base + 1)]
        inputs = 1 + len(circuit.bases) + len(circuit.legal)
        self.can = np.full((2, inputs + len(circuit.left)), 2**64 - 1, np.uint64)  # bits: may be false, may be true
        self.can[1, 0] = 0
        for i, literal in enumerate(self.given):
            self.can[literal & 1, literal >> 1] &= ~np.uint64(1 << i)
        simulate_all(self.can, circuit.left, circuit.right, inputs)

    def under(self, literals: Ints) -> dict[int, Bools]:
        """Map each literal of a candidate base to the literals among `literals` that imply it, as a mask."""
        can = self.can[1 - (literals & 1), literals >> 1]
        every = ((given ^ 1, can >> np.uint64(i) & np.uint64(1) == 0) for i, given in enumerate(self.given))
        return {literal: those for literal, those in every if those.any()}

    def by(self, literal: int) -> set[int]:
        """The literals of candidate bases that `literal` implies: the complements of those that make it false."""
        can = int(self.can[1 - (literal & 1), literal >> 1])
        return {given ^ 1 for i, given in enumerate(self.given) if not can >> i & 1}


def _turns(circuit: Circuit, implied: _Implied, exclusive: set[Pair]) -> Iterable[list[TurnTaker]]:
    """The possible descriptions of each role that takes turns."""
    start = 0
    for role, moves in enumerate(circuit.moves):
        under = implied.under(circuit.legal[start : start + len(moves)])
        most_first = sorted(under, key=lambda literal: (-np.count_nonzero(under[literal]), literal))
        turns = []
        for cover, idle in filter(None, (_cover(first, under) for first in most_first[:MAX_BASES])):
            number = start + idle if idle != NO_MOVE else NO_MOVE
            rests = _rests(cover, implied.by(int(circuit.legal[number])), exclusive)
            turns.append(TurnTaker(role, cover, number, rests))
        start += len(moves)
        if turns:
            yield turns


def _cover(first: int, under: dict[int, Bools]) -> tuple[tuple[int, ...], int] | None:
    """A few literals, `first` among them, and the idle move: every other move implies one of the literals.

    The idle move is NO_MOVE if every move implies one of them. The result is None if there are no such literals.
    """
    cover, left = [first], np.flatnonzero(~under[first])
    while len(left) > 1 and len(cover) < MAX_TURN_LITERALS:
        best = max(under, key=lambda literal: np.count_nonzero(under[literal][left]))
        rest = left[~under[best][left]]
        if len(rest) == len(left):
            return None
        cover.append(best)
        left = rest
    idle = int(left[0]) if len(left) == 1 else NO_MOVE
    return (tuple(cover), idle) if len(left) < 2 < len(under[first]) else None


def _rests(cover: tuple[int, ...], idle: set[int], exclusive: set[Pair]) -> bool:
    """Whether `idle`, the literals that the idle move's legality implies, contradict each literal of the turn."""
    return all(_contradict((literal,), idle, exclusive) for literal in cover)


def _exclusive(circuit: Circuit, implied: _Implied, bases: list[int]) -> set[Pair]:
    """The pairs of `bases` (nodes) of which no reachable state has both: the known pairs and the proven ones."""
    initial, known = circuit.initial, _known_pairs(circuit, bases)
    pairs = {(a, b) for a, b in combinations(sorted(bases), 2) if not (initial[a - 1] and initial[b - 1])}
    after = {base: implied.by(int(circuit.next[base - 1])) for base in bases}
    while True:
        kept = {(a, b) for a, b in pairs if (a, b) in known or _contradict(after[a], after[b], pairs)}
        if kept == pairs:
            return pairs
        pairs = kept


def _known_pairs(circuit: Circuit, bases: list[int]) -> set[Pair]:
    """The pairs of `bases` (nodes) that share a group of the circuit or are never true in the same phase."""
    counter = circuit.phases.bases if circuit.phases is not None else frozenset[int]()
    phases = circuit.phases.all if circuit.phases is not None else frozenset[frozenset[int]]()
    return {
        (a, b)
        for a, b in combinations(sorted(bases), 2)
        if b - 1 in circuit.excluded_by(a - 1)
        or ({a - 1, b - 1} <= counter and not any({a - 1, b - 1} <= phase for phase in phases))
    }


def _all_exclude(turn: TurnTaker, group: list[TurnTaker], exclusive: set[Pair]) -> bool:
    return all(_contradict((a,), (b,), exclusive) for other in group for a, b in product(turn.literals, other.literals))


def _contradict(some: Iterable[int], others: Iterable[int], exclusive: set[Pair]) -> bool:
    """Whether two conjunctions exclude each other; the nodes of an exclusive pair are in ascending order."""
    return any(
        a == b ^ 1 or (not (a | b) & 1 and (min(a, b) >> 1, max(a, b) >> 1) in exclusive)
        for a, b in product(some, others)
    )
