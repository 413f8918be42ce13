"""Gates between subgames: literals that become true at the end of one subgame and open the next one.

A gate that is open (true) stays open. Legality and dynamics of the first subgame require that the gate is false; those
of the second subgame require that it is true. `n` gates make ``n + 1`` *stages*; in stage k the first k gates are open.
Within a stage, the gates are constants, and the subgames separate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reasoner.arrays import Bools, Ints
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import FALSE, TRUE
from reasoner.kernels import kernel
from search.factoring.limits import MAX_CONJUNCTS, MAX_GATE_LOOKS, MAX_OPENING_LOOKS

MAX_GATES_FOLDED = 20_000_000
"""Maximum number of circuit gates folded to find which step counter bases end the game; some hundredths of a second."""


def stage(circuit: Circuit, gates: Sequence[int], number: int) -> Circuit:
    """Return the circuit in a stage, with the same node numbers; nodes that read the gates read constants instead."""
    if not gates:
        return circuit
    table = _holding(circuit, gates, number)
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


def going(circuit: Circuit, counter: Sequence[int]) -> Circuit:
    """Return the circuit simplified for states in which the game goes on; termination and goals are unchanged.

    A literal that ends the game by itself, such as the step counter's last step, counts as false.
    """
    shut = [circuit.terminal]
    if len(counter) * len(circuit.left) <= MAX_GATES_FOLDED:
        shut += [literal for base in counter if _over_with(circuit, literal := 2 * (1 + base))]
    return replace(stage(circuit, shut, 0), terminal=circuit.terminal, goals=circuit.goals)


def _over_with(circuit: Circuit, literal: int) -> bool:
    """Return whether constant folding shows that the game is over when a literal is true."""
    return bool(_holding(circuit, (literal,), 1)[circuit.terminal] == TRUE)


def same(circuit: Circuit, gates: Sequence[int], number: int) -> Ints:
    """Return the literals of the searched bases in a stage: constants for bases that are gates.  # [searched]."""
    return _holding(circuit, gates, number)[2 : 2 * circuit.searched + 2 : 2]


def _holding(circuit: Circuit, gates: Sequence[int], number: int) -> Ints:
    """Return the value of each literal in a stage: gates, and conjuncts of true conjunctions, are constants."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    table = np.arange(2 * (first + len(circuit.left)), dtype=np.int32)
    waiting = [gate ^ (number <= place) for place, gate in enumerate(gates)]
    while waiting:
        literal = waiting.pop()
        if literal < 2 or table[literal] == TRUE:
            continue
        table[literal], table[literal ^ 1] = TRUE, FALSE
        gate = (literal >> 1) - first
        if gate >= 0 and not literal & 1:
            waiting += [int(circuit.left[gate]), int(circuit.right[gate])]
    _fold(circuit.left, circuit.right, first, table)
    return table


@kernel
def _fold(left: Ints, right: Ints, first: int, table: Ints) -> None:
    """Propagate constants through the gates; a gate equal to one of its operands is replaced by it."""
    for gate in range(len(left)):
        literal, a, b = 2 * (first + gate), table[left[gate]], table[right[gate]]
        if table[literal] != literal or (a > TRUE and b > TRUE and a >> 1 != b >> 1):
            continue
        found = FALSE if a == FALSE or b == FALSE or a == b ^ 1 else max(a, b)
        table[literal], table[literal ^ 1] = found, found ^ 1


def candidates(circuit: Circuit, acts: Bools, ticks: Bools) -> list[int]:
    """Return literals that are false at first and that many formulas read in both polarities, most often read first.

    acts, ticks: [nodes] whether a node depends on a move; whether it depends only on the step counter.
    """
    literals = np.concatenate((circuit.left, circuit.right, circuit.legal, circuit.next))
    read = np.bincount(literals, minlength=2 * len(acts)).reshape(-1, 2).min(axis=1)
    read[acts | ticks] = 0
    nodes = np.argsort(-read, kind="stable")[:MAX_GATE_LOOKS]
    value = at_first(circuit)
    return [2 * int(node) + int(value[node]) for node in nodes if read[node] > 1]


def opening(circuit: Circuit, acts: Bools, ticks: Bools) -> list[int]:
    """Return literals that are false at first and that many moves require, the most often required first.

    This finds gates that the earlier subgame does not read itself, for example that all its heaps are empty, or that a
    role has no move left.
    """
    value, needing = at_first(circuit), Counter[int]()
    visits = 0
    for legal in np.unique(circuit.legal).tolist():
        conjuncts = _conjuncts(circuit, legal)
        needing.update(conjuncts)
        visits += len(conjuncts)
        if visits > MAX_CONJUNCTS:
            break
    shut = {at: n for at, n in needing.items() if n > 1 and not (acts[at >> 1] or ticks[at >> 1])}
    shut = {at: n for at, n in shut.items() if bool(value[at >> 1]) == bool(at & 1)}
    return sorted(shut, key=lambda at: (-shut[at], -at))[:MAX_OPENING_LOOKS]


def _conjuncts(circuit: Circuit, literal: int) -> set[int]:
    """Return a literal and all its conjuncts."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    found: set[int] = set()
    waiting = [literal]
    while waiting:
        at = waiting.pop()
        if at <= TRUE or at in found:
            continue
        found.add(at)
        gate = (at >> 1) - first
        if gate >= 0 and not at & 1:
            waiting += [int(circuit.left[gate]), int(circuit.right[gate])]
    return found


def at_first(circuit: Circuit) -> Bools:
    """Return the values of the nodes in the initial state, without a move.  # [nodes]."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    value = np.zeros(first + len(circuit.left), np.bool_)
    value[1 : 1 + len(circuit.bases)] = circuit.initial
    _evaluate(circuit.left, circuit.right, first, value)
    return value


@kernel
def _evaluate(left: Ints, right: Ints, first: int, value: Bools) -> None:
    for gate in range(len(left)):
        a, b = left[gate], right[gate]
        value[first + gate] = (value[a >> 1] ^ bool(a & 1)) & (value[b >> 1] ^ bool(b & 1))
