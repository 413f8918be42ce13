"""A game compiled: the gates of its circuit in the order they are evaluated, and what its nodes mean.

Layout of the nodes: ``0`` is false; ``1 … B`` the bases; ``B+1 … B+M`` the moves; the rest are AND gates in four
consecutive stages, so that a playout evaluates only what it needs:

    LEGAL   what `legal` and `terminal` need, and what GOAL and NEXT share; reads bases
    GOAL    what only `goal` needs; reads bases
    NEXT    what the next values of the bases need that legality, goals and the end depend on; reads moves too
    REST    what the other bases need, which only `facts` shows

A *literal* is ``2 * node + complement`` as in `reasoner.circuit.graph`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.build import Netlist
from reasoner.circuit.constants import reachable
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.language.terms import Term
from reasoner.machine import Sizes

Literals = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Circuit:
    """A compiled game; B bases, M moves, G gates. See the module's text for the layout of nodes and literals."""

    roles: tuple[Term, ...]
    bases: tuple[Term, ...]  # [B]; the first `searched` are those that play depends on
    searched: int
    always: tuple[Term, ...]  # facts true in every reachable state; they have no base
    never: tuple[Term, ...]  # facts that were grounded and are false in every reachable state
    initial: NDArray[np.bool_]  # [B]
    moves: tuple[tuple[Term, ...], ...]  # per role its moves in the order of their nodes
    legal: Literals  # [M]
    next: Literals  # [B]
    terminal: int
    goals: NDArray[np.int32]  # [goals, 3] role, value, literal
    left: Literals  # [G]
    right: Literals  # [G]
    stages: tuple[int, int, int, int]  # the end of each stage, in gates
    groups: tuple[tuple[int, ...], ...] = ()  # of bases, at most one true in a reachable state; B … are the `always`

    def broken(self, held: Iterable[int]) -> bool:
        """Whether a state with these bases true breaks a group: play never reaches it, the circuit may be wrong."""
        first: dict[int, int] = {}
        true = chain(range(len(self.bases), len(self.bases) + len(self.always)), held)
        return any(first.setdefault(self._group[fact], fact) != fact for fact in true if fact in self._group)

    @cached_property
    def _group(self) -> dict[int, int]:
        return {base: number for number, group in enumerate(self.groups) for base in group}

    @property
    def sizes(self) -> Sizes:
        """Gates, bases and moves."""
        return Sizes(len(self.left), len(self.bases), len(self.legal))


def compile_netlist(netlist: Netlist) -> Circuit:
    """Fold what cannot change in play, drop what nothing needs, and put the gates in order."""
    can = reachable(netlist)
    folded = _fold(netlist, can)
    return _Layout(netlist, folded, can).circuit()


@dataclass
class _Folded:
    """The netlist's graph rebuilt with constants in place; `literal[l]` is the new literal of the old literal `l`."""

    graph: Graph
    literal: list[int]


def _fold(netlist: Netlist, can: NDArray[np.bool_]) -> _Folded:
    old = netlist.graph
    graph = Graph(old.inputs, old.max_gates)
    literal = [FALSE, TRUE]
    possible = can.tolist()

    def record(node: int, new: int) -> None:
        if not possible[2 * node]:
            new = FALSE
        elif not possible[2 * node + 1]:
            new = TRUE
        literal.extend((new, new ^ 1))

    for i in range(old.inputs):
        record(i + 1, graph.input(i))
    for gate, (a, b) in enumerate(zip(old.left, old.right, strict=True), start=old.first_gate):
        record(gate, graph.and_(literal[a], literal[b]))
    return _Folded(graph, literal)


