"""Gates: what one subgame's end opens. Where a gate is shut the next subgame waits; once open it stays so.

Games in series have such a literal: legality and dynamics of the first read that it is false, those of the second that
it is true. `n` gates make ``n + 1`` *stages*; in stage k the first k gates are open. Under a stage the gates are
constants, and the subgames come apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE
from reasoner.kernels import kernel
from search.factoring.limits import MAX_GATE_LOOKS

Bools = NDArray[np.bool_]


def stage(circuit: Circuit, gates: Sequence[int], number: int) -> Circuit:
    """The circuit in a stage, by the numbers of its nodes: for whoever reads them, the gates are constants."""
    return holding(circuit, [gate ^ (number <= place) for place, gate in enumerate(gates)])


def holding(circuit: Circuit, literals: Sequence[int]) -> Circuit:
    """The circuit where literals are true for whoever reads them, and with a conjunction its conjuncts."""
    if not literals:
        return circuit
    first = 1 + len(circuit.bases) + len(circuit.legal)
    table = np.arange(2 * (first + len(circuit.left)), dtype=np.int32)
    waiting = list(literals)
    while waiting:
        literal = waiting.pop()
        if literal < 2 or table[literal] == TRUE:
            continue
        table[literal], table[literal ^ 1] = TRUE, FALSE
        gate = (literal >> 1) - first
        if gate >= 0 and not literal & 1:
            waiting += [int(circuit.left[gate]), int(circuit.right[gate])]
    goals = circuit.goals.copy()
    goals[:, 2] = table[goals[:, 2]]
    return replace(
        circuit,
        left=table[circuit.left],
        right=table[circuit.right],
        legal=table[circuit.legal],
        next=table[circuit.next],
        terminal=int(table[circuit.terminal]),
        goals=goals,
    )


def candidates(circuit: Circuit, acts: Bools, ticks: Bools) -> list[int]:
    """Literals, false at first, that many formulas read both ways: those most often read so come first.

    acts, ticks: [nodes] depend on a move; on nothing but the clock.
    """
    literals = np.concatenate((circuit.left, circuit.right, circuit.legal, circuit.next))
    read = np.bincount(literals, minlength=2 * len(acts)).reshape(-1, 2).min(axis=1)
    read[acts | ticks] = 0
    nodes = np.argsort(-read, kind="stable")[:MAX_GATE_LOOKS]
    value = at_first(circuit)
    return [2 * int(node) + int(value[node]) for node in nodes if read[node] > 1]


def at_first(circuit: Circuit) -> Bools:
    """The nodes in the initial state, no move made.  # [nodes]."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    value = np.zeros(first + len(circuit.left), np.bool_)
    value[1 : 1 + len(circuit.bases)] = circuit.initial
    _evaluate(circuit.left, circuit.right, first, value)
    return value


@kernel
def _evaluate(left: NDArray[np.int32], right: NDArray[np.int32], first: int, value: Bools) -> None:
    for gate in range(len(left)):
        a, b = left[gate], right[gate]
        value[first + gate] = (value[a >> 1] ^ bool(a & 1)) & (value[b >> 1] ^ bool(b & 1))
