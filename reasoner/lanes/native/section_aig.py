"""And-inverter graph of a section, rebuilt so that three-input tables cover it well.

A *network* has its own node numbers: 0 is false; 1 … L are the *leaves*, values from outside the section; the gates
follow. A literal is ``2 * node + complement``; a gate is the AND of its operands, or their XOR if the left is greater.

Trees of ANDs whose inner nodes have no other readers are rebuilt as chains. A chain of n operands is covered by n / 2
three-input tables and needs one register while it is computed. A balanced tree needs up to a quarter more tables, and
log n registers. Operands that many gates read come first, so that chains often share a common prefix. Operands that
are trees of an even number of operands come last, because the last gate of such a tree fits into the table that reads
it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Ints, Longs
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.hashing import paired, place_of

UNSEEN, INSIDE = -1, -2
"""Marks of nodes without a literal. UNSEEN: outside the section, not read yet. INSIDE: in it, and not built yet."""

MAX_CHAIN_OPERANDS = 27
"""Maximum operands of a chain, because the cover's time is quadratic in them; longer ones become chains of chains."""

LINK = 9
"""Operands of a chain that is an operand of another chain; with an odd number its tables have no unused inputs."""


class GateBuffer(NamedTuple):
    """A network under construction."""

    first: int  # the first gate's node
    left: Ints  # [room] literals
    right: Ints  # [room] literals
    hashed: Ints  # [a power of two > room] hash table: the number of a gate plus 1; 0 for a free slot
    size: Ints  # [1] number of gates


class Network(NamedTuple):
    """The gates of one section; L leaves, G gates."""

    leaves: Ints  # [L + 1] the leaves' nodes in the lane graph
    left: Ints  # [G] literals
    right: Ints  # [G] literals
    roots: Ints  # the requested literals
    updates: Ints  # the literals of the selected next values


class Trees(NamedTuple):
    """The uses of the lane graph's nodes within the section; arrays over all nodes."""

    literal: Ints  # the network's literal of a node, UNSEEN or INSIDE
    uses: Ints  # number of readers
    absorbed: Bools  # the node is an AND whose only reader is an AND, so that it is part of that gate's tree
    width: Ints  # number of operands of the node's tree


class SectionSpec(NamedTuple):
    """The input: a section's gates and its results; literals over the lane graph's nodes."""

    left: Ints  # literals of the lane graph
    right: Ints
    first: int  # the first gate's node in the lane graph
    nodes: Ints  # the section's gates, operands first
    roots: Ints  # literals
    updates: Ints  # [n, 2] for each base to update its node, and the literal of its next value
    hold: int  # the node that is true where bases keep their values; may be one past the last node
    alias: Ints  # for each node the literal of an earlier node that is equal to it, or -1


def network(spec: SectionSpec) -> Network:
    """The network of a section for the literals `roots` and the next values of the bases in `updates`."""
    total = spec.first + len(spec.left) + 1
    trees = Trees(
        literal=np.full(total, UNSEEN, np.int32),
        uses=np.zeros(total, np.int32),
        absorbed=np.zeros(total, np.bool_),
        width=np.zeros(total, np.int32),
    )
    room = len(spec.nodes) + 3 * len(spec.updates) + 1
    leaves = np.zeros(2 * len(spec.nodes) + len(spec.roots) + 3 * len(spec.updates) + 1, np.int32)
    _find_trees(spec, trees)
    count = _number_leaves(spec, trees, leaves)
    slots = np.zeros(1 << (2 * room).bit_length(), np.int32)
    empty = np.empty(room, np.int32)
    gates = GateBuffer(count, empty, empty.copy(), slots, np.zeros(1, np.int32))
    roots, updates = np.empty(len(spec.roots), np.int32), np.empty(len(spec.updates), np.int32)
    _rebuild(spec, trees, gates, np.empty(room + 1, np.int64), np.empty(room + 1, np.int32), roots, updates)
    size = gates.size[0]
    return Network(leaves[:count].copy(), gates.left[:size].copy(), gates.right[:size].copy(), roots, updates)


