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
from reasoner.lanes.choose import BITS, choose
from reasoner.lanes.turns import NO_MOVE, Turn, take_turns

Ints = NDArray[np.int32]
Edges = list[tuple[int, int]]

SECTIONS = LEGAL, GOAL, CHOOSE, NEXT, REST = range(5)

CIRCUIT_MOVES = 1024
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
    """Adds ability, end and choice to the circuit's gates, and divides them into sections."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.bases, self.moves = len(circuit.bases), len(circuit.legal)
        self.turns = take_turns(circuit)
        self.choices = self._choices()
        self.randoms = BITS * sum(max(map(self._width, choice)) > 1 for choice in self.choices)
        self.graph = Graph(self.bases + self.moves + self.randoms, max_gates=2**31)
        fan_in = np.sort([self._moved(circuit.left), self._moved(circuit.right)], axis=0)  # as the graph orders an AND
        self.graph.left, self.graph.right = fan_in.tolist()
        self.legal = self._moved(circuit.legal).tolist()
        ends = np.cumsum([0, *(len(its) for its in circuit.moves)]).tolist()
        self.of_role = list(pairwise(ends))

    def built(self) -> LaneGraph:
        graph, circuit = self.graph, self.circuit
        goals = [(role, value, int(self._moved(np.array(g)))) for role, value, g in circuit.goals.tolist()]
        terminal = int(self._moved(np.array(circuit.terminal)))
        able = [graph.any(self.legal[start:end]) for start, end in self.of_role]
        stop = graph.any([terminal, *(literal ^ 1 for literal in able)])
        legal_end, goal_end, next_end, _ = circuit.stages
        of_circuit = len(circuit.left)
        able_end = len(graph.left)
        chosen = self._chosen()
        chosen_end = len(graph.left)
        following, copies = self._copied_rest(legal_end, self._moved(circuit.next).tolist())
        first = graph.first_gate
        parts = (
            [*range(legal_end), *range(of_circuit, able_end)],
            range(legal_end, goal_end),
            range(able_end, chosen_end),
            range(goal_end, next_end),
            copies,
        )
        return LaneGraph(
            circuit=circuit,
            randoms=self.randoms,
            left=np.array(graph.left, np.int32),
            right=np.array(graph.right, np.int32),
            sections=tuple(np.array(part, np.int32) + first for part in parts),
            legal=np.array(self.legal, np.int32),
            able=np.array(able, np.int32),
            terminal=terminal,
            stop=stop,
            goals=np.array(goals, np.int32).reshape(-1, 3),
            chosen=np.array(chosen, np.int32),
            exclusive=np.array(self.turns.exclusive, np.int32).reshape(-1, 2),
            next=np.array(following, np.int32),
            drawn=np.array(self._drawn(), np.int32).reshape(-1, 2),
        )

    def _moved(self, literals: NDArray[np.int32]) -> NDArray[np.int64]:
        """The circuit's literals in the graph, where the random bits stand between moves and gates."""
        wide = literals.astype(np.int64)
        return np.where(wide >> 1 > self.bases + self.moves, wide + 2 * self.randoms, wide)

    def _choices(self) -> list[list[Turn]]:
        """The choices that are made by circuit, each with the roles that share it."""
        shared = {turn.role for group in self.turns.groups for turn in group}
        alone = [
            [Turn(role, (), NO_MOVE, rests=False)] for role in range(len(self.circuit.moves)) if role not in shared
        ]
        groups = [*map(list, self.turns.groups), *alone]
        return [group for group in groups if 0 < max(map(self._width, group)) <= CIRCUIT_MOVES]

    def _drawn(self) -> Edges:
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
                    slot.append(self.legal[move])
                elif not turn.rests:
                    slot.append(self.graph.and_(self.legal[move], self._turn(turn)))
        return [self.graph.any(slot) for slot in slots]

    def _turn(self, turn: Turn) -> int:
        """Whether it is the role's turn; a role that shares with nobody chooses always."""
        return self.graph.any(self._moved(np.array(turn.literals)).tolist()) if turn.literals else TRUE

    def _hand_out(self, turn: Turn, picked: list[int], chosen: list[int]) -> None:
        """Give the picked slots to the role where it is its turn; elsewhere it makes its idle move."""
        start, end = self.of_role[turn.role]
        now = self._turn(turn)
        chosen[start:end] = [self.graph.and_(slot, now) for slot in picked[: end - start]]
        if turn.idle != NO_MOVE:
            idle = self.graph.and_(self.legal[turn.idle], now ^ 1)
            chosen[turn.idle] = idle if turn.rests else self.graph.any((idle, chosen[turn.idle]))

    def _copied_rest(self, shared: int, following: list[int]) -> tuple[list[int], range]:
        """The next values, those of unsearched bases from copies of all but the first `shared` gates; the copies."""
        graph, searched = self.graph, self.circuit.searched
        left, right, first = graph.left, graph.right, graph.first_gate
        copy: dict[int, int] = {}
        start = len(left)
        for node in sorted(self._cone(following[searched:], first + shared)):
            a, b = (
                2 * copy.get(literal >> 1, literal >> 1) + (literal & 1)
                for literal in (left[node - first], right[node - first])
            )
            copy[node] = first + len(left)
            left.append(min(a, b))  # the circuit has ANDs only
            right.append(max(a, b))
        moved = [2 * copy.get(literal >> 1, literal >> 1) + (literal & 1) for literal in following[searched:]]
        return following[:searched] + moved, range(start, len(left))

    def _cone(self, literals: list[int], floor: int) -> set[int]:
        """The gates under the literals whose node is `floor` or later."""
        left, right, first = self.graph.left, self.graph.right, self.graph.first_gate
        cone: set[int] = set()
        stack = [literal >> 1 for literal in literals]
        while stack:
            node = stack.pop()
            if node >= floor and node not in cone:
                cone.add(node)
                stack += (left[node - first] >> 1, right[node - first] >> 1)
        return cone
