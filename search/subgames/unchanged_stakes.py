"""Whether what a subgame is played for stays the same when the others go on.

The signals of a position change more often than what they mean: a column of the other board that is full, where others
are still open, changes nothing here. So the two positions are put in for the others, and what is left is compared.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.restrict import Cut, read
from search.factoring.factors import Factoring, Subgame
from search.subgames.subgame_circuit import SPARE


def stakes_unchanged(circuit: Circuit, factoring: Factoring, before: Bools, after: Bools) -> bool:
    """Whether each subgame has the same goals, end and classes of moves, the others as in either of two states."""
    return all(_unchanged(circuit, one, factoring.counter, before, after) for one in factoring.subgames)


def _unchanged(circuit: Circuit, one: Subgame, counter: tuple[int, ...], before: Bools, after: Bools) -> bool:
    bases = np.array(sorted({*one.bases, *counter}), np.int64)
    cut = Cut(circuit, bases, np.zeros(0, np.int64), 2 * len(circuit.left) + SPARE)
    first, second = (_stakes(circuit, one, cut, cut.under(state)) for state in (before, after))
    return first == second


def _stakes(circuit: Circuit, one: Subgame, cut: Cut, node: Literals) -> list[int]:
    legal = read(node, circuit.legal).tolist()
    allowed = [cut.graph.any({legal[move] for move in members}) for own in one.classes for members in own]
    return [*read(node, circuit.goals[:, 2]).tolist(), *read(node, np.array([circuit.terminal])).tolist(), *allowed]
