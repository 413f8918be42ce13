"""What each move makes of each base: the next values of a circuit under the condition that this move is made.

Cofactors (Boole; Shannon 1949) by every move in turn. Most moves leave most bases alone, so that only what differs from
a base's commonest next value, its *default*, is noted.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bytes, Ints, Literals
from reasoner.circuit.graph import FALSE, TRUE, GateStore, and_
from reasoner.kernels import kernel
from reasoner.lanes.alternating_roles import NO_MOVE
from reasoner.lanes.step.state_logic import StateLogic, copied

SAMPLE = 64
"""Moves by which defaults are found."""

MOST_EFFECTS, MOST_MADE = 500_000, 1_000_000
"""Values that moves may make of bases, all together, and gates that it may take to say them. Where each changes
thousands, as in hex, whose rules tell what is connected after it, a step takes long to put together and pays little."""


class Effects(NamedTuple):
    """The next values of the searched bases; literals."""

    default: Ints  # [searched]
    of_move: dict[int, dict[int, int]]  # by move, by base: the value where it is not the default


class Net(NamedTuple):
    """The gates that the next values need, and who reads a node."""

    left: Literals  # of the circuit
    right: Literals
    first: int  # node of the first gate
    fan: NDArray[np.int64]  # gates that read a node ...
    start: NDArray[np.int64]  # ... node n: fan[start[n]] … fan[start[n + 1]]
    outputs: Ints  # [searched] the circuit's literals


def effects(logic: StateLogic) -> Effects | None:
    """What the moves that are chosen among make of the searched bases; None where it is too much."""
    circuit, start, end = logic.circuit, logic.circuit.stages[1], logic.circuit.stages[2]
    net = _net(logic, start, end)
    resting = logic.node.copy()  # by node the literal where no move is made
    logic.graph.made(end - start, copied, circuit.left, circuit.right, logic.first, start, end, resting)
    dirty, unknown = np.zeros(len(circuit.left), np.uint8), np.full(len(net.outputs), -1, np.int32)
    now, found = resting.copy(), (np.empty(len(net.outputs), np.int32), np.empty(len(net.outputs), np.int32))

    def under(move: int, default: Ints) -> tuple[list[int], list[int]]:
        nodes, values = _made(logic, move)
        count = logic.graph.made(end - start, cofactor, net, nodes, values, resting, now, dirty, default, *found)
        return found[0][:count].tolist(), found[1][:count].tolist()

    moves, most = logic.chosen_among(), len(logic.graph) + MOST_MADE
    rows: list[list[int]] = []
    for move in moves[:: max(1, len(moves) // SAMPLE)]:
        rows.append(under(move, unknown)[1])
        if len(logic.graph) > most:
            return None
    default = np.array([Counter(column).most_common(1)[0][0] for column in zip(*rows, strict=True)], np.int32)
    of_move, values = dict[int, dict[int, int]](), 0
    for move in moves:
        of_move[move] = dict(zip(*under(move, default), strict=True))
        values += len(of_move[move])
        if values > MOST_EFFECTS or len(logic.graph) > most:
            return None
    return Effects(default, of_move)


def _made(logic: StateLogic, move: int) -> tuple[Ints, Literals]:
    """The nodes of moves that are settled where one is made, and their values: the other roles rest."""
    role, nodes = logic.role[move], {1 + logic.bases + move: TRUE}
    for turn in logic.choice.turns:
        if turn.idle != NO_MOVE and turn.idle != move:
            nodes[1 + logic.bases + turn.idle] = FALSE if turn.role == role else TRUE
    return np.array([*nodes], np.int32), np.array([*nodes.values()], np.int32)


def _net(logic: StateLogic, start: int, end: int) -> Net:
    left, right = logic.circuit.left, logic.circuit.right
    read = np.concatenate((left[start:end], right[start:end])) >> 1
    readers = np.concatenate((np.arange(start, end), np.arange(start, end)))
    order = np.argsort(read, kind="stable")
    first = np.searchsorted(read[order], np.arange(len(logic.node) + 1))
    outputs = logic.circuit.next[: logic.circuit.searched].astype(np.int32)
    return Net(left, right, logic.first, readers[order].astype(np.int64), first.astype(np.int64), outputs)


@kernel
def cofactor(
    store: GateStore,
    net: Net,
    nodes: Ints,
    values: Literals,
    resting: Literals,
    now: Literals,
    dirty: Bytes,
    default: Ints,
    bases: Ints,
    found: Literals,
) -> int:
    """Write which outputs differ from their default, and their values, where some nodes have other values.

    resting: by node the value before; now: the same, changed and restored; dirty: by gate 0, likewise; bases, found:
    written; how many there are.
    """
    low, high = len(dirty), -1
    for k in range(len(nodes)):
        node = nodes[k]
        if now[node] != values[k]:
            now[node] = values[k]
            for i in range(net.start[node], net.start[node + 1]):
                dirty[net.fan[i]] = 1
                low, high = min(low, net.fan[i]), max(high, net.fan[i])
    gate = low
    while gate <= high:
        if dirty[gate]:
            node, a, b = net.first + gate, net.left[gate], net.right[gate]
            value = and_(store, now[a >> 1] ^ (a & 1), now[b >> 1] ^ (b & 1))
            if value != now[node]:
                now[node] = value
                for i in range(net.start[node], net.start[node + 1]):
                    dirty[net.fan[i]] = 1
                    high = max(high, net.fan[i])
        gate += 1
    count = 0
    for base in range(len(net.outputs)):
        literal = net.outputs[base]
        value = now[literal >> 1] ^ (literal & 1)
        if value != default[base]:
            bases[count], found[count] = base, value
            count += 1
    for node in nodes:
        now[node] = resting[node]
    for gate in range(low, high + 1):
        if dirty[gate]:
            dirty[gate] = 0
            now[net.first + gate] = resting[net.first + gate]
    return count
