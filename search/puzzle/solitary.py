"""A subgame as a puzzle of its own: its dynamics, its goal and end, and the legality conditions that read it.

A class of moves is open if one of its moves may be legal in some state of the other subgames. Factoring ensures that
each condition of a move's legality reads only one subgame and the step counter. So a move of the whole game is legal if
all its classes are open.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Bools, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE, GateStore, and_
from reasoner.circuit.restrict import Cut, read
from reasoner.kernels import kernel
from reasoner.rules.points import FULL
from search.factoring.factors import Subgame
from search.subgames.restricted_circuit import RestrictedCircuit

GATES_A_GATE, SPARE_GATES = 6, 1 << 16
"""Limit on the gates of the new graph: this many per gate of the whole circuit, plus a constant."""


def solitary(
    circuit: Circuit, present: Circuit, subgame: Subgame, counter: Sequence[int], state: Bools, wanted: Sequence[int]
) -> RestrictedCircuit:
    """Return the subgame as a game with goal 100 if all literals `wanted`, which read no other subgame, are true.

    It is over when they are true, or when the whole game is over in all states of the other subgames.
    `present`: the circuit simplified for states in which the game goes on.
    """
    classes = subgame.classes[0]
    bases = np.array(sorted({*subgame.bases, *counter}), np.int64)
    first = np.array([members[0] for members in classes], np.int64)
    cut = Cut(present, bases, first, GATES_A_GATE * len(circuit.left) + SPARE_GATES)
    graph, following = cut.graph, read(cut.under(state), present.next[bases])
    opening = _possible_values(cut)[present.legal >> 1, (present.legal & 1) ^ 1]
    allowed = [graph.any(opening[list(members)].tolist()) for members in classes]
    cut.whole = circuit
    solved = graph.all(read(cut.under(state), np.array(wanted, np.int32)).tolist())
    certain = int(_possible_values(cut)[circuit.terminal >> 1, circuit.terminal & 1]) ^ 1
    goals = np.array([(0, FULL, solved), (0, 0, solved ^ 1)], np.int32)
    over = graph.any((solved, certain))
    found = cut.circuit(state[bases], following, np.array(allowed, np.int32), over, goals)
    kept, moves = cut.kept(found)
    by_first = {members[0]: members for members in classes}
    return RestrictedCircuit(found, kept, tuple(by_first[move] for move in moves.tolist()), len(circuit.bases))


def _possible_values(cut: Cut) -> Literals:
    """Return per node of the whole circuit whether it may be false, and whether true.  # [nodes, 2] literals."""
    whole, gates = cut.whole, len(cut.whole.left)
    may = np.full((cut.first + gates, 2), TRUE, np.int32)
    may[0] = TRUE, FALSE
    may[1 + cut.bases, 1] = 2 * (1 + np.arange(len(cut.bases)))
    may[1 + cut.bases, 0] = may[1 + cut.bases, 1] ^ 1
    follow_both(cut.graph.reserve(2 * gates), whole.left, whole.right, cut.first, may)
    cut.graph.reserve(0)
    return may


@kernel
def follow_both(store: GateStore, left: Literals, right: Literals, first: int, may: Literals) -> None:
    """Compute two literals for each gate: whether it may be false, and whether it may be true.

    may: [nodes, 2] these literals of all nodes; those of the inputs are given, those of the gates are written.
    """
    for gate in range(len(left)):
        a, b = left[gate], right[gate]
        false = and_(store, may[a >> 1, a & 1] ^ 1, may[b >> 1, b & 1] ^ 1) ^ 1
        may[first + gate, 0] = false
        may[first + gate, 1] = and_(store, may[a >> 1, (a & 1) ^ 1], may[b >> 1, (b & 1) ^ 1])
