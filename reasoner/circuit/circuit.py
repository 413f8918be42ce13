"""A compiled game: the gates of its circuit in evaluation order, and the meaning of its nodes.

Layout of the nodes: ``0`` is false; ``1 … B`` the bases; ``B+1 … B+M`` the moves; the rest are AND gates in four
consecutive stages, so that a playout evaluates only what it needs:

    LEGAL   gates that `legal` and `terminal` need, and gates that GOAL and NEXT share; reads bases
    GOAL    gates that only `goal` needs; reads bases
    NEXT    the next values of the bases that legality, goals and terminal depend on; also reads moves
    REST    the next values of the other bases, which only `facts` shows; reads all stages

A *literal* is ``2 * node + complement`` as in `reasoner.circuit.graph`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

import numpy as np

from reasoner.arrays import Bools, Ints, Literals, Longs
from reasoner.circuit.constant_folding import folded, with_outputs
from reasoner.circuit.graph import FALSE, Graph
from reasoner.circuit.invariants import CHECKED, require, require_apart, require_literals, require_order
from reasoner.circuit.netlist import Netlist
from reasoner.circuit.ternary_simulation import reachable
from reasoner.circuit.traversal import mark, visit
from reasoner.ground.terms import GroundTerms
from reasoner.language.terms import Term
from reasoner.machine import Sizes
from reasoner.rules.program import Relation


@dataclass(frozen=True, slots=True)
class Phases:
    """The step counter's bases (`reasoner.circuit.step_counter`) and phases; the gates assume one of these phases."""

    bases: frozenset[int]
    all: frozenset[frozenset[int]]  # the true bases of each phase


@dataclass(frozen=True, eq=False)
class Circuit:
    """A compiled game; B bases, M moves, G gates. The module docstring describes the layout of nodes and literals."""

    roles: tuple[Term, ...]
    bases: GroundTerms  # [B]; play depends on the first `searched` bases only
    searched: int
    always: GroundTerms  # facts true in every reachable state; they have no base
    never: GroundTerms  # facts that were grounded and are false in every reachable state
    initial: Bools  # [B]
    moves: tuple[GroundTerms, ...]  # the moves of each role, in node order
    legal: Literals  # [M]
    next: Literals  # [B]
    terminal: int
    goals: Ints  # [goals, 3] role, value, literal
    left: Literals  # [G]
    right: Literals  # [G]
    stages: tuple[int, int, int, int]  # the end of each stage, in gates
    groups: tuple[
        tuple[int, ...], ...
    ] = ()  # groups of facts, at most one true in a reachable state; number B + i is fact i of `always`
    phases: Phases | None = None
    kept: tuple[Relation, ...] = ()  # views that are stored as hidden facts (`reasoner.rewrite.keep_views`)

    def __post_init__(self) -> None:
        if CHECKED:
            self.check()

    def check(self) -> None:
        """Raise AssertionError if an invariant is broken; checked mode calls this for every circuit."""
        bases, moves, ends = len(self.bases), len(self.legal), self.stages
        require(len(self.initial) == len(self.next) == bases, "initial and next have a value for each base")
        require(sum(map(len, self.moves)) == moves, "legal has a literal for each move")
        require(0 <= self.searched <= bases, f"{self.searched} searched bases of {bases}")
        require(len(self.moves) == len(self.roles), "moves has an entry for each role")
        require(all(a <= b for a, b in pairwise((0, *ends))) and ends[3] == len(self.left), f"stages end at {ends}")
        first = 1 + bases + moves
        require_order(self.left, self.right, first)
        self._check_stages(first)
        require((self.goals[:, 0] < len(self.roles)).all() and (self.goals[:, 0] >= 0).all(), "a goal has a role")
        facts = bases + len(self.always)
        require(all(0 <= fact < facts for group in self.groups for fact in group), f"groups are of {facts} facts")

    def _check_stages(self, first: int) -> None:
        """Each stage and each result reads only stages that are evaluated before it; LEGAL and GOAL read no moves."""
        legal, goal, after = (first + end for end in self.stages[:3])
        moves = range(1 + len(self.bases), first)
        results = {
            "legal": (np.append(self.legal, self.terminal), legal, moves),
            "goals": (self.goals[:, 2], goal, moves),
            "next": (self.next[: self.searched], after, range(legal, goal)),
            "next of the other bases": (self.next, first + self.stages[3], range(0)),
        }
        for name, (literals, end, hidden) in results.items():
            require_literals(literals, end, name)
            require_apart(literals, hidden, name)
        for name, begin, end, hidden in (("LEGAL and GOAL", 0, goal, moves), ("NEXT", goal, after, range(legal, goal))):
            own = slice(max(begin - first, 0), end - first)
            for operands in (self.left[own], self.right[own]):
                require_apart(operands, hidden, name)

    def broken(self, held: Iterable[int]) -> bool:
        """Whether a state with these true bases is unreachable: it has two bases of one group, or matches no phase."""
        held = frozenset(held)
        if self.phases is not None and held & self.phases.bases not in self.phases.all:
            return True
        true = chain(range(len(self.bases), len(self.bases) + len(self.always)), held)
        shown = [group for fact in true for group in self._groups_of.get(fact, ())]
        return len(shown) > len(set(shown))

    def excluded_by(self, base: int) -> set[int]:
        """Return the bases that are false in every reachable state in which this one is true."""
        groups, bases = (self.groups[number] for number in self._groups_of.get(base, ())), len(self.bases)
        return {other for group in groups for other in group if other < bases} - {base}

    @cached_property
    def _groups_of(self) -> dict[int, list[int]]:
        """Return, for each fact, the numbers of its groups."""
        found: dict[int, list[int]] = defaultdict(list)
        for number, group in enumerate(self.groups):
            for fact in group:
                found[fact].append(number)
        return dict(found)

    def move(self, number: int) -> Term:
        """Return the move with the number `number`, which counts the moves role by role."""
        for own in self.moves:
            if number < len(own):
                return own[number]
            number -= len(own)
        raise IndexError(number)

    @property
    def sizes(self) -> Sizes:
        """Gates, bases and moves."""
        return Sizes(len(self.left), len(self.bases), len(self.legal))


