"""A circuit's legality as a graph of its own, in which a step of random play is built.

Inputs of the graph: the bases, then a *pick* for each slot that may be chosen (at most as many as there are moves),
then *hold*, true in the lanes that keep their state. Literals here are of this graph unless stated otherwise.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import TRUE, GateStore, Graph, and_
from reasoner.kernels import kernel
from reasoner.lanes.alternating_roles import NO_MOVE, TurnTaker
from reasoner.lanes.choice_plan import Choice, Choices

Factors = frozenset[int]


class StateLogic:
    """The legality of single moves, and whose turn it is; its users add gates."""

    def __init__(self, circuit: Circuit, choices: Choices) -> None:
        """Copy the gates of legality. The game has one choice, `choices.all[0]`, among the moves of all roles."""
        self.circuit, self.of_role = circuit, choices.of_role
        self.choice: Choice = choices.all[0]
        self.bases, self.moves = len(circuit.bases), len(circuit.legal)
        self.graph = Graph(self.bases + self.moves + 1, max_gates=2**31)
        self.first = 1 + self.bases + self.moves  # the circuit's first gate
        self.node = np.zeros(self.first + len(circuit.left), np.int32)  # for each node of the circuit the literal
        self.node[1 : 1 + self.bases] = 2 * np.arange(1, 1 + self.bases)
        end = circuit.stages[0]
        self.graph.made(end, copied, circuit.left, circuit.right, self.first, 0, end, self.node)
        self.turn: dict[int, TurnTaker] = {turn.role: turn for turn in self.choice.turns}
        self.role = np.repeat(np.arange(len(self.of_role)), [end - start for start, end in self.of_role]).tolist()
        self.now = {role: self._now(turn) for role, turn in self.turn.items()}
        self.legal = [self.of(int(literal)) for literal in circuit.legal]
        self.idle = {turn.idle for turn in self.choice.turns if turn.idle != NO_MOVE}
        self._factors: dict[int, Factors] = {}
        self._left, self._right = list[int](), list[int]()

    def of(self, literal: int) -> int:
        """The literal for a literal of the circuit."""
        return int(self.node[literal >> 1]) ^ (literal & 1)

    def pick(self, slot: int) -> int:
        """The literal for "this slot is chosen"."""
        return 2 * (1 + self.bases + slot)

    @property
    def hold(self) -> int:
        """The literal of the lanes that keep their state."""
        return 2 * (1 + self.bases + self.moves)

    def is_base(self, literal: int) -> bool:
        """Whether it is a base or its complement."""
        return 2 <= literal < 2 * (1 + self.bases)

    def playable(self, move: int) -> int:
        """The literal for "this move is legal in its role's turn"."""
        if move in self.idle:
            return self.graph.and_(self.legal[move], self.now[self.role[move]])
        return self.legal[move]

    def chosen_among(self) -> list[int]:
        """The moves of the choice: all except those that a role makes when it is not in turn."""
        rests = {turn.idle for turn in self.choice.turns if turn.rests}
        return [move for turn in self.choice.turns for move in range(*self.of_role[turn.role]) if move not in rests]

    def factors(self, literal: int) -> Factors:
        """The factors of a literal: literals whose conjunction it is, not conjunctions themselves."""
        known = self._factors.get(literal)
        if known is None:
            known = self._factors[literal] = frozenset(self._leaves(literal))
        return known

    def _leaves(self, literal: int) -> set[int]:
        found, stack = set(), [literal]
        left, right, first = *self._operands(), self.graph.first_gate
        while stack:
            at = stack.pop()
            if at & 1 or at >> 1 < first:
                found.add(at)
            else:
                stack += (left[(at >> 1) - first], right[(at >> 1) - first])
        return found

    def _operands(self) -> tuple[list[int], list[int]]:
        """The operands of all gates, as lists: faster than arrays when read one by one."""
        known = len(self._left)
        if known < len(self.graph):
            self._left += self.graph.left[known:].tolist()
            self._right += self.graph.right[known:].tolist()
        return self._left, self._right

    def _now(self, turn: TurnTaker) -> int:
        return self.graph.any(map(self.of, turn.literals)) if turn.literals else TRUE


@kernel
def copied(store: GateStore, left: Literals, right: Literals, first: int, start: int, end: int, node: Ints) -> None:
    """Copy the gates `start` … `end` - 1 of a circuit, whose first gate is node `first`; fills in `node`."""
    for gate in range(start, end):
        a, b = left[gate], right[gate]
        node[first + gate] = and_(store, node[a >> 1] ^ (a & 1), node[b >> 1] ^ (b & 1))


def implied_bases(circuit: Circuit) -> list[int]:
    """For each move the bases that its legality implies, as a bit set."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    true, false = [0] * (first + circuit.stages[0]), [0] * (first + circuit.stages[0])
    for base in range(len(circuit.bases)):
        true[1 + base] = 1 << base
    for gate, (a, b) in enumerate(
        zip(circuit.left[: circuit.stages[0]].tolist(), circuit.right.tolist(), strict=False)
    ):
        by_a, by_b = (false if a & 1 else true)[a >> 1], (false if b & 1 else true)[b >> 1]
        true[first + gate] = by_a | by_b
        false[first + gate] = (true if a & 1 else false)[a >> 1] & (true if b & 1 else false)[b >> 1]
    return [(false if literal & 1 else true)[literal >> 1] for literal in circuit.legal.tolist()]


def bits(number: int) -> list[int]:
    """The positions of a number's set bits."""
    found = []
    while number:
        found.append((number & -number).bit_length() - 1)
        number &= number - 1
    return found


def one_turn(circuit: Circuit, choice: Choice) -> bool:
    """Whether exactly one of the roles that choose together is in turn in every reachable state."""
    if len(choice.turns) == 1:
        return not choice.turns[0].literals
    if circuit.phases is None:
        return False
    return all(sum(_true(turn, phase) for turn in choice.turns) == 1 for phase in circuit.phases.all) and all(
        literal >> 1 in {1 + base for base in circuit.phases.bases}
        for turn in choice.turns
        for literal in turn.literals
    )


def _true(turn: TurnTaker, phase: frozenset[int]) -> bool:
    return any(((literal >> 1) - 1 in phase) != bool(literal & 1) for literal in turn.literals)