@kernel_norefcount
def _find_trees(spec: SectionSpec, trees: Trees) -> None:
    """Count readers, and find the gates that are inner nodes of a tree of ANDs."""
    first = spec.first
    for node in spec.nodes:
        trees.literal[node] = INSIDE
        trees.uses[spec.left[node - first] >> 1] += 1
        trees.uses[spec.right[node - first] >> 1] += 1
    for root in spec.roots:
        trees.uses[root >> 1] += 2
    for i in range(len(spec.updates)):
        trees.uses[spec.updates[i, 1] >> 1] += 1
    for node in spec.nodes:
        a, b = spec.left[node - first], spec.right[node - first]
        if a < b:
            for operand in (a, b):
                child = operand >> 1
                if not operand & 1 and trees.literal[child] == INSIDE and trees.uses[child] == 1:
                    trees.absorbed[child] = spec.left[child - first] < spec.right[child - first]


@kernel_norefcount
def _number_leaves(spec: SectionSpec, trees: Trees, leaves: Ints) -> int:
    """Number the values that the section reads from outside, in reading order; return their number, including false."""
    trees.literal[0], count = 0, 1
    for gate in spec.nodes:
        for operand in (spec.left[gate - spec.first], spec.right[gate - spec.first]):
            if trees.literal[operand >> 1] == UNSEEN:  # `_leaf` tests this, too, but the call takes longer
                count = _leaf(spec, leaves, count, trees, operand >> 1)
    for root in spec.roots:
        count = _leaf(spec, leaves, count, trees, root >> 1)
    for i in range(len(spec.updates)):
        count = _leaf(spec, leaves, count, trees, spec.updates[i, 0])
        count = _leaf(spec, leaves, count, trees, spec.updates[i, 1] >> 1)
        count = _leaf(spec, leaves, count, trees, spec.hold)
    return count


@kernel_norefcount
def _rebuild(
    spec: SectionSpec, trees: Trees, gates: GateBuffer, keys: Longs, stack: Ints, roots: Ints, updates: Ints
) -> None:
    """Build the gates, and write the literals of the roots and of the updated bases; keys, stack: scratch space."""
    for node in spec.nodes:
        if not trees.absorbed[node]:
            left, right = spec.left[node - spec.first], spec.right[node - spec.first]
            if left > right:
                trees.literal[node] = _xor(gates, _local(trees, left), _local(trees, right))
                trees.width[node] = 2
            else:
                trees.literal[node] = _chain(spec, gates, trees, node, keys, stack)
    for i in range(len(roots)):
        roots[i] = _local(trees, spec.roots[i])
    held = _local(trees, 2 * spec.hold)
    for i in range(len(updates)):
        old, new = _local(trees, 2 * spec.updates[i, 0]), _local(trees, spec.updates[i, 1])
        updates[i] = _select(gates, held, old, new)


@device_function_norefcount
def _leaf(spec: SectionSpec, leaves: Ints, count: int, trees: Trees, node: int) -> int:
    """Number a new leaf; an alias gets the literal of the node that it equals, so that no two leaves share a row."""
    if trees.literal[node] == UNSEEN:
        flip = 0
        real = np.int64(node)
        if spec.alias[node] >= 0:
            real, flip = np.int64(spec.alias[node] >> 1), spec.alias[node] & 1
        if trees.literal[real] == UNSEEN:
            leaves[count] = real
            trees.literal[real] = 2 * count
            count += 1
        trees.literal[node] = trees.literal[real] ^ flip
    return count


@device_function_norefcount
def _local(trees: Trees, literal: int) -> int:
    return int(trees.literal[literal >> 1]) ^ (literal & 1)


