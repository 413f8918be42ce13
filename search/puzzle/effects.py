"""What each move of one role does, as literals over the bases alone, with equal conjunctions shared.

`Effects.following[m, b]` is the next value of base b after move m, over a graph whose inputs are the bases. *Clock*
bases go the same way whatever is moved: counters of steps, turns. The others are *cells*.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.restrict import read
from reasoner.circuit.traversal import conjuncts, spread
from reasoner.errors import LimitError
from search.factoring.effects import Trials
from search.factoring.limits import Budget, TooLargeError

MOST_GATES = 4_000_000
"""Of the graph."""
MOST_PAIRS = 8_000_000
"""Of a move and a base."""
CHUNK = 32
"""Moves to try out before the clock is looked at."""
ROUNDS = 64
"""How often bases may be found to be cells through others found before; a longer chain counts as cells."""


@dataclass(frozen=True, eq=False)
class Effects:
    """M moves, S searched bases; literals of `graph`, whose input b is base b."""

    circuit: Circuit
    graph: Graph
    following: Literals  # [M, S]
    legal: Literals  # [M]
    terminal: int
    goals: Literals  # [goals] as `circuit.goals`

    @cached_property
    def cells(self) -> Bools:
        """The bases that moves have a say in.  # [S]."""
        following = self.following
        cells: Bools = (following != following[0]).any(axis=0)
        for _ in range(ROUNDS):
            reads = self.reading(cells)
            found = cells | reads[following[0] >> 1]
            if (found == cells).all():
                return cells
            cells = found
        return np.ones_like(cells)

    def reading(self, bases: Bools) -> Bools:
        """The nodes that read some of the searched bases.  # [nodes]."""
        marked = np.zeros(self.graph.first_gate + len(self.graph), np.bool_)
        marked[1 : 1 + len(bases)] = bases
        spread(self.graph.left, self.graph.right, self.graph.first_gate, marked)
        return marked


def effects_of(circuit: Circuit) -> Generator[None, None, Effects | None]:
    """The effects of all moves, some at a time; None where there is too much to try out, or there are several roles."""
    count = len(circuit.legal)
    if len(circuit.roles) != 1 or not count:
        return None
    graph = Graph(len(circuit.bases) + count, MOST_GATES)
    if count * circuit.searched > MOST_PAIRS:
        return None
    try:
        trials = Trials(circuit, graph, Budget())
        node = trials.copied(np.arange(trials.first, dtype=np.int32) * 2)
        usual, row = trials.after(node, range(count), 0)
        following = np.tile(row, (count, 1))
        for move in range(count):
            for base, literal in trials.instead(usual, row, 0, move):
                following[move, base] = literal
            if move % CHUNK == 0:
                yield
    except (TooLargeError, LimitError):
        return None
    terminal = int(read(node, np.array([circuit.terminal], np.int32))[0])
    found = Effects(circuit, graph, following, read(node, circuit.legal), terminal, read(node, circuit.goals[:, 2]))
    yield from _presume_legal(found)
    return found


def _presume_legal(effects: Effects) -> Iterator[None]:
    """Where a move is made, it is legal and the game not over: to set a base to what it is then leaves it."""
    circuit, graph, following = effects.circuit, effects.graph, effects.following
    own = 2 * (1 + np.arange(following.shape[1], dtype=np.int32))
    going = implied(circuit, graph, effects.terminal ^ 1)
    for move, literal in enumerate(effects.legal.tolist()):
        row = following[move]
        for base, value in (going | implied(circuit, graph, literal)).items():
            if base < len(own) and row[base] == (TRUE if value else FALSE):
                row[base] = own[base]
        if move % CHUNK == 0:
            yield


class Gates(Protocol):
    """Gates as a graph has them."""

    @property
    def first_gate(self) -> int:
        """The node of the first gate."""

    @property
    def left(self) -> Literals:
        """The left operands."""

    @property
    def right(self) -> Literals:
        """The right operands."""


def implied(circuit: Circuit, graph: Gates, literal: int) -> dict[int, bool]:
    """What bases are for certain where a conjunction holds, in a state that play reaches."""
    every = conjuncts(graph.left, graph.right, graph.first_gate, [literal])
    found = {(each >> 1) - 1: not each & 1 for each in every if 1 <= each >> 1 <= len(circuit.bases)}
    for base in [base for base, value in found.items() if value]:
        found |= dict.fromkeys(circuit.excluded_by(base), False)
    return found
