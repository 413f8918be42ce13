"""The effect of each move of one role, as literals over the bases alone, with equal conjunctions shared.

`Effects.following[m, b]` is the next value of base b after move m, over a graph whose inputs are the bases. *Clock*
bases change independently of the moves: step counters, turn markers. The others are *cells*.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.circuit.restrict import read
from reasoner.circuit.traversal import conjuncts, spread
from reasoner.errors import LimitError
from search.factoring.effects import Trials
from search.factoring.limits import Budget, TooLargeError

MAX_GATES = 4_000_000
"""Maximum number of gates of the graph."""
MAX_PAIRS = 8_000_000
"""Maximum number of pairs of a move and a base."""
MOVES_A_TURN = 32
"""Number of moves to evaluate in a turn."""
MAX_ROUNDS = 64
"""Maximum rounds of adding bases that depend on known cells; after the last round, all bases count as cells."""


@dataclass(frozen=True, eq=False)
class Effects:
    """Effects of M moves on S searched bases, as literals of `graph`, whose input b is base b."""

    circuit: Circuit
    graph: Graph
    following: Literals  # [M, S]
    legal: Literals  # [M]
    terminal: int
    goals: Literals  # [goals] as `circuit.goals`

    @cached_property
    def cells(self) -> Bools:
        """Return the bases that moves influence.  # [S]."""
        following = self.following
        cells: Bools = (following != following[0]).any(axis=0)
        for _ in range(MAX_ROUNDS):
            reads = self.reading(cells)
            found = cells | reads[following[0] >> 1]
            if (found == cells).all():
                return cells
            cells = found
        return np.ones_like(cells)

    def reading(self, bases: Bools) -> Bools:
        """Return the nodes that read some of the searched bases.  # [nodes]."""
        marked = np.zeros(self.graph.first_gate + len(self.graph), np.bool_)
        marked[1 : 1 + len(bases)] = bases
        spread(self.graph.left, self.graph.right, self.graph.first_gate, marked)
        return marked


def effects_of(circuit: Circuit) -> Generator[None, None, Effects | None]:
    """Compute the effects of all moves, some per turn; None if there are too many, or several roles."""
    count = len(circuit.legal)
    if len(circuit.roles) != 1 or not count:
        return None
    graph = Graph(len(circuit.bases) + count, MAX_GATES)
    if count * circuit.searched > MAX_PAIRS:
        return None
    try:
        trials = Trials(circuit, graph, Budget())
        node = trials.copied(np.arange(trials.first, dtype=np.int32) * 2)
        usual, row = trials.after(node, range(count), 0)
        following = np.tile(row, (count, 1))
        for move in range(count):
            for base, literal in trials.instead(usual, row, 0, move):
                following[move, base] = literal
            if move % MOVES_A_TURN == 0:
                yield
    except (TooLargeError, LimitError):
        return None
    terminal = int(read(node, np.array([circuit.terminal], np.int32))[0])
    found = Effects(circuit, graph, following, read(node, circuit.legal), terminal, read(node, circuit.goals[:, 2]))
    yield from _presume_legal(found)
    return found


def _presume_legal(effects: Effects) -> Iterator[None]:
    """Drop effects that set a base to a value it already has whenever the move is legal and the game goes on."""
    circuit, graph, following = effects.circuit, effects.graph, effects.following
    own = 2 * (1 + np.arange(following.shape[1], dtype=np.int32))
    going = implied(circuit, effects.terminal ^ 1, graph)
    for move, literal in enumerate(effects.legal.tolist()):
        row = following[move]
        for base, value in (going | implied(circuit, literal, graph)).items():
            if base < len(own) and row[base] == (TRUE if value else FALSE):
                row[base] = own[base]
        if move % MOVES_A_TURN == 0:
            yield


def implied(circuit: Circuit, literal: int, graph: Graph | None = None) -> dict[int, bool]:
    """Return the values of bases that a conjunction implies, in states that play reaches.

    literal: of the circuit, or of `graph`, whose inputs begin with the circuit's bases.
    """
    if graph is None:
        left, right, first = circuit.left, circuit.right, 1 + len(circuit.bases) + len(circuit.legal)
    else:
        left, right, first = graph.left, graph.right, graph.first_gate
    every = conjuncts(left, right, first, [literal])
    found = {(each >> 1) - 1: not each & 1 for each in every if 1 <= each >> 1 <= len(circuit.bases)}
    for base in [base for base, value in found.items() if value]:
        found |= dict.fromkeys(circuit.excluded_by(base), False)
    return found
