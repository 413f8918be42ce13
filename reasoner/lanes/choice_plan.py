"""The choices of a game: the roles that share a choice, the slots of each choice, and the gates of all choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reasoner.arrays import Ints
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.lanes.alternating_roles import NO_MOVE, AlternatingRoles, TurnTaker, take_turns
from reasoner.lanes.exclusive_moves import Slot, slots_of
from reasoner.lanes.random_choice import BITS, choose

CIRCUIT_MOVES = 4096
"""Maximum moves of a role that chooses by circuit; measured, see research/circuits.md."""

DRAWN = -1
"""Marks a move that is not chosen by circuit."""


@dataclass(frozen=True, eq=False)
class Choice:
    """One choice, which several roles may share."""

    turns: list[TurnTaker]
    slots: list[Slot]


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices that circuits make; for the other roles `reasoner.lanes.draw` chooses."""

    of_role: list[tuple[int, int]]  # for each role its first move and the end of its moves
    turns: AlternatingRoles
    all: list[Choice]

    @property
    def randoms(self) -> int:
        """The number of random bits that the choices need."""
        return BITS * sum(len(choice.slots) > 1 for choice in self.all)

    @property
    def drawn(self) -> list[tuple[int, int]]:
        """The move ranges of the roles that do not choose by circuit."""
        by_circuit = {turn.role for choice in self.all for turn in choice.turns}
        return [edges for role, edges in enumerate(self.of_role) if role not in by_circuit and edges[0] < edges[1]]


def choices_of(circuit: Circuit) -> Choices:
    """The choices of a game's roles."""
    of_role = list(pairwise(np.cumsum([0, *map(len, circuit.moves)]).tolist()))
    turns = take_turns(circuit)
    shared = {turn.role for group in turns.groups for turn in group}
    alone = [[TurnTaker(role, (), NO_MOVE, rests=False)] for role in range(len(of_role)) if role not in shared]
    groups = [group for group in (*map(list, turns.groups), *alone) if 0 < _width(of_role, group) <= CIRCUIT_MOVES]
    return Choices(of_role, turns, [Choice(group, slots_of(circuit, group, of_role)) for group in groups])


def _width(of_role: list[tuple[int, int]], group: list[TurnTaker]) -> int:
    return max(of_role[turn.role][1] - of_role[turn.role][0] for turn in group)


class ChoiceGates:
    """Builder of the gates of all choices: first the gates for "the slot can be chosen", then the choice itself."""

    def __init__(self, choices: Choices, legal: Ints, graph: Graph, moved: Callable[[int], int], random: int) -> None:
        """Build the gates for "the slot can be chosen".

        legal: for each move its literal in the graph; moved: maps a literal of the circuit to the graph; random: the
        number of the graph's input that is the first random bit.
        """
        self.choices, self.legal, self.graph, self.moved, self.random = choices, legal, graph, moved, random
        self.asked = [[self._asked(choice, slot) for slot in choice.slots] for choice in choices.all]
        self.some = [graph.any(slots) for slots in self.asked]

    def able(self) -> list[int]:
        """Return, for each role, the literal for "the role has a legal move"."""
        graph = self.graph
        able = [FALSE if start == end else -1 for start, end in self.choices.of_role]
        for choice, some in zip(self.choices.all, self.some, strict=True):
            for turn in choice.turns:
                able[turn.role] = graph.and_(some, self._now(turn))
                if turn.idle != NO_MOVE:
                    able[turn.role] = graph.any((able[turn.role], int(self.legal[turn.idle])))
        for role, (start, end) in enumerate(self.choices.of_role):
            if able[role] == -1:
                able[role] = graph.any(self.legal[start:end].tolist())
        return able

    def chosen(self) -> list[int]:
        """Return, for each move, the literal for "the move is chosen"; DRAWN for moves that no circuit chooses."""
        chosen, random = [DRAWN] * len(self.legal), self.random
        for choice, slots, some in zip(self.choices.all, self.asked, self.some, strict=True):
            bits = BITS if len(slots) > 1 else 0
            picked = choose(self.graph, slots, [self.graph.input(random + i) for i in range(bits)], some)
            random += bits
            self._hand_out(choice, picked, chosen)
        return chosen

    def _asked(self, choice: Choice, slot: Slot) -> int:
        """The literal for "this slot can be chosen"."""
        graph, turns = self.graph, {turn.idle: turn for turn in choice.turns}
        return graph.any(
            graph.and_(int(self.legal[move]), self._now(turns[move])) if move in turns else int(self.legal[move])
            for move in slot.moves
        )

    def _now(self, turn: TurnTaker) -> int:
        """The literal for "it is the role's turn"; always true for a role that shares its choice with no other."""
        return self.graph.any(map(self.moved, turn.literals)) if turn.literals else TRUE

    def _hand_out(self, choice: Choice, picked: list[int], chosen: list[int]) -> None:
        """Set the literals of the moves from the chosen slots; a role that is not in turn makes its idle move."""
        graph, now = self.graph, {turn.role: self._now(turn) for turn in choice.turns}
        roles = np.repeat(np.arange(len(self.choices.of_role)), np.diff(self.choices.of_role)[:, 0]).tolist()
        moves = [move for slot in choice.slots for move in slot.moves]
        selectors = [
            now[roles[move]] if selector is None else self.moved(selector)
            for slot in choice.slots
            for move, selector in zip(slot.moves, slot.selectors, strict=True)
        ]
        sizes = np.array([len(slot.moves) for slot in choice.slots], np.int64)
        literals = np.repeat(np.array(picked, np.int32), sizes)
        for move, literal in zip(moves, graph.in_twos(literals, np.array(selectors, np.int32)).tolist(), strict=True):
            chosen[move] = literal
        for turn in choice.turns:
            if turn.idle != NO_MOVE:
                idle = graph.and_(int(self.legal[turn.idle]), now[turn.role] ^ 1)
                chosen[turn.idle] = idle if turn.rests else graph.any((idle, chosen[turn.idle]))
