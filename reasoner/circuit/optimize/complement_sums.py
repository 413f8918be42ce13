"""Replace an OR over most members of an exclusive group by the complement of the OR over the others.

At most one member of a group is true (a role makes one move; one role is in control). Then, for conditions f,

    OR over m of (m & f(m))  =  (OR over m of m)  &  ~(OR over m of (m & ~f(m)))

The right side is shorter if f(m) is the constant true for most members, as in "a move was made that leaves this cell
unchanged". If exactly one member is true, the first factor is dropped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

import numpy as np

from reasoner.arrays import Bytes, Literals, Longs
from reasoner.circuit.graph import TRUE, Graph
from reasoner.circuit.optimize.wide_gates import Logic, Wide, blank, fill, gates
from reasoner.kernels import kernel

MIN_TERMS = 2
"""Minimum terms of a group in an OR that is examined."""

NO_GROUP = 1 << 40
"""Greater than the size of any group."""

NO_MEMBER, SEVERAL = -1, -2
"""Values in place of a member's literal: no member, or several."""

MAX_MEMBERS = 30_000
"""Maximum members of all groups together; with more the pass takes too much time."""


@dataclass(frozen=True, eq=False)
class ExclusiveGroup:
    """Inputs of which at most one is true; `exactly`: whether exactly one is always true."""

    members: tuple[int, ...]  # literals
    exactly: bool


