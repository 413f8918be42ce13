"""Factor moves into effect and subject: "a knight arrives here" is "something arrives here, and a knight moves".

A move's *subject* is a base that its legality implies, a member of an exclusive group, such as the contents of a cell.
Let T be the moves with some effect, whatever the subject, and for each group K of subjects let L(K) be its moves. As
one move is made, and its subject is the only base of its group that is true,

    OR over the moves of T with a subject of kind p  =  (OR over T)  &  OR over K of (L(K) & the base of K of kind p)

The last factor is the same for every T. The remaining ORs, over T and over L(K), have much in common.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Literals, Longs, Words
from reasoner.circuit.graph import Graph
from reasoner.circuit.netlist import Netlist
from reasoner.circuit.optimize.common_cubes import share
from reasoner.circuit.optimize.wide_gates import Logic, Wide, blank, gates
from reasoner.ground.terms import GroundTerms
from reasoner.kernels import kernel

Subject = tuple[int, int]
"""A group and a kind."""

LEAST = 4
"""Minimum moves of a set that is examined."""

MOST_HELD = 2_000_000
"""Maximum moves in all ORs together; with more the pass does nothing."""

BLOCK = 1024
"""Number of moves whose implied bases are processed together."""

MOST_WAYS = 3
"""Maximum assignments of subjects that are tried."""


@dataclass(frozen=True, eq=False)
class Subjects:
    """The subjects of moves; literals are those of the graph's inputs."""

    moves: dict[int, Subject]  # by move; at most one of these moves is made
    bases: dict[Subject, int]


def subjects_of(
    netlist: Netlist, facts: Sequence[tuple[int, ...]], together: Sequence[int], implied: Words
) -> list[Subjects]:
    """Return candidate assignments of subjects to moves, those that distinguish most moves first.

    facts: groups of bases, by number, of which at most one is true. together: literals of moves, of which at most one
    is made. implied: for each move what its legality implies (`reasoner.circuit.implications`).
    """
    kinds = _kinds(netlist.bases, facts)
    first = len(netlist.bases) + 1
    found: dict[object, dict[int, Subject]] = defaultdict(dict)  # by the groups' shape, by move
    for begin in range(0, len(together), BLOCK):
        literals = np.array(together[begin : begin + BLOCK], np.int64)
        held = np.unpackbits(implied[(literals >> 1) - first, 1].view(np.uint8), axis=1, bitorder="little")
        which, bases = np.nonzero(held)
        for literal, base in zip(literals[which].tolist(), bases.tolist(), strict=True):
            for shape, subject in kinds.get(base, ()):
                found[shape][literal] = subject
    told = {shape: len(set(by_move.values())) for shape, by_move in found.items()}
    best = sorted((shape for shape in told if told[shape] > 1), key=lambda shape: -told[shape])[:MOST_WAYS]
    return [
        Subjects(
            found[way],
            {subject: 2 * (1 + base) for base, shapes in kinds.items() for shape, subject in shapes if shape == way},
        )
        for way in best
    ]


def _kinds(bases: GroundTerms, facts: Sequence[tuple[int, ...]]) -> dict[int, list[tuple[object, Subject]]]:
    """Return the groups of each base, each with its shape, and the base's kind in it.

    The shape of a group is its relation and the arguments in which its facts agree; the kind is the other arguments.
    """
    table, number = bases.table, bases.numbers.tolist()
    kinds: dict[object, int] = {}
    found: dict[int, list[tuple[object, Subject]]] = defaultdict(list)
    for group, members in enumerate(facts):
        rows = [
            (int(table.kind[number[b]]), *table.parts[table.first[number[b]] : table.first[number[b] + 1]].tolist())
            for b in members
        ]
        if len({(row[0], len(row)) for row in rows}) > 1:
            continue
        same = tuple(len(set(column)) == 1 for column in zip(*rows, strict=True))
        for base, row in zip(members, rows, strict=True):
            kind = tuple(part for part, agrees in zip(row, same, strict=True) if not agrees)
            found[base].append(((row[0], same), (group, kinds.setdefault(kind, len(kinds)))))
    return found


def use_subjects(logic: Logic, ways: Sequence[Subjects]) -> Logic:
    """Return the graph with ORs over moves factored into effects and subjects."""
    least = 0
    for subjects in ways:
        other = said_apart(logic, subjects)
        if other is not logic:
            least = least or gates(share(logic))
            if gates(share(other)) < least:
                return other
    return logic


def said_apart(logic: Logic, subjects: Subjects) -> Logic:
    """Return the rewritten graph, even if it is larger; `logic` itself if no ORs can be rewritten."""
    rewriter = _Rewriter(logic, subjects)
    return rewriter.logic() if rewriter.families else logic


@dataclass(frozen=True, eq=False)
class _Family:
    """ORs whose moves differ in the kind of their subject."""

    moves: frozenset[int]  # T
    kind: dict[int, int]  # by wide gate


