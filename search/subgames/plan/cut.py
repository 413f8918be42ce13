"""A subgame cut out of the whole for exploration: its own dynamics, and of legality the conditions that read it.

A condition is a conjunct of a move's legality. Factoring sees to it that each reads one subgame, besides the clock; so
a class of moves is open where the conditions on this subgame hold for one of its moves, and a move of the whole is
legal where all its classes are open.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE
from reasoner.circuit.restrict import Cut, read
from reasoner.kernels import kernel
from search.factoring.value import Subgame
from search.subgames.part import Part

Bools = NDArray[np.bool_]
Literals = NDArray[np.int32]

SPARE = 1 << 16
"""Gates for the classes' openings, above those of the circuit."""


def signals(subgame: Subgame) -> tuple[int, ...]:
    """The literals of the whole that its goals and termination read of a subgame."""
    return tuple(sorted({*subgame.terminal, *chain.from_iterable(subgame.goals)}))


def cut_out(circuit: Circuit, subgame: Subgame, clock: Iterable[int], state: Bools) -> Part:
    """The subgame from a state of the whole on: it never ends, and its goal k holds where its signal k does."""
    bases = np.array(sorted({*subgame.bases, *clock}), np.int64)
    classes = subgame.classes[0]
    first = np.array([each[0] for each in classes], np.int64)
    cut = Cut(circuit, bases, first, len(circuit.left) + SPARE)
    node = cut.under(state)
    own = _Conditions(circuit, bases)
    opening = {move: cut.graph.all(read(node, own.of(move)).tolist()) for each in classes for move in each}
    allowed = [cut.graph.any({opening[move] for move in each}) for each in classes]
    literals = read(node, np.array(signals(subgame), np.int32))
    goals = np.array([(0, k, literal) for k, literal in enumerate(literals.tolist())], np.int32).reshape(-1, 3)
    following = read(node, circuit.next[bases])
    found = cut.circuit(state[bases], following, np.array(allowed, np.int32), FALSE, goals)
    kept, moves = cut.kept(found)
    by_first = {each[0]: each for each in classes}
    return Part(found, kept, tuple(by_first[move] for move in moves.tolist()), len(circuit.bases))


class _Conditions:
    """The conjuncts of moves' legality that read nothing but some bases."""

    def __init__(self, circuit: Circuit, bases: NDArray[np.int64]) -> None:
        self.circuit = circuit
        self.first = 1 + len(circuit.bases) + len(circuit.legal)
        self.foreign = np.zeros(self.first + len(circuit.left), np.bool_)
        self.foreign[1 : self.first] = True
        self.foreign[1 + bases] = False
        spread(circuit.left, circuit.right, self.first, self.foreign)

    def of(self, move: int) -> Literals:
        """Those of a move, as literals of the whole."""
        found, waiting, seen = [], [int(self.circuit.legal[move])], set[int]()
        while waiting:
            literal = waiting.pop()
            if literal in seen:
                continue
            seen.add(literal)
            if not self.foreign[literal >> 1]:
                found.append(literal)
            elif not literal & 1 and literal >> 1 >= self.first:
                gate = (literal >> 1) - self.first
                waiting += [int(self.circuit.left[gate]), int(self.circuit.right[gate])]
        return np.array(found, np.int32)


@kernel
def spread(left: Literals, right: Literals, first: int, marked: Bools) -> None:
    """Mark all gates that read a marked node."""
    for gate in range(len(left)):
        marked[first + gate] = marked[left[gate] >> 1] or marked[right[gate] >> 1]
