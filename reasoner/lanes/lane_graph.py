"""Lane graph, the input of an emitter: a circuit's gates and the choice of moves, section by section.

Nodes: ``0`` is false; ``1 … B`` the bases; ``B+1 … B+M`` the moves; then random bits, BITS for each choice that is
made by circuit; then the gates. A *literal* is ``2 * node + complement``. A gate is the AND of its operands, or their
XOR if the left operand is greater (as in `reasoner.circuit.graph`). There are six sections of gates:

    LEGAL   the legal moves and the end, from the bases; also the gates that other sections share
    GOAL    the goals, from the bases
    CHOOSE  one move of every role, from the legal moves and the random bits
    PREFER  the same, but prefers winning moves, then moves that meet a threat, then captures; also whether some role
            has a winning move (`reasoner.lanes.tactics`). Replaces CHOOSE and runs before GOAL
    NEXT    the next values of the bases that play depends on, from the bases and the moves
    REST    the next values of the other bases; runs before NEXT, and only if the caller needs all facts

Each section reads the results of LEGAL and of no other section: REST has copies of the gates that it shares with NEXT,
and PREFER has copies of the gates that it shares with CHOOSE. Roles that take turns
(`reasoner.lanes.alternating_roles`) share one choice. A choice selects one of several *slots*, sets of moves of which
at most one is legal (`reasoner.lanes.exclusive_moves`). A role with too many moves has no choice circuit;
`reasoner.lanes.draw` chooses for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.invariants import CHECKED, require
from reasoner.lanes.choice_plan import DRAWN
from reasoner.lanes.invariants import Readable

Taken = list[tuple[int, ...]]
"""For each move, the bases that it captures if they are true."""

SECTIONS = LEGAL, GOAL, CHOOSE, NEXT, REST, PREFER = range(6)

__all__ = [
    "CHOOSE",
    "DRAWN",
    "GOAL",
    "LEGAL",
    "NEXT",
    "PREFER",
    "REST",
    "SECTIONS",
    "Ints",
    "LaneGraph",
]


@dataclass(frozen=True, eq=False)
class LaneGraph:
    """The gates of all sections and the literals of the results; B bases, M moves, G gates."""

    circuit: Circuit
    randoms: int  # random bits
    left: Ints  # [G] literals
    right: Ints  # [G] literals
    sections: tuple[Ints, ...]  # for each section its gates' nodes, operands first
    legal: Ints  # [M] literals
    able: Ints  # [roles] literals: the role has a legal move
    terminal: int  # literal
    stop: int  # literal: the game is over, or some role has no move
    goals: Ints  # [goals, 3] role, value, literal
    chosen: Ints  # [M] literals, or DRAWN
    exclusive: Ints  # [pairs, 2] mutually exclusive bases on which the choice relies
    next: Ints  # [B] literals; those that REST computes are literals of its copied gates
    drawn: Ints  # [roles that draw, 2] the first move and the end of each role's moves
    preferred: Ints  # [M] literals: PREFER chooses the move; DRAWN for all moves if PREFER is empty
    won: int  # literal without random bits: some role has a winning move; false if PREFER is empty
    captures: Taken = field(default_factory=list)  # for each move the captured bases; empty: PREFER ignores captures

    def __post_init__(self) -> None:
        if CHECKED:
            self.check()

    def check(self) -> None:
        """Raise AssertionError if an invariant is broken; checked mode calls this for every graph."""
        bases, moves = len(self.circuit.bases), len(self.legal)
        require(len(self.next) == bases, f"{len(self.next)} next values of {bases} bases")
        require(len(self.chosen) == len(self.preferred) == moves, "chosen and preferred have a literal for each move")
        require((self.exclusive >= 0).all() and (self.exclusive < bases).all(), "exclusive pairs are of bases")
        own = Readable(self.left, self.right, self.first_gate, self.sections)
        own.require_results(LEGAL, "legal", np.append(self.legal, (*self.able, self.terminal, self.stop)))
        own.require_results(GOAL, "goals", self.goals[:, 2])
        own.require_results(CHOOSE, "chosen", self.chosen[self.chosen != DRAWN])
        own.require_results(PREFER, "preferred", np.append(self.preferred[self.preferred != DRAWN], self.won))
        searched = self.circuit.searched
        own.require_results(NEXT, "next", self.next[:searched])
        own.require_results(REST, "next of the other bases", self.next[searched:])

    @property
    def first_gate(self) -> int:
        """The node of the first gate."""
        return 1 + len(self.circuit.bases) + len(self.legal) + self.randoms

    @property
    def hold(self) -> int:
        """The node that is true in the lanes that keep their state; it comes after all other nodes."""
        return self.first_gate + len(self.left)

    @property
    def step_gates(self) -> int:
        """The number of gates evaluated in a step of uniform play."""
        return sum(len(self.sections[section]) for section in (LEGAL, CHOOSE, NEXT))

    def shared(self) -> Ints:
        """The gates of LEGAL that GOAL, CHOOSE, NEXT or REST read; PREFER recomputes the other gates that it reads."""
        read = np.zeros(self.first_gate + len(self.left), np.bool_)
        for section in (GOAL, CHOOSE, NEXT, REST):
            gates = self.sections[section] - self.first_gate
            read[self.left[gates] >> 1] = True
            read[self.right[gates] >> 1] = True
        for literals in (self.goals[:, 2], self.chosen[self.chosen != DRAWN], self.next):
            read[np.asarray(literals) >> 1] = True
        legal: Ints = self.sections[LEGAL]
        return legal[read[legal]]

    def left_by_legal(self) -> Ints:
        """The literals that LEGAL leaves in memory for later sections, except `stop`, which has a row of its own."""
        return np.concatenate((self.legal, self.able, [self.terminal], 2 * self.shared())).astype(np.int32)
