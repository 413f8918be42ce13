"""Lane graph, the input of an emitter: a circuit's gates and the choice of moves, section by section.

Nodes: ``0`` is false; ``1 … B`` the bases; ``B+1 … B+M`` the moves; then random bits, BITS for each choice that is
made by circuit; then the gates. A *literal* is ``2 * node + complement``; a gate is the AND of its operands,
or their XOR if the left one is greater (as in `reasoner.circuit.graph`). Gates come in six sections:

    LEGAL   the legal moves and the end, from the bases; also what the other sections share
    GOAL    the goals, from the bases
    CHOOSE  one move of every role, from the legal moves and the random bits
    PREFER  the same, but prefers winning moves, then moves that meet a threat, then captures; also whether some role
            has a winning move (`reasoner.lanes.tactics`). Replaces CHOOSE and runs before GOAL
    NEXT    the next values of the bases that play depends on, from the bases and the moves
    REST    the next values of the other bases; runs before NEXT, and only if the caller asks for facts

Each section reads the results of LEGAL and of no other section: REST has copies of the gates it shares
with NEXT, PREFER of those it shares with CHOOSE. Roles that take turns (`reasoner.lanes.alternating_roles`) share one
choice. A choice is among *slots* (`reasoner.lanes.exclusive_moves`), in each of which at most one move is legal. A
role with too many moves has no choice circuit; `reasoner.lanes.draw` chooses for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.lanes.choice_plan import DRAWN

Taken = list[tuple[int, ...]]
"""For each move the bases that it captures if they are true."""

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
    sections: tuple[Ints, ...]  # per section its gates' nodes, each after those it reads
    legal: Ints  # [M] literals
    able: Ints  # [roles] literals: the role has a legal move
    terminal: int  # literal
    stop: int  # literal: the game is over, or some role has no move
    goals: Ints  # [goals, 3] role, value, literal
    chosen: Ints  # [M] literals, or DRAWN
    exclusive: Ints  # [pairs, 2] bases; no reachable state has both, and the choice relies on it
    next: Ints  # [B] literals; those of REST are in its own copies
    drawn: Ints  # [roles that draw, 2] the first move and the end
    preferred: Ints  # [M] literals that PREFER chooses; DRAWN for all if that section is empty
    won: int  # literal without random bits: some role has a winning move; false if PREFER is empty
    captures: Taken = field(default_factory=list)  # for each move the bases it captures; empty: PREFER ignores captures

    @property
    def first_gate(self) -> int:
        """The node of the first gate."""
        return 1 + len(self.circuit.bases) + len(self.legal) + self.randoms

    @property
    def hold(self) -> int:
        """The node of the lanes that keep their state, after all others."""
        return self.first_gate + len(self.left)

    @property
    def step_gates(self) -> int:
        """The gates of a uniform step of play."""
        return sum(len(self.sections[section]) for section in (LEGAL, CHOOSE, NEXT))

    def shared(self) -> Ints:
        """The gates of LEGAL that other sections read, except PREFER, which recomputes what is missing."""
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
        """The literals that LEGAL leaves in memory for later sections, except `stop`, which has a row."""
        return np.concatenate((self.legal, self.able, [self.terminal], 2 * self.shared())).astype(np.int32)