@device_function_norefcount
def _chain(spec: SectionSpec, gates: GateBuffer, trees: Trees, node: int, keys: Longs, stack: Ints) -> int:
    """The conjunction of the operands of the tree of ANDs under `node`; `keys` and `stack` are scratch space."""
    count, depth = 0, 1
    stack[0] = 2 * node
    while depth:
        depth -= 1
        literal = stack[depth]
        child = literal >> 1
        if child == node or (not literal & 1 and trees.absorbed[child]):
            stack[depth] = spec.left[child - spec.first]
            stack[depth + 1] = spec.right[child - spec.first]
            depth += 2
        else:
            keys[count] = _rank(trees, literal) << 32 | _local(trees, literal)
            count += 1
    trees.width[node] = count
    _sort(keys, count)
    for i in range(count):
        keys[i] &= 0xFFFFFFFF
    while count > MAX_CHAIN_OPERANDS:
        count = _shorten(gates, keys, count)
    return _conjunction(gates, keys, 0, count)


@device_function_norefcount
def _sort(keys: Longs, count: int) -> None:
    """Shellsort with Knuth's gaps."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, count):
            key, j = keys[i], i
            while j >= gap and keys[j - gap] > key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key
        gap //= 3


@device_function_norefcount
def _shorten(gates: GateBuffer, operands: Longs, count: int) -> int:
    """Replace each LINK operands by their conjunction; return the remaining number."""
    shorter = 0
    for start in range(0, count, LINK):
        operands[shorter] = _conjunction(gates, operands, start, min(start + LINK, count))
        shorter += 1
    return shorter


@device_function_norefcount
def _conjunction(gates: GateBuffer, operands: Longs, start: int, end: int) -> int:
    """The chain of some operands."""
    result = int(operands[start])
    for i in range(start + 1, end):
        result = _and(gates, result, operands[i])
    return result


@device_function_norefcount
def _rank(trees: Trees, literal: int) -> int:
    """Sort key of an operand in a chain: operands with most readers first, trees of an even number of operands last."""
    node = literal >> 1
    uses = min(int(trees.uses[node]), 1 << 20)
    late = uses == 1 and trees.width[node] > 0 and not trees.width[node] & 1
    return (1 << 22 if late else 1 << 21) - uses


@device_function_norefcount
def _and(gates: GateBuffer, a: int, b: int) -> int:
    """The literal of ``a & b``."""
    if a > b:
        a, b = b, a
    if a == 0 or a ^ 1 == b:
        return 0
    if a == 1 or a == b:
        return b
    return _gate(gates, a, b)


@device_function_norefcount
def _xor(gates: GateBuffer, a: int, b: int) -> int:
    """The literal of ``a ^ b``."""
    flip = (a ^ b) & 1
    a, b = max(a & ~1, b & ~1), min(a & ~1, b & ~1)
    if b == 0 or a == b:
        return (0 if a == b else a) ^ flip
    return _gate(gates, a, b) ^ flip


@device_function_norefcount
def _select(gates: GateBuffer, condition: int, then: int, otherwise: int) -> int:
    """The literal of ``condition ? then : otherwise``."""
    if then == otherwise:
        return then
    return _and(gates, _and(gates, condition, then) ^ 1, _and(gates, condition ^ 1, otherwise) ^ 1) ^ 1


@device_function_norefcount
def _gate(gates: GateBuffer, a: int, b: int) -> int:
    """The literal of the gate with these operands, from the hash table or new."""
    mask = len(gates.hashed) - 1
    slot = place_of(paired(a, b), mask)
    while gates.hashed[slot]:
        gate = int(gates.hashed[slot]) - 1
        if gates.left[gate] == a and gates.right[gate] == b:
            return 2 * (gates.first + gate)
        slot = (slot + 1) & mask
    gate = int(gates.size[0])
    gates.left[gate], gates.right[gate] = a, b
    gates.size[0] = gate + 1
    gates.hashed[slot] = gate + 1
    return 2 * (gates.first + gate)
