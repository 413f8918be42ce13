"""What an emitter is given: a circuit's gates with the choice of moves among them, section by section.

Nodes: ``0`` is false; ``1 … B`` the bases; ``B+1 … B+M`` the moves; then random bits, BITS for each choice that is
made by circuit; then the gates. A *literal* is ``2 * node + complement``; a gate is the AND of its operands,
or their XOR where the left one is the greater (as in `reasoner.circuit.graph`). Gates come in seven sections:

    LEGAL   the legal moves and the end, from the bases; also what the other sections share
    GOAL    the goals, from the bases
    CHOOSE  one move of every role, from the legal moves and the random bits
    PREFER  the same, but a move that wins where there is one, else one that meets a threat, else one that captures;
            also whether some role has a move that wins (`reasoner.lanes.preferred_moves`). Takes the place of CHOOSE,
            and runs before GOAL
    NEXT    the next values of the bases that play depends on, from the bases and the moves
    REST    the next values of the other bases; run before NEXT, and only where somebody asks for facts
    STEP    a whole step of random play: what LEGAL, CHOOSE and NEXT do, without a word of the single moves
            (`reasoner.lanes.step`). Reads bases, random bits and HOLD; empty where it would not pay

Each but STEP reads what LEGAL computed, and nothing else of another section: REST has copies of what it shares with
NEXT, PREFER of what it shares with CHOOSE. Roles that take turns (`reasoner.lanes.alternating_roles`) share one choice.
It is among *slots* (`reasoner.lanes.exclusive_moves`), in each of which at most one move is legal. For a role with too
many moves there is no choice circuit, `reasoner.lanes.draw` chooses.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.lanes.choice_plan import DRAWN

Taken = list[tuple[int, ...]]
"""For each move the bases of which each is captured where it is true."""

SECTIONS = LEGAL, GOAL, CHOOSE, NEXT, REST, PREFER, STEP = range(7)

__all__ = [
    "CHOOSE",
    "DRAWN",
    "GOAL",
    "LEGAL",
    "NEXT",
    "PREFER",
    "REST",
    "SECTIONS",
    "STEP",
    "Ints",
    "LaneGraph",
]


@dataclass(frozen=True, eq=False)
class LaneGraph:
    """The gates of all sections and the literals that mean something; B bases, M moves, G gates."""

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
    exclusive: Ints  # [pairs, 2] bases of which no reachable state has both; the choice relies on it
    next: Ints  # [B] literals; those of REST are in its own copies
    drawn: Ints  # [roles that draw, 2] the first move and the end
    preferred: Ints  # [M] literals, what PREFER chooses; DRAWN for all where that section is empty
    won: int  # literal, of no random bit: some role has a move that wins; false where PREFER is empty
    captures: Taken = field(default_factory=list)  # for each move the bases it takes; empty: PREFER heeds no captures
    step: Ints = field(default_factory=lambda: np.zeros(0, np.int32))  # [searched + 1] literals: what STEP makes of
    # each base, and whether the game stops; empty where that section is. Node `hold` are the lanes that keep theirs

    @property
    def first_gate(self) -> int:
        """The node of the first gate."""
        return 1 + len(self.circuit.bases) + len(self.legal) + self.randoms

    @property
    def hold(self) -> int:
        """The node of the lanes that keep their state, after all others."""
        return self.first_gate + len(self.left)

    def shared(self) -> Ints:
        """The gates of LEGAL that other sections read, but for PREFER, which makes anew what is missing."""
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
        """The literals that LEGAL leaves in memory for what comes after it, but for `stop`, which has a row."""
        return np.concatenate((self.legal, self.able, [self.terminal], 2 * self.shared())).astype(np.int32)
