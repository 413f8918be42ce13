"""Three-input cuts of a network's gates: a cut is a set of at most three nodes that determine a gate.

Each gate keeps its best cuts, the cheapest first (Mishchenko, Cho, Chatterjee & Brayton 2007, "Combinational and
sequential mapping with priority cuts"). A cut's *table* gives the gate's value: bit ``4 a + 2 b + c`` for the values
a, b, c of its leaves. The target sets the cost of a table (`reasoner.lanes.native.targets`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Singles
from reasoner.kernels import device_function_norefcount, kernel
from reasoner.lanes.native.section_aig import Network
from reasoner.lanes.native.targets.selection import IDENTITY, INPUTS

Tables = NDArray[np.int16]

MAX_CUTS, MIN_CUTS = 8, 3
"""Maximum and minimum number of cuts to keep for each gate; MAX_SECTION_CUTS determines the number in between."""

MAX_SECTION_CUTS = 4_000_000
"""Maximum number of cuts of a section; a cut takes 14 bytes."""

NONE = -1
"""Marks an unused leaf."""

EDGE_COST = 0.05
"""The cost of a leaf, relative to an instruction: small, to break ties between covers of equal size."""


class Cuts(NamedTuple):
    """The up to C cuts of each of G gates."""

    leaves: Ints  # [G, C, INPUTS] nodes in ascending order, then NONE
    table: Tables  # [G, C]
    number: Ints  # [G] the number of cuts


class Worth(NamedTuple):
    """Costs during the enumeration of cuts."""

    prices: Singles  # [256] the cost of each table, in instructions
    flow: Singles  # [nodes] area flow
    cost: Singles  # [C] costs of the current gate's cuts, the cheapest first


def enumerate_cuts(network: Network, prices: Singles) -> Cuts:
    """The cuts of all gates.  # prices: [256] the cost of each table, in instructions."""
    gates, nodes = len(network.left), len(network.leaves) + len(network.left)
    kept = min(MAX_CUTS, max(MIN_CUTS, MAX_SECTION_CUTS // max(1, gates)))
    leaves = np.full((gates, kept, INPUTS), NONE, np.int32)
    cuts = Cuts(leaves, np.zeros((gates, kept), np.int16), np.zeros(gates, np.int32))
    literals = (network.left, network.right, network.roots, network.updates)
    readers = np.bincount(np.concatenate(literals) >> 1, minlength=nodes).astype(np.int32)
    _merge_all(network, cuts, readers, np.zeros(nodes, np.float32), prices)
    return cuts


@kernel
def _merge_all(network: Network, cuts: Cuts, readers: Ints, flow: Singles, prices: Singles) -> None:
    """Enumerate the cuts of each gate; `flow` is scratch space for the area flow of the nodes."""
    first = len(network.leaves)
    cost = np.empty(cuts.table.shape[1], np.float32)
    room = np.empty((3, INPUTS), np.int32)
    for gate in range(len(network.left)):
        _merge(network, cuts, gate, Worth(prices, flow, cost), room)
        flow[first + gate] = cost[0] / max(1, readers[first + gate])


@device_function_norefcount
def _merge(network: Network, cuts: Cuts, gate: int, worth: Worth, room: Ints) -> None:
    """Enumerate a gate's cuts from those of its operands; `room` is scratch space for three lists of leaves."""
    first = len(network.leaves)
    a, b = network.left[gate], network.right[gate]
    ours, theirs, merged = room[0], room[1], room[2]
    for i in range(_choices(cuts, (a >> 1) - first)):
        x = _cut(cuts, a >> 1, first, i, ours)
        for j in range(_choices(cuts, (b >> 1) - first)):
            y = _cut(cuts, b >> 1, first, j, theirs)
            size = _union(ours, theirs, merged)
            if size <= INPUTS:
                table = _combined(_spread(x, ours, merged), _spread(y, theirs, merged), a, b)
                _keep(cuts, gate, merged, size, table, worth)


@device_function_norefcount
def _choices(cuts: Cuts, gate: int) -> int:
    """The number of cuts of an operand, including the operand itself as a leaf."""
    return 1 if gate < 0 else cuts.number[gate] + 1


@device_function_norefcount
def _cut(cuts: Cuts, node: int, first: int, i: int, leaves: Ints) -> int:
    """Copy the leaves of an operand's cut number `i`, and return the cut's table; cut 0 is the operand as a leaf."""
    if i:
        for k in range(INPUTS):
            leaves[k] = cuts.leaves[node - first, i - 1, k]
        return int(cuts.table[node - first, i - 1])
    leaves[0], leaves[1], leaves[2] = node, NONE, NONE
    return int(IDENTITY[0])


@device_function_norefcount
def _union(ours: Ints, theirs: Ints, merged: Ints) -> int:
    """Merge two ascending lists of leaves; return the number of leaves, a number above INPUTS if there are too many."""
    merged[0], merged[1], merged[2] = NONE, NONE, NONE
    i, j, size = 0, 0, 0
    while (i < INPUTS and ours[i] >= 0) or (j < INPUTS and theirs[j] >= 0):
        if size == INPUTS:
            return INPUTS + 1
        if j == INPUTS or theirs[j] < 0 or (i < INPUTS and 0 <= ours[i] < theirs[j]):
            merged[size] = ours[i]
            i += 1
        else:
            merged[size] = theirs[j]
            i += i < INPUTS and ours[i] == theirs[j]
            j += 1
        size += 1
    return size


@device_function_norefcount
def _spread(table: int, leaves: Ints, merged: Ints) -> int:
    """Extend a table over `leaves` to one over `merged`, a superset."""
    result = 0
    for values in range(8):
        index = 0
        for i in range(INPUTS):
            for k in range(INPUTS):
                if leaves[i] >= 0 and merged[k] == leaves[i]:
                    index |= (values >> (2 - k) & 1) << (2 - i)
        result |= (table >> index & 1) << values
    return result


@device_function_norefcount
def _combined(x: int, y: int, a: int, b: int) -> int:
    """The table of a gate from the tables `x` and `y` of its operand literals `a` and `b`."""
    x ^= -(a & 1)
    y ^= -(b & 1)
    return (x ^ y if a > b else x & y) & 0xFF


@device_function_norefcount
def _keep(cuts: Cuts, gate: int, leaves: Ints, size: int, table: int, worth: Worth) -> None:
    """Insert a cut into the list of its gate if it is new and cheap enough.

    leaves, size, table: the cut's nodes, their number, and its table; worth: the costs, of which `cost` is updated.
    """
    cost = worth.cost
    count = cuts.number[gate]
    for i in range(count):
        if _contains(leaves, cuts.leaves[gate, i]):
            return
    own = worth.prices[table] + EDGE_COST * size
    for i in range(size):
        own += worth.flow[leaves[i]]
    place = count
    while place and cost[place - 1] > own:
        place -= 1
    if place == len(cost):
        return
    last = min(count, len(cost) - 1)
    for i in range(last, place, -1):
        cuts.table[gate, i], cost[i] = cuts.table[gate, i - 1], cost[i - 1]
        for k in range(INPUTS):
            cuts.leaves[gate, i, k] = cuts.leaves[gate, i - 1, k]
    for k in range(INPUTS):
        cuts.leaves[gate, place, k] = leaves[k]
    cuts.table[gate, place], cost[place] = table, own
    cuts.number[gate] = last + 1


@device_function_norefcount
def _contains(leaves: Ints, others: Ints) -> bool:
    """Whether all of `others` are among `leaves`."""
    for k in range(INPUTS):
        other = others[k]
        if other >= 0 and other != leaves[0] and other != leaves[1] and other != leaves[2]:
            return False
    return True
