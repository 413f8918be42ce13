"""What an emitter is given: a circuit's gates with the choice of moves among them, section by section.

Nodes: ``0`` is false; ``1 … B`` the bases; ``B+1 … B+M`` the moves; then random bits, BITS for each choice that is
made by circuit; then the gates. A *literal* is ``2 * node + complement``; a gate is the AND of its operands,
or their XOR where the left one is the greater (as in `reasoner.circuit.graph`). Gates come in five sections:

    LEGAL   the legal moves and the end, from the bases; also what the other sections share
    GOAL    the goals, from the bases
    CHOOSE  one move of every role, from the legal moves and the random bits
    NEXT    the next values of the bases that play depends on, from the bases and the moves
    REST    the next values of the other bases; run before NEXT, and only where somebody asks for facts

Each reads what LEGAL computed, and nothing else of another section: REST has copies of what it shares with NEXT. Roles
that take turns (`reasoner.lanes.turns`) share one choice among *slots*: slot k is the k-th move of the one
whose turn it is. For a role with more than CIRCUIT_MOVES moves there is no choice circuit, `reasoner.lanes.draw`
chooses.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import TRUE, Graph
from reasoner.circuit.visit import mark
from reasoner.lanes.choose import BITS, choose
from reasoner.lanes.turns import NO_MOVE, Turn, take_turns

Ints = NDArray[np.int32]

SECTIONS = LEGAL, GOAL, CHOOSE, NEXT, REST = range(5)

CIRCUIT_MOVES = 4096
"""Up to this many moves a role chooses by circuit; measured, see docs/lanes.md."""

DRAWN = -1
"""In place of the literal that chooses a move: no circuit does."""


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

    @property
    def first_gate(self) -> int:
        """The node of the first gate."""
        return 1 + len(self.circuit.bases) + len(self.legal) + self.randoms


def lane_graph(circuit: Circuit) -> LaneGraph:
    """The sections of a circuit."""
    return _Builder(circuit).built()


class _Builder:
    """Adds ability, end and choice to the circuit's gates, and divides them into sections.

    What is added is a graph of its own, whose inputs are all nodes of the circuit.
    """

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.bases, self.moves, self.gates = len(circuit.bases), len(circuit.legal), len(circuit.left)
        self.turns = take_turns(circuit)
        self.choices = self._choices()
        self.randoms = BITS * sum(max(map(self._width, choice)) > 1 for choice in self.choices)
        self.first = 1 + self.bases + self.moves + self.randoms
        self.graph = Graph(self.first + self.gates - 1, max_gates=2**31)
        self.left, self.right = np.sort([self._moved(circuit.left), self._moved(circuit.right)], axis=0)  # as an AND is
        self.legal = self._moved(circuit.legal)
        ends = np.cumsum([0, *(len(its) for its in circuit.moves)]).tolist()
        self.of_role = list(pairwise(ends))

    def built(self) -> LaneGraph:
        graph, circuit = self.graph, self.circuit
        terminal = int(self._moved(np.array(circuit.terminal)))
        able = [graph.any(self.legal[start:end].tolist()) for start, end in self.of_role]
        stop = graph.any([terminal, *(literal ^ 1 for literal in able)])
        able_end = self.gates + len(graph)
        chosen = self._chosen()
        chosen_end = self.gates + len(graph)
        legal_end, goal_end, next_end, _ = circuit.stages
        following, left, right = self._copied_rest(legal_end, chosen_end)
        goals = circuit.goals.copy()
        goals[:, 2] = self._moved(goals[:, 2])
        parts = (
            [*range(legal_end), *range(self.gates, able_end)],
            range(legal_end, goal_end),
            range(able_end, chosen_end),
            range(goal_end, next_end),
            range(chosen_end, chosen_end + len(left)),
        )
        return LaneGraph(
            circuit=circuit,
            randoms=self.randoms,
            left=np.concatenate((self.left, graph.left, left)),
            right=np.concatenate((self.right, graph.right, right)),
            sections=tuple(np.array(part, np.int32) + self.first for part in parts),
            legal=self.legal,
            able=np.array(able, np.int32),
            terminal=terminal,
            stop=stop,
            goals=goals,
            chosen=np.array(chosen, np.int32),
            exclusive=np.array(self.turns.exclusive, np.int32).reshape(-1, 2),
            next=following,
            drawn=np.array(self._drawn(), np.int32).reshape(-1, 2),
        )

    def _moved(self, literals: Ints) -> Ints:
        """The circuit's literals in the graph, where the random bits stand between moves and gates."""
        moved: Ints = np.where(literals >> 1 > self.bases + self.moves, literals + 2 * self.randoms, literals)
        return moved.astype(np.int32)

    def _choices(self) -> list[list[Turn]]:
        """The choices that are made by circuit, each with the roles that share it."""
        shared = {turn.role for group in self.turns.groups for turn in group}
        alone = [
            [Turn(role, (), NO_MOVE, rests=False)] for role in range(len(self.circuit.moves)) if role not in shared
        ]
        groups = [*map(list, self.turns.groups), *alone]
        return [group for group in groups if 0 < max(map(self._width, group)) <= CIRCUIT_MOVES]

    def _drawn(self) -> list[tuple[int, int]]:
        """The moves of the roles for which no circuit chooses."""
        by_circuit = {turn.role for choice in self.choices for turn in choice}
        return [edges for role, edges in enumerate(self.of_role) if role not in by_circuit and edges[0] < edges[1]]

    def _width(self, turn: Turn) -> int:
        return len(self.circuit.moves[turn.role])

    def _chosen(self) -> list[int]:
        """For each move the literal that says whether it is chosen."""
        chosen = [DRAWN] * self.moves
        random = self.bases + self.moves
        for choice in self.choices:
            slots = self._slots(choice)
            bits = BITS if len(slots) > 1 else 0
            picked = choose(self.graph, slots, [self.graph.input(random + i) for i in range(bits)])
            random += bits
            for turn in choice:
                self._hand_out(turn, picked, chosen)
        return chosen

    def _slots(self, choice: list[Turn]) -> list[int]:
        """For each slot the literal that it can be chosen."""
        slots: list[list[int]] = [[] for _ in range(max(map(self._width, choice)))]
        for turn in choice:
            start, end = self.of_role[turn.role]
            for slot, move in zip(slots, range(start, end), strict=False):
                if move != turn.idle:
                    slot.append(int(self.legal[move]))
                elif not turn.rests:
                    slot.append(self.graph.and_(int(self.legal[move]), self._turn(turn)))
        return [self.graph.any(slot) for slot in slots]

    def _turn(self, turn: Turn) -> int:
        """Whether it is the role's turn; a role that shares with nobody chooses always."""
        return self.graph.any(self._moved(np.array(turn.literals, np.int32)).tolist()) if turn.literals else TRUE

    def _hand_out(self, turn: Turn, picked: list[int], chosen: list[int]) -> None:
        """Give the picked slots to the role where it is its turn; elsewhere it makes its idle move."""
        start, end = self.of_role[turn.role]
        now = self._turn(turn)
        chosen[start:end] = [self.graph.and_(slot, now) for slot in picked[: end - start]]
        if turn.idle != NO_MOVE:
            idle = self.graph.and_(int(self.legal[turn.idle]), now ^ 1)
            chosen[turn.idle] = idle if turn.rests else self.graph.any((idle, chosen[turn.idle]))

    def _copied_rest(self, shared: int, start: int) -> tuple[Ints, Ints, Ints]:
        """The next values, those of the unsearched bases from copies of all but the first `shared` gates.

        Also the copies' operands; the first copy is gate `start`.
        """
        searched, following = self.circuit.searched, self._moved(self.circuit.next)
        under = np.zeros(self.first + self.gates, np.bool_)
        mark(self.left, self.right, self.first, following[searched:], under)
        copied = self.first + shared + np.flatnonzero(under[self.first + shared :])
        node = np.arange(self.first + self.gates, dtype=np.int32)
        node[copied] = self.first + start + np.arange(len(copied))

        def of_copies(literals: Ints) -> Ints:
            moved: Ints = 2 * node[literals >> 1] + (literals & 1)
            return moved

        gates = copied - self.first
        fan_in = np.sort([of_copies(self.left[gates]), of_copies(self.right[gates])], axis=0)  # as an AND's stand
        return np.concatenate((following[:searched], of_copies(following[searched:]))), fan_in[0], fan_in[1]