class _Rewriter:
    """Rebuilds the graph. Sets are of literals of moves."""

    def __init__(self, logic: Logic, subjects: Subjects) -> None:
        self.old, self.subjects = logic, subjects
        self.wide: Wide = logic.wide
        self.graph = Graph(logic.graph.inputs, logic.graph.max_gates)
        self.new = blank(logic.graph)
        members = np.array([*subjects.moves], np.int32)
        self.start, self.moves, self.pure = _held(self.wide, members, len(self.new), MOST_HELD)
        self.sets: dict[int, frozenset[int]] = {}
        self.families = self._families()
        self.moving = self._moving()

    def _held(self, g: int) -> frozenset[int]:
        """Return the moves that alone make the complement of a wide gate true, if there are several."""
        if g not in self.sets:
            self.sets[g] = frozenset(self.moves[self.start[g] : self.start[g + 1]].tolist())
        return self.sets[g]

    def _families(self) -> list[_Family]:
        """Return, for each group, the next values of its bases, if each has moves of a kind of its own."""
        found: dict[int, dict[int, tuple[frozenset[int], int]]] = defaultdict(dict)
        for (group, _), base in self.subjects.bases.items():
            literal = int(self.old.outputs[(base >> 1) - 1])
            g = int(self.wide.number[literal >> 1])
            if literal & 1 and g >= 0 and (held := self._held(g)):
                kinds = Counter(self.subjects.moves[move][1] for move in held)
                kind, count = kinds.most_common(1)[0]
                taken = {other for _, other in found[group].values()}
                if count >= LEAST and kind not in taken:
                    own = frozenset(move for move in held if self.subjects.moves[move][1] == kind)
                    found[group][g] = own, kind
        return [
            _Family(frozenset().union(*(own for own, _ in rows.values())), {g: kind for g, (_, kind) in rows.items()})
            for rows in found.values()
            if len(rows) > 1
        ]

    def _moving(self) -> dict[int, frozenset[int]]:
        """Return, by group of subjects, the moves with a subject in it."""
        wanted = {self.subjects.moves[move][0] for family in self.families for move in family.moves}
        moving: dict[int, set[int]] = {group: set() for group in wanted}
        for move, (group, _) in self.subjects.moves.items():
            if group in moving:
                moving[group].add(move)
        return {group: frozenset(moves) for group, moves in moving.items()}

    def logic(self) -> Logic:
        """Return the rebuilt graph."""
        graph, wide = self.graph, self.wide
        sets = [*(family.moves for family in self.families), *self.moving.values()]
        self.made = {moves: graph.any(moves) for moves in sets}
        self.holding: dict[int, list[frozenset[int]]] = defaultdict(list)
        for moves in self.made:
            for move in moves:
                self.holding[move].append(moves)
        told = {g: (family, kind) for family in self.families for g, kind in family.kind.items()}
        kinds = {kind: self._of_kind(kind) for kind in {kind for _, kind in told.values()}}
        start, leaves, pure = wide.start.tolist(), wide.leaves.tolist(), self.pure.tolist()
        for g, node in enumerate(wide.nodes.tolist()):
            row = leaves[start[g] : start[g + 1]]
            terms: list[int] = []
            if moves := self._held(g):
                row = [leaf for leaf in row if not pure[leaf ^ 1]]
                if g in told:
                    family, kind = told[g]
                    terms.append(graph.and_(self.made[family.moves], kinds[kind]))
                    moves = frozenset(move for move in moves if self.subjects.moves[move][1] != kind)
                terms += self._cover(moves)
            made = graph.all([*self.new[row].tolist(), *(term ^ 1 for term in terms)])
            self.new[2 * node], self.new[2 * node + 1] = made, made ^ 1
        return Logic(graph, self.new[self.old.outputs])

    def _of_kind(self, kind: int) -> int:
        """Return the literal that the move made has a subject of this kind."""
        bases = self.subjects.bases
        return self.graph.any(
            self.graph.and_(self.made[moves], bases[group, kind])
            for group, moves in self.moving.items()
            if (group, kind) in bases
        )

    def _cover(self, moves: frozenset[int]) -> Iterable[int]:
        """Return literals whose OR is the OR of these moves, from existing sets and single moves."""
        candidates = {held for move in moves for held in self.holding.get(move, ()) if held <= moves}
        for held in sorted(candidates, key=lambda held: (-len(held), min(held))):
            if held <= moves:
                yield self.made[held]
                moves -= held
        yield from sorted(moves)


@kernel
def _held(wide: Wide, members: Literals, literals: int, most: int) -> tuple[Longs, Literals, Bools]:
    """Return, for each wide gate, the members, two or more, that alone make its complement true.

    Gate g has the second array from start[g] to start[g + 1]; no gate has any if the total exceeds `most`. Also by
    literal whether it is a member, or an OR of members only.
    """
    pure = np.zeros(literals, np.bool_)
    pure[members] = True
    start, held, end = np.zeros(len(wide.nodes) + 1, np.int64), np.empty(most, np.int32), 0
    seen = np.full(literals, -1, np.int32)  # by member: the last gate that contains it
    for g in range(len(wide.nodes)):
        begin, every = end, True
        for leaf in wide.leaves[wide.start[g] : wide.start[g + 1]]:
            term = leaf ^ 1
            if not pure[term]:
                every = False
                continue
            inner = wide.number[term >> 1]
            first, last = (start[inner], start[inner + 1]) if inner >= 0 else (0, 1)
            for i in range(first, last):
                member = held[i] if inner >= 0 else term
                if seen[member] != g:
                    if end == most:
                        return np.zeros(len(wide.nodes) + 1, np.int64), held[:0], pure
                    seen[member] = g
                    held[end] = member
                    end += 1
        if end - begin < 2:
            end, every = begin, False
        start[g + 1] = end
        pure[2 * wide.nodes[g] + 1] = every
    return start, held[:end].copy(), pure
