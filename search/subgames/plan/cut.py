"""A subgame cut out of the whole for exploration: its own dynamics, and of legality the conditions that read it.

A condition is a conjunct of a move's legality. Factoring sees to it that each reads one subgame, besides the clock; so
a class of moves is open where the conditions on this subgame hold for one of its moves, and a move of the whole is
legal where all its classes are open.
"""

from __future__ import annotations

from collections.abc import Sequence
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


MANY = 4
"""Signals without the clock for one with it, from which on the clock stays in."""


def signals(circuit: Circuit, subgame: Subgame, clock: Sequence[int]) -> tuple[int, ...]:
    """The literals of the whole that its goals and termination read of a subgame, if possible free of the clock.

    The clock is known at each time, and would multiply the states of the subgame.
    """
    given = {*subgame.terminal, *chain.from_iterable(subgame.goals)}
    first = 1 + len(circuit.bases) + len(circuit.legal)
    ticks, reads = _reading(circuit, clock), _reading(circuit, subgame.bases)
    found, seen, waiting = set[int](), set[int](), sorted(given)
    while waiting and len(seen) <= MANY * MANY * (len(given) + MANY):
        literal = waiting.pop()
        if literal in seen or not reads[literal >> 1]:
            continue
        seen.add(literal)
        if not ticks[literal >> 1]:
            found.add(literal)
        else:
            gate = (literal >> 1) - first
            waiting += [int(circuit.left[gate]) & ~1, int(circuit.right[gate]) & ~1]
    return tuple(sorted(found if not waiting and len(found) <= MANY * (len(given) + MANY) else given))


def _reading(circuit: Circuit, bases: Sequence[int]) -> Bools:
    """The nodes that read some bases.  # [nodes]."""
    marked = np.zeros(1 + len(circuit.bases) + len(circuit.legal) + len(circuit.left), np.bool_)
    marked[1 + np.array(bases, np.int64)] = True
    spread(circuit.left, circuit.right, len(marked) - len(circuit.left), marked)
    return marked


def cut_out(
    circuit: Circuit, staged: Circuit, subgame: Subgame, clock: Sequence[int], state: Bools, read_of: Sequence[int]
) -> Part:
    """The subgame from a state of the whole on: it never ends, and goal k holds where literal k of `read_of` does.

    Its dynamics and legality are those of the circuit in its stage, `staged`.
    """
    bases = np.array(sorted({*subgame.bases, *clock}), np.int64)
    classes = subgame.classes[0]
    first = np.array([each[0] for each in classes], np.int64)
    cut = Cut(staged, bases, first, 2 * len(circuit.left) + SPARE)
    node = cut.under(state)
    own = _Conditions(staged, bases)
    opening = {move: cut.graph.all(read(node, own.of(move)).tolist()) for each in classes for move in each}
    allowed = [cut.graph.any({opening[move] for move in each}) for each in classes]
    following = read(node, staged.next[bases])
    cut.whole = circuit
    node = cut.under(state)
    literals = read(node, np.array(read_of, np.int32))
    goals = np.array([(0, k, literal) for k, literal in enumerate(literals.tolist())], np.int32).reshape(-1, 3)
    found = cut.circuit(state[bases], following, np.array(allowed, np.int32), FALSE, goals)
    kept, moves = cut.kept(found)
    by_first = {each[0]: each for each in classes}
    return Part(found, kept, tuple(by_first[move] for move in moves.tolist()), len(circuit.bases))


class _Conditions:
    """The conjuncts of moves' legality that read nothing but some bases."""

    def __init__(self, circuit: Circuit, bases: NDArray[np.int64]) -> None:
        self.circuit = circuit
        self.first = 1 + len(circuit.bases) + len(circuit.legal)
        others = np.setdiff1d(np.arange(len(circuit.bases) + len(circuit.legal)), bases)
        self.foreign = _reading(circuit, others.tolist())

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
