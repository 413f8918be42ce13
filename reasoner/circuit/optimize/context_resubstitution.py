"""Reuse existing conjunctions with a condition: ``c & ~t`` is ``c & ~(c & t)``.

If the gate ``c & t`` exists, ``t`` itself may become unused. An example is "the player in control cannot move", where
``t`` is "the player can move": legal moves already include the condition that the player is in control.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints, Literals
from reasoner.circuit.optimize.wide_gates import Logic, Wide, gates, remade
from reasoner.kernels import device_function, kernel


def context_resubstitution(logic: Logic) -> Logic:
    """Return the graph with leaves ~t replaced by ~(c & t), where c is another leaf of the same gate."""
    wide = logic.wide
    leaves = wide.leaves.copy()
    _replace(wide, leaves)
    if np.array_equal(leaves, wide.leaves):
        return logic
    other = remade(logic, wide, wide.start, leaves)
    return other if gates(other) <= gates(logic) else logic


@kernel
def _replace(wide: Wide, leaves: Literals) -> None:
    """Replace leaves ~t by ~(c & t) if the gate c & t comes before the gate that reads it.

    The condition c is an uncomplemented leaf, which is never replaced itself.
    """
    first, following = _pairs(wide)
    mark = np.full(2 * len(wide.number), -1, np.int32)
    for g in range(len(wide.nodes)):
        begin, end = wide.start[g], wide.start[g + 1]
        if end - begin < 3:
            continue
        for leaf in wide.leaves[begin:end]:
            mark[leaf] = g
        for i in range(begin, end):
            pair = first[wide.leaves[i] >> 1] if wide.leaves[i] & 1 else -1
            while pair >= 0 and leaves[i] == wide.leaves[i]:
                inner = wide.leaves[wide.start[pair]], wide.leaves[wide.start[pair] + 1]
                beside = inner[0] + inner[1] - (wide.leaves[i] ^ 1)
                if pair < g and not beside & 1 and mark[beside] == g and mark[2 * wide.nodes[pair] + 1] != g:
                    leaves[i] = 2 * wide.nodes[pair] + 1
                pair = following[pair] if wide.leaves[i] >> 1 == inner[0] >> 1 else following[len(wide.nodes) + pair]


@device_function
def _pairs(wide: Wide) -> tuple[Ints, Ints]:
    """Return, for each node, a linked list of the wide gates with two leaves that read the node uncomplemented.

    The first array has the first gate of each node's list. A gate g of W is in the lists of both leaves. The second
    array has the gate after g: at index g in the list of its first leaf, at index W + g in that of its second leaf.
    """
    first = np.full(len(wide.number), -1, np.int32)
    following = np.full(2 * len(wide.nodes), -1, np.int32)
    for g in range(len(wide.nodes)):
        if wide.start[g + 1] - wide.start[g] == 2:
            for i in range(2):
                leaf = wide.leaves[wide.start[g] + i]
                if not leaf & 1 and wide.number[leaf >> 1] >= 0:
                    following[i * len(wide.nodes) + g] = first[leaf >> 1]
                    first[leaf >> 1] = g
    return first, following