def compile_netlist(netlist: Netlist) -> Circuit:
    """Fold the nodes that are constant in play, drop unused gates, and order the remaining gates.

    If folding shows that a move is never legal, gates still read that the move may be made, so it is repeated.
    """
    made = slice(2 * len(netlist.bases) + 2, 2 * netlist.graph.first_gate, 2)
    while True:
        can = reachable(netlist)
        graph, new = folded(netlist.graph, can)
        if not (can[made] & (new[netlist.legal] == FALSE)).any():
            return _Layout(netlist, can, graph, new).circuit()
        netlist = with_outputs(netlist, graph, new[netlist.outputs])


class _Layout:
    """Builder of a circuit: chooses its bases and moves, and numbers the gates by stage, depth first from outputs."""

    def __init__(self, netlist: Netlist, can: Bools, graph: Graph, new: Literals) -> None:
        self.netlist = netlist
        self.graph, self.new = graph, new
        self.left, self.right, self.first_gate = self.graph.left, self.graph.right, self.graph.first_gate
        count = len(netlist.bases)
        true, false = can[2 : 2 * count + 2 : 2], can[3 : 2 * count + 3 : 2]
        self.varying = np.flatnonzero(true & false)
        self.always, self.never = np.flatnonzero(~false), np.flatnonzero(~true)
        self.moves = np.flatnonzero(self.new[netlist.legal] != FALSE)
        self.order = np.empty(len(self.graph), np.int32)  # gates' nodes, in evaluation order
        self.seen = np.zeros(self.first_gate + len(self.graph), np.bool_)
        self.ends = [0]

    def circuit(self) -> Circuit:
        netlist, new = self.netlist, self.new
        legal, terminal = new[netlist.legal[self.moves]], new[[netlist.terminal]]
        goals = netlist.goals.copy()
        goals[:, 2] = new[goals[:, 2]]
        goals = goals[goals[:, 2] != FALSE]
        following = new[netlist.next]
        searched = self._searched(np.concatenate((legal, terminal, goals[:, 2])), following)
        steps = following[searched]
        rest = np.setdiff1d(self.varying, searched)
        shared = np.flatnonzero(self._under(goals[:, 2]) & self._under(steps)).astype(np.int32)
        for roots in (np.concatenate((legal, terminal, 2 * shared)), goals[:, 2], steps, following[rest]):
            self.ends.append(visit(self.left, self.right, self.first_gate, roots, self.seen, self.order, self.ends[-1]))
        bases = np.concatenate((searched, rest))
        renumbered = self._renumbered(bases)
        gates = self.order[: self.ends[-1]] - self.first_gate
        goals[:, 2] = renumbered[goals[:, 2]]
        movers = netlist.mover[self.moves]
        return Circuit(
            roles=netlist.roles,
            bases=netlist.bases.at(bases),
            searched=len(searched),
            always=netlist.bases.at(self.always),
            never=netlist.bases.at(self.never),
            initial=netlist.initial[bases],
            moves=tuple(netlist.moves.at(self.moves[movers == role]) for role in range(len(netlist.roles))),
            legal=renumbered[legal],
            next=renumbered[following[bases]],
            terminal=int(renumbered[terminal[0]]),
            goals=goals,
            left=renumbered[self.left[gates]],
            right=renumbered[self.right[gates]],
            stages=(self.ends[1], self.ends[2], self.ends[3], self.ends[4]),
        )

    def _searched(self, roots: Literals, following: Literals) -> Longs:
        """Return the bases that play depends on: those that the roots or, transitively, their next values read."""
        count = len(self.netlist.bases)
        seen, searched = np.zeros_like(self.seen), np.zeros(count, np.bool_)
        while len(roots):
            mark(self.left, self.right, self.first_gate, roots, seen)
            found = seen[1 : count + 1] & ~searched
            searched |= found
            roots = following[found]
        return np.flatnonzero(searched)

    def _under(self, literals: Literals) -> Bools:
        """Return which nodes the literals depend on, including their own nodes."""
        seen = np.zeros_like(self.seen)
        mark(self.left, self.right, self.first_gate, literals, seen)
        return seen

    def _renumbered(self, bases: Longs) -> Literals:
        """Return the new literal of each literal of the folded graph; 0 for those of dropped nodes."""
        count = len(self.netlist.bases)
        nodes = np.concatenate(([0], bases + 1, self.moves + count + 1, self.order[: self.ends[-1]]))
        table = np.zeros(2 * len(self.seen), np.int32)
        table[2 * nodes] = 2 * np.arange(len(nodes))
        table[2 * nodes + 1] = 2 * np.arange(len(nodes)) + 1
        return table