def use_groups(logic: Logic, groups: Sequence[ExclusiveGroup]) -> Logic:
    """Return the graph with each OR over most of a group replaced by the complement of the OR over the others."""
    members = sum(len(group.members) for group in groups)
    if not members or members > MAX_MEMBERS:
        return logic
    shorter = _Rewriter(logic, groups).logic()
    return shorter if gates(shorter) < gates(logic) else logic


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf of an OR that depends on members: an OR of members, or a conjunction that contains members."""

    literal: int
    held: int  # bits: the members whose OR the leaf is; 0 for a conjunction
    inner: Sequence[int]  # the leaves of the conjunction
    members: int  # bits: the members of `held`, or those in `inner`
    cost: int  # gates that the leaf takes before the rewriting


@dataclass
class _Terms:
    """The terms of one group in an OR: members that make the OR true, and members that do so under a condition."""

    sure: int = 0  # bits: the members without a condition
    cost: int = 0  # gates that the terms take before the rewriting
    leaves: list[int] = field(default_factory=list)  # the leaves of the terms
    under: dict[int, list[_Leaf]] = field(default_factory=lambda: defaultdict(list))  # by member: terms with conditions


class _Rewriter:
    """Rebuilds the graph, wide gate by wide gate. A set of members is a Python integer with one bit for each member."""

    def __init__(self, logic: Logic, groups: Sequence[ExclusiveGroup]) -> None:
        self.old, self.groups = logic, groups
        self.wide: Wide = logic.wide
        self.graph = Graph(logic.graph.inputs, logic.graph.max_gates)
        self.new = blank(logic.graph)
        members = dict.fromkeys(member for group in groups for member in group.members)
        self.bit = {member: 1 << i for i, member in enumerate(members)}
        self.members = list(members)  # by bit number
        self.masks = [sum(self.bit[m] for m in group.members) for group in groups]
        self.any: list[int | None] = [TRUE if group.exactly else None for group in groups]
        self.sets: dict[int, int] = {}  # by old literal: the members whose OR the literal is
        self.whole: dict[int, list[tuple[int, int]]] = defaultdict(list)  # by a set's lowest bit: (set, literal)

    def logic(self) -> Logic:
        """Return the rebuilt graph."""
        wide, done = self.wide, 0
        looked = _candidates(wide, np.array(self.members, np.int32), self._sizes(), len(self.new))
        for g in np.flatnonzero(looked).tolist():
            self._copy(done, g)
            done, node = g + 1, int(wide.nodes[g])
            row = wide.leaves[wide.start[g] : wide.start[g + 1]].tolist()
            made = self.graph.all(self._shortened(row) if looked[g] & ORS else self.new[row].tolist())
            self.new[2 * node], self.new[2 * node + 1] = made, made ^ 1
            if looked[g] & PURE:
                self._note(node, row)
        self._copy(done, len(wide.nodes))
        return Logic(self.graph, self.new[self.old.outputs])

    def _sizes(self) -> Longs:
        """Return the size of the smallest group of each member."""
        return np.array([min(m.bit_count() for m in self.masks if m & bit) for bit in self.bit.values()], np.int64)

    def _copy(self, first: int, end: int) -> None:
        """Copy the wide gates from `first` to before `end` unchanged."""
        if first < end:
            start, leaves = self.wide.start[first : end + 1], self.wide.leaves
            self.graph.made(int(start[-1] - start[0]), fill, self.new, self.wide.nodes[first:end], start, leaves)

    def _note(self, node: int, row: list[int]) -> None:
        """Record the wide gate `node`, whose complement is an OR of members, as the literal of that set of members."""
        held = 0
        for leaf in row:
            held |= self.bit.get(leaf ^ 1) or self.sets[leaf ^ 1]
        self.sets[2 * node + 1] = held
        if any(held & mask == held and 2 * held.bit_count() <= mask.bit_count() for mask in self.masks):
            self.whole[held & -held].append((held, int(self.new[2 * node + 1])))

    def _shortened(self, row: list[int]) -> list[int]:
        """Return the leaves of a wide gate after replacing terms of groups by complements where that is shorter."""
        gone: set[int] = set()
        added: list[int] = []
        read = [leaf for leaf in map(self._read, row) if leaf.members]
        present = reduce(or_, (leaf.members for leaf in read), 0)
        for i, mask in enumerate(self.masks):
            if not present & mask:
                continue
            terms = self._terms((leaf for leaf in read if leaf.literal not in gone), mask)
            rest = mask & ~terms.sure & ~reduce(or_, (self.bit[m] for m in terms.under), 0)
            if 2 * rest.bit_count() > mask.bit_count():
                continue
            cover = self._cover(rest)
            if len(cover) + 2 * len(terms.under) + (self.any[i] != TRUE) < terms.cost:
                gone.update(terms.leaves)
                added.append(self._complement(i, cover, terms) ^ 1)
        return [*self.new[[leaf for leaf in row if leaf not in gone]].tolist(), *added]

    def _read(self, literal: int) -> _Leaf:
        """Return a leaf of an OR with the members on which it depends."""
        held = self.bit.get(literal ^ 1) or self.sets.get(literal ^ 1)
        if held:
            return _Leaf(literal, held, (), held, 1)
        inner = self._inner(literal ^ 1)
        members = reduce(or_, (self.bit.get(x, 0) for x in inner), 0)
        return _Leaf(literal, 0, inner, members, 2 if self.wide.readers[literal >> 1] == 1 else 1)

    def _terms(self, row: Iterable[_Leaf], mask: int) -> _Terms:
        """Return the terms of a group in an OR; an OR of members, some of them outside the group, is not a term."""
        terms = _Terms()
        for leaf in row:
            if leaf.held:
                if leaf.held & ~mask:
                    continue
                terms.sure |= leaf.held
            elif leaf.members & mask:
                terms.under[next(x for x in leaf.inner if self.bit.get(x, 0) & mask)].append(leaf)
            else:
                continue
            terms.cost += leaf.cost
            terms.leaves.append(leaf.literal)
        return terms

    def _inner(self, literal: int) -> list[int]:
        """Return the leaves of the wide gate with this literal; none if the literal is complemented or no wide gate."""
        g = self.wide.number[literal >> 1]
        if literal & 1 or g < 0:
            return []
        leaves: list[int] = self.wide.leaves[self.wide.start[g] : self.wide.start[g + 1]].tolist()
        return leaves

    def _cover(self, held: int) -> list[int]:
        """Return new literals whose OR is the OR of the members `held`: a greedy cover by the largest known sets."""
        found = []
        while held:
            bit = held & -held
            fitting = [entry for entry in self.whole.get(bit, ()) if not entry[0] & ~held]
            taken, literal = max(fitting, key=lambda e: e[0].bit_count(), default=(bit, -1))
            found.append(self.members[bit.bit_length() - 1] if literal < 0 else literal)
            held &= ~taken
        return found

    def _complement(self, i: int, cover: list[int], terms: _Terms) -> int:
        graph = self.graph
        absent = list(cover)
        for member, under in terms.under.items():
            if not self.bit[member] & terms.sure:
                beside = (graph.all(self.new[[x for x in leaf.inner if x != member]].tolist()) for leaf in under)
                absent.append(graph.and_(member, graph.any([*beside]) ^ 1))
        some = self.any[i]
        if some is None:
            some = self.any[i] = graph.any(self._cover(self.masks[i]))
        return graph.and_(some, graph.any(absent) ^ 1)


PURE, ORS = 1, 2
"""Marks of a wide gate. PURE: its complement is an OR of members only. ORS: the OR may contain half of a group."""


@kernel
def _candidates(wide: Wide, members: Literals, sizes: Longs, literals: int) -> Bytes:
    """Return the marks of each wide gate; sizes: for each member the size of its smallest group."""
    held = np.zeros(literals, np.int64)  # number of members in an OR of members, with repetitions; 0: no such OR
    guard = np.full(literals, NO_MEMBER)  # the member in a conjunction; SEVERAL for more than one
    smallest = np.full(literals, NO_GROUP)  # the size of the smallest group of the literal's members
    last = np.full(literals, -1, np.int64)  # by member: the last gate with a conjunction that contains the member
    for i in range(len(members)):
        held[members[i]], smallest[members[i]] = 1, sizes[i]
    marks = np.zeros(len(wide.nodes), np.uint8)
    for g in range(len(wide.nodes)):
        node = wide.nodes[g]
        pure, terms, named, saved = True, 0, 0, 0
        for leaf in wide.leaves[wide.start[g] : wide.start[g + 1]]:
            term = leaf ^ 1
            pure &= held[term] > 0
            if held[term]:
                named, saved = named + held[term], saved + 1
            elif guard[term] != NO_MEMBER:
                named += 1
                if guard[term] == SEVERAL or last[guard[term]] == g:
                    saved += 2
                else:  # the complement costs as much for the first such conjunction of a member
                    last[guard[term]] = g
            if held[term] or guard[term] != NO_MEMBER:
                terms += 1
                smallest[2 * node + 1] = min(smallest[2 * node + 1], smallest[term])
            if held[leaf] and leaf < 2 * wide.nodes[0]:
                guard[2 * node] = leaf if guard[2 * node] == NO_MEMBER else SEVERAL
                smallest[2 * node] = min(smallest[2 * node], smallest[leaf])
        marks[g] = PURE * pure + ORS * (terms >= MIN_TERMS and saved > 0 and 2 * named >= smallest[2 * node + 1])
        held[2 * node + 1] = min(named, NO_GROUP) if pure else 0
    return marks
