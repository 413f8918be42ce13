"""Check whether a subgame's goals, end and move classes stay the same when the other subgames move.

Goals, termination or legality may read a fact of another subgame, but a change of this fact often has no effect: a
column that becomes full on one board changes nothing on the other boards while other columns are open. So the states of
the other subgames before and after the move are substituted in the circuit, and the goals, termination and legality
that result for the subgame are compared.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.restrict import Cut, read
from search.factoring.factors import Factoring, Subgame
from search.subgames.subgame_circuit import SPARE_GATES


def stakes_unchanged(circuit: Circuit, factoring: Factoring, before: Bools, after: Bools) -> bool:
    """Return whether the other subgames' change from `before` to `after` leaves each subgame's stakes unchanged.

    The stakes are its goals, its end and its legal classes of moves.
    """
    return all(_unchanged(circuit, one, factoring.counter, before, after) for one in factoring.subgames)


def _unchanged(circuit: Circuit, one: Subgame, counter: tuple[int, ...], before: Bools, after: Bools) -> bool:
    bases = np.array(sorted({*one.bases, *counter}), np.int64)
    cut = Cut(circuit, bases, np.zeros(0, np.int64), 2 * len(circuit.left) + SPARE_GATES)
    first, second = (_stakes(circuit, one, cut, cut.under(state)) for state in (before, after))
    return first == second


def _stakes(circuit: Circuit, one: Subgame, cut: Cut, node: Literals) -> list[int]:
    legal = read(node, circuit.legal).tolist()
    allowed = [cut.graph.any({legal[move] for move in members}) for own in one.classes for members in own]
    return [*read(node, circuit.goals[:, 2]).tolist(), *read(node, np.array([circuit.terminal])).tolist(), *allowed]
