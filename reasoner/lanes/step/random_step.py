"""A whole step of random play as gates, from bases and random bits to the next bases.

LEGAL, CHOOSE and NEXT have rows for single moves, which a player needs. Random play only needs the chosen *slot*: the
state determines which of its moves is meant. Without the rows of single moves a step loads and stores far fewer rows,
and the rest fits the caches better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Ints, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import Graph
from reasoner.circuit.optimize.absorption import absorb
from reasoner.circuit.optimize.common_cubes import share
from reasoner.circuit.optimize.common_factors import factor
from reasoner.circuit.optimize.wide_gates import Logic
from reasoner.circuit.traversal import mark, renumbered
from reasoner.lanes.choice_plan import Choices
from reasoner.lanes.random_choice import BITS, choose
from reasoner.lanes.step.as_in_circuit import as_in_circuit
from reasoner.lanes.step.effect_slots import effect_slots
from reasoner.lanes.step.ends import ends
from reasoner.lanes.step.legality_by_turn import slots_asked
from reasoner.lanes.step.move_effects import Effects, effects
from reasoner.lanes.step.next_by_slot import NextBySlot
from reasoner.lanes.step.slot_values import Values, slot_values
from reasoner.lanes.step.state_logic import StateLogic, copied, one_turn

LEAST, MOST = 10_000, 100_000
"""Gates of the circuits considered: smaller ones gain little, larger ones take too long."""

TINY = 100
"""Circuits up to this size are considered too, so that compiling ahead covers all kernels."""


@dataclass(frozen=True, eq=False)
class RandomStep:
    """A step's gates. Inputs: bases, BITS random bits, the lanes that keep their state. Literals are of this graph."""

    left: Literals
    right: Literals
    stop: int  # the game is over, or some role has no move
    next: Ints  # [searched] the next values; unchanged in lanes that stop or keep their state


def random_step(circuit: Circuit, choices: Choices, most: int) -> RandomStep | None:
    """The step of a game in which all roles share one choice; None if there is none, or it may not pay.

    It pays with up to `most` gates. It may contain redundant gates; the caller counts the others.
    """
    gates = len(circuit.left)
    if not (gates <= TINY or LEAST <= gates <= MOST) or choices.randoms != BITS or choices.drawn:
        return None
    choice = choices.all[0]
    if len(choices.all) != 1 or len(choice.turns) != len(circuit.roles) or not one_turn(circuit, choice):
        return None
    logic = StateLogic(circuit, choices)
    made = effects(logic)
    return _Builder(logic, made).step(most) if made is not None else None


class _Builder:
    def __init__(self, logic: StateLogic, effects: Effects) -> None:
        self.circuit, self.logic, self.effects = logic.circuit, logic, effects
        self.slots = effect_slots(logic, effects)
        self.graph = Graph(logic.bases + BITS + 1, max_gates=2**31)
        self.bases = [self.graph.input(base) for base in range(logic.bases)]

    def step(self, most: int) -> RandomStep | None:
        graph, logic = self.graph, self.logic
        values = slot_values(logic, self.slots, self.effects, most) if len(self.slots) > 1 else None
        if values is None:
            return None
        asked, over = self._asked()
        some, hold = graph.any(asked), graph.input(logic.bases + BITS)
        stop = graph.any((over, some ^ 1))
        runs = graph.and_(stop ^ 1, hold ^ 1)
        random = [graph.input(logic.bases + bit) for bit in range(BITS)]
        following = self._next(values, choose(graph, asked, random, runs), runs)
        return self._needed(stop, following)

    def _asked(self) -> tuple[list[int], int]:
        """The literals of slots that can be chosen, and whether the game is over although one can."""
        over = self.logic.graph.any(ends(self.logic))
        *asked, over = self._put([*slots_asked(self.logic, self.slots), over], ())
        return asked, over

    def _next(self, values: Sequence[Values], picks: Sequence[int], runs: int) -> list[int]:
        """The next values; lanes that do not run keep theirs."""
        logic, graph = self.logic, self.graph
        made = NextBySlot(logic, values, self.effects)
        following = made.following()
        other = [base for base in range(self.circuit.searched) if base not in following]
        following |= as_in_circuit(logic, self.slots, other)
        new = self._put([following[base] for base in range(self.circuit.searched)], picks)
        keeps = {base for base in made.bases if made.default[base] == 2 * (1 + base)}  # keep their value without a pick
        return [
            literal if base in keeps else graph.any((graph.and_(runs, literal), graph.and_(runs ^ 1, self.bases[base])))
            for base, literal in enumerate(new)
        ]

    def _put(self, literals: Sequence[int], picks: Sequence[int]) -> list[int]:
        """Copy the gates below some literals of the state's logic into the step, simplified."""
        logic = Logic(self.logic.graph, np.array(literals, np.int32))
        for smaller in (absorb, factor, share, factor, share):
            logic = smaller(logic)
        old = logic.graph
        node = np.zeros(old.first_gate + len(old), np.int32)
        inputs = [*self.bases, *picks]
        node[1 : 1 + len(inputs)] = inputs
        self.graph.made(len(old), copied, old.left, old.right, old.first_gate, 0, len(old), node)
        return [int(node[literal >> 1]) ^ (literal & 1) for literal in logic.outputs.tolist()]

    def _needed(self, stop: int, following: Sequence[int]) -> RandomStep:
        """The step without unused gates."""
        graph, asked = self.graph, np.array([stop, *following], np.int32)
        seen = np.zeros(graph.first_gate + len(graph), np.bool_)
        mark(graph.left, graph.right, graph.first_gate, asked, seen)
        seen[: graph.first_gate] = True
        node = (np.cumsum(seen) - 1).astype(np.int32)
        kept = np.flatnonzero(seen[graph.first_gate :])
        left, right, literals = (renumbered(row, node) for row in (graph.left[kept], graph.right[kept], asked))
        return RandomStep(left, right, int(literals[0]), literals[1:])