class _Layout:
    """Chooses the bases and moves that stay, and numbers the gates stage by stage, depth first from the outputs."""

    def __init__(self, netlist: Netlist, folded: _Folded, can: NDArray[np.bool_]) -> None:
        self.netlist = netlist
        self.graph = folded.graph
        self.new = folded.literal
        count = len(netlist.bases)
        self.varying = [i for i in range(count) if can[2 * (i + 1)] and can[2 * (i + 1) + 1]]
        self.always = [netlist.bases[i] for i in range(count) if not can[2 * (i + 1) + 1]]
        self.never = [netlist.bases[i] for i in range(count) if not can[2 * (i + 1)]]
        self.moves = [i for i, literal in enumerate(netlist.legal) if self.new[literal] != FALSE]
        self.order: list[int] = []  # gates of the folded graph, in the order of evaluation
        self.seen: set[int] = set()

    def circuit(self) -> Circuit:
        netlist, new = self.netlist, self.new
        legal = [new[netlist.legal[i]] for i in self.moves]
        terminal = new[netlist.terminal]
        goals = [(role, value, new[literal]) for role, value, literal in netlist.goals if new[literal] != FALSE]
        following = {i: new[netlist.next[i]] for i in self.varying}
        scores = [literal for _, _, literal in goals]
        searched = self._searched([*legal, terminal, *scores], following)
        steps = [following[i] for i in sorted(searched)]
        shared = self._under(scores) & self._under(steps)
        ends = [self._visit([*legal, terminal, *(2 * node for node in sorted(shared))])]
        ends.append(self._visit(scores))
        ends.append(self._visit(steps))
        rest = [i for i in self.varying if i not in searched]
        ends.append(self._visit(following[i] for i in rest))
        bases = [i for i in self.varying if i in searched] + rest
        renumbered = self._renumbered(bases)
        gates = np.array(self.order, np.int64) - self.graph.first_gate
        return Circuit(
            roles=netlist.roles,
            bases=tuple(netlist.bases[i] for i in bases),
            searched=len(searched),
            always=tuple(self.always),
            never=tuple(self.never),
            initial=np.array([netlist.initial[i] for i in bases], bool),
            moves=tuple(
                tuple(netlist.moves[i][1] for i in self.moves if netlist.moves[i][0] == role)
                for role in range(len(netlist.roles))
            ),
            legal=renumbered[np.array(legal, np.int64)],
            next=renumbered[np.array([following[i] for i in bases], np.int64)],
            terminal=int(renumbered[terminal]),
            goals=np.array([(r, v, renumbered[g]) for r, v, g in goals], np.int32).reshape(-1, 3),
            left=renumbered[np.array(self.graph.left, np.int64)[gates]],
            right=renumbered[np.array(self.graph.right, np.int64)[gates]],
            stages=(ends[0], ends[1], ends[2], ends[3]),
        )

    def _searched(self, roots: list[int], following: dict[int, int]) -> set[int]:
        """The bases that play depends on: those the roots read, and those that their next values read."""
        searched: set[int] = set()
        waiting, seen = roots, set[int]()
        while waiting:
            under = self._under(waiting, seen)
            found = {node - 1 for node in under if 0 < node <= len(self.netlist.bases)} - searched
            searched |= found
            waiting = [following[i] for i in found]
        return searched

    def _under(self, literals: Iterable[int], seen: set[int] | None = None) -> set[int]:
        """The nodes that the literals depend on, themselves included; not those in `seen`, to which they are added."""
        graph, seen, under = self.graph, set() if seen is None else seen, set[int]()
        stack = [literal >> 1 for literal in literals]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            under.add(node)
            if node >= graph.first_gate:
                gate = node - graph.first_gate
                stack += (graph.left[gate] >> 1, graph.right[gate] >> 1)
        return under

    def _visit(self, literals: Iterable[int]) -> int:
        """Append the gates under `literals` that are not in the order yet, each after those it reads; the new end."""
        graph, seen, first = self.graph, self.seen, self.graph.first_gate
        for literal in literals:
            stack = [literal >> 1]
            while stack:
                node = stack[-1]
                if node < first or node in seen:
                    stack.pop()
                    continue
                unread = [
                    n
                    for n in (graph.left[node - first] >> 1, graph.right[node - first] >> 1)
                    if n >= first and n not in seen
                ]
                if unread:
                    stack += unread
                else:
                    seen.add(node)
                    self.order.append(node)
                    stack.pop()
        return len(self.order)

    def _renumbered(self, bases: list[int]) -> Literals:
        """New literal by literal of the folded graph; nodes that are gone map to nothing anyone reads."""
        graph = self.graph
        count = len(self.netlist.bases)
        nodes = [0, *(i + 1 for i in bases), *(count + 1 + i for i in self.moves), *self.order]
        table = np.zeros(2 * (graph.first_gate + len(graph.left)), np.int32)
        old = 2 * np.array(nodes, np.int64)
        table[old] = 2 * np.arange(len(nodes))
        table[old + 1] = 2 * np.arange(len(nodes)) + 1
        return table
