"""Effect of each move on each base: the next values of a circuit under the condition that this move is made.

Cofactors (Boole; Shannon 1949) by every move in turn. Most moves do not affect most bases, so only differences from a
base's most frequent next value, its *default*, are stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Literals, Longs, Words
from reasoner.circuit.graph import FALSE, GATES, TRUE, GateStore, and_
from reasoner.kernels import kernel, subplain
from reasoner.kernels.bits import ONE
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.alternating_roles import NO_MOVE
from reasoner.lanes.rows import lowest_bit
from reasoner.lanes.step.state_logic import StateLogic, copied

SAMPLE = 64
"""Moves used to find the defaults."""

MOST_EFFECTS, MOST_MADE = 500_000, 1_000_000
"""Most values in all effects, and most gates for them. If each move changes thousands of bases, as in hex, whose rules
derive what is connected, a step takes long to build and saves little."""

ROOM = 2
"""Moves for whose gates memory is reserved at a time; most need few gates."""


class Effects(NamedTuple):
    """The next values of the searched bases; literals."""

    default: Ints  # [searched]
    begin: Longs  # [moves] the effects of move m that differ from the default begin here ...
    end: Longs  # [moves] ... and end here
    bases: Ints  # ascending within each move; the moves are ordered as in `StateLogic.chosen_among`
    values: Literals


class Net(NamedTuple):
    """The gates that the next values need, and the readers of each node."""

    left: Literals  # of the circuit
    right: Literals
    first: int  # node of the first gate
    fan: Longs  # gates that read a node ...
    start: Longs  # ... node n: fan[start[n]] … fan[start[n + 1]]
    outputs: Ints  # [searched] the circuit's literals


class _Work(NamedTuple):
    """Data common to all moves, and scratch space that is empty between moves."""

    net: Net
    resting: Literals  # for each node the value without a move
    default: Ints  # [searched]
    now: Literals  # for each node the current value; changed and restored
    waiting: Words  # one bit for each gate: to be evaluated
    changed: Ints  # [nodes]


class _Found(NamedTuple):
    """The effects of moves, move by move; literals."""

    counts: Longs  # [moves]
    bases: Ints
    values: Literals


def effects(logic: StateLogic) -> Effects | None:
    """The effects of the choice's moves on the searched bases; None if there are too many."""
    circuit, start, end = logic.circuit, logic.circuit.stages[1], logic.circuit.stages[2]
    net = _net(logic, start, end)
    resting = logic.node.copy()  # for each node the literal without a move
    logic.graph.made(end - start, copied, circuit.left, circuit.right, logic.first, start, end, resting)
    moves, bases = logic.chosen_among(), len(net.outputs)
    sample = moves[:: max(1, len(moves) // SAMPLE)]
    seen = _found(logic, net, resting, sample, np.full(bases, -1, np.int32), len(sample) * bases)
    if seen is None:
        return None
    default = np.array(
        [Counter(column).most_common(1)[0][0] for column in seen.values.reshape(len(sample), bases).T.tolist()]
    )
    found = _found(logic, net, resting, moves, default.astype(np.int32), MOST_EFFECTS)
    if found is None:
        return None
    ends, at = np.zeros((2, logic.moves), np.int64), np.cumsum(found.counts)
    ends[:, moves] = at - found.counts, at
    return Effects(default.astype(np.int32), ends[0], ends[1], found.bases, found.values)


def _found(
    logic: StateLogic, net: Net, resting: Literals, moves: Sequence[int], default: Ints, most: int
) -> _Found | None:
    """Each move's effects other than defaults; None if there are more than `most` values or too many gates."""
    nodes, settled = _made(logic, np.array(moves))
    room, gates = most + len(default), len(logic.graph) + MOST_MADE
    found = _Found(np.zeros(len(moves), np.int64), np.empty(room, np.int32), np.empty(room, np.int32))
    waiting, changed = np.zeros(1 + len(net.left) // 64, np.uint64), np.empty(len(resting), np.int32)
    work = _Work(net, resting, default, resting.copy(), waiting, changed)
    done, ends = 0, 0
    step = logic.circuit.stages[2] - logic.circuit.stages[1]
    while done < len(moves) and ends <= most and len(logic.graph) <= gates:
        done = logic.graph.made(ROOM * step, cofactors, work, nodes, settled, found, done, ends, step, gates)
        ends = int(found.counts[:done].sum())
    if ends > most or len(logic.graph) > gates:
        return None
    return found._replace(bases=found.bases[:ends], values=found.values[:ends])


def _made(logic: StateLogic, moves: Longs) -> tuple[Ints, Literals]:
    """The nodes of moves that are fixed when each of some moves is made, and their values: other roles are idle."""
    idle = [turn for turn in logic.choice.turns if turn.idle != NO_MOVE]
    nodes = np.repeat(moves[:, None], 1 + len(idle), axis=1)
    values = np.full(nodes.shape, TRUE, np.int32)
    role = np.array(logic.role)[moves]
    for i, turn in enumerate(idle, 1):
        others = moves != turn.idle
        nodes[others, i] = turn.idle
        values[others & (role == turn.role), i] = FALSE
    return (1 + logic.bases + nodes).astype(np.int32), values


def _net(logic: StateLogic, start: int, end: int) -> Net:
    left, right = logic.circuit.left, logic.circuit.right
    read = np.concatenate((left[start:end], right[start:end])) >> 1
    readers = np.concatenate((np.arange(start, end), np.arange(start, end)))
    order = np.argsort(read, kind="stable")
    first = np.searchsorted(read[order], np.arange(len(logic.node) + 1))
    outputs = logic.circuit.next[: logic.circuit.searched].astype(np.int32)
    return Net(left, right, logic.first, readers[order].astype(np.int64), first.astype(np.int64), outputs)


@kernel
def cofactors(
    store: GateStore,
    work: _Work,
    nodes: Ints,
    values: Literals,
    found: _Found,
    move: int,
    end: int,
    gates: int,
    most: int,
) -> int:
    """Apply `cofactor` to each move while there is room; return the first move that is left.

    nodes, values: [moves, …]; move: the first; end: the filled part of `found`; gates: most gates of a move; most: the
    number of gates at which to stop.
    """
    most, last = min(most, len(store.left) - gates), len(found.bases) - len(work.default)
    while move < len(nodes) and store.sizes[GATES] <= most and end <= last:
        count = cofactor(store, work, nodes[move], values[move], found.bases[end:], found.values[end:])
        found.counts[move] = count
        end += count
        move += 1
    return move


@subplain
def cofactor(store: GateStore, work: _Work, nodes: Ints, values: Literals, bases: Ints, found: Literals) -> int:
    """Write which outputs differ from their default, and their values, if some nodes have other values.

    bases, found: written; returns their number.
    """
    net, now = work.net, work.now
    changed = 0
    for k in range(len(nodes)):
        changed = _set(work, changed, nodes[k], values[k])
    for block in range(len(work.waiting)):
        while work.waiting[block]:
            bit = lowest_bit(work.waiting[block])
            work.waiting[block] ^= ONE << bit
            gate = 64 * block + int64(bit)
            a, b = net.left[gate], net.right[gate]
            value = and_(store, now[a >> 1] ^ (a & 1), now[b >> 1] ^ (b & 1))
            changed = _set(work, changed, net.first + gate, value)
    count = 0
    for base in range(len(net.outputs)):
        literal = net.outputs[base]
        value = now[literal >> 1] ^ (literal & 1)
        if value != work.default[base]:
            bases[count], found[count] = base, value
            count += 1
    for k in range(changed):
        now[work.changed[k]] = work.resting[work.changed[k]]
    return count


@subplain
def _set(work: _Work, changed: int, node: int, value: int) -> int:
    """Set a node's value; if it changes, queue its readers. Returns the number of changed nodes."""
    if work.now[node] == value:
        return changed
    work.now[node], work.changed[changed] = value, node
    for i in range(work.net.start[node], work.net.start[node + 1]):
        gate = work.net.fan[i]
        work.waiting[gate >> 6] |= ONE << uint64(gate & 63)
    return changed + 1
