"""LUT mapping: choose the gates that become tables and their cuts, for as few instructions as possible.

The first passes minimize *area flow*, which divides the cost of a table among its readers. The last passes minimize
*exact area*: each gate in turn is removed from the cover and put back with the cut that adds the least cost
(Manohararajah, Brown & Vranesic 2006; the recovery passes of Mishchenko et al. 2007). A table without readers is not
part of the cover.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Singles
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.lanes.native.cuts import EDGE_COST, Cuts, Tables, enumerate_cuts
from reasoner.lanes.native.section_aig import Network
from reasoner.lanes.native.targets.selection import INPUTS, Selection

FLOW_PASSES = 2
EXACT_PASSES = 2

EDGE = 1
"""The cost of a leaf in the exact passes; an instruction costs `reasoner.lanes.native.targets.selection.UNIT`."""

MAX_COST_PER_GATE = 10_000
"""Limit of the work of an exact pass, as the sum of compared costs for each gate; games' circuits need 100 to 1,100."""


class Cover(NamedTuple):
    """The tables of a network; L leaves, G gates."""

    first: int  # the first gate's node, L + 1
    inputs: Ints  # [G, INPUTS] nodes, then NONE
    table: Tables  # [G]
    uses: Ints  # [L + 1 + G] number of tables and outputs that read a node; a gate without readers is not computed


def cover(network: Network, selection: Selection, exact_passes: int = EXACT_PASSES) -> Cover:
    """Cover a network by tables with the costs of `selection`."""
    cuts = enumerate_cuts(network, selection.cost)
    first, gates = len(network.leaves), len(network.left)
    best, uses = np.zeros(gates, np.int32), np.zeros(first + gates, np.int32)
    flow = np.zeros(first + gates, np.float32)
    _count_uses(network, cuts, best, uses)
    for _ in range(FLOW_PASSES):
        _improve_flow(cuts, best, uses, flow, selection.cost)
        uses[:] = 0
        _count_uses(network, cuts, best, uses)
    waiting = np.empty(2 * gates + INPUTS, np.int32)
    for _ in range(exact_passes):
        _improve_exactly(cuts, best, uses, waiting, selection.weight)
    numbers = np.arange(gates)
    return Cover(first, cuts.leaves[numbers, best], cuts.table[numbers, best], uses)


@kernel_norefcount
def _count_uses(network: Network, cuts: Cuts, best: Ints, uses: Ints) -> None:
    """Count the readers of each node under these cuts."""
    first = len(network.leaves)
    for literals in (network.roots, network.updates):
        for literal in literals:
            uses[literal >> 1] += 1
    for gate in range(len(best) - 1, -1, -1):
        if uses[first + gate]:
            for k in range(INPUTS):
                leaf = cuts.leaves[gate, best[gate], k]
                if leaf >= 0:
                    uses[leaf] += 1


@kernel_norefcount
def _improve_flow(cuts: Cuts, best: Ints, uses: Ints, flow: Singles, prices: Singles) -> None:
    """Give each gate the cut of least area flow, given the current readers; `flow` is scratch space."""
    first = len(uses) - len(best)
    for gate in range(len(best)):
        least = np.float32(np.inf)
        for i in range(cuts.number[gate]):
            cost = np.float32(prices[cuts.table[gate, i]])
            for k in range(INPUTS):
                leaf = cuts.leaves[gate, i, k]
                if leaf >= 0:
                    cost += np.float32(EDGE_COST) + flow[leaf]
            if cost < least:
                least, best[gate] = cost, i
        flow[first + gate] = least / max(1, uses[first + gate])


@kernel_norefcount
def _improve_exactly(cuts: Cuts, best: Ints, uses: Ints, waiting: Ints, weight: Ints) -> None:
    """Choose, for each gate of the cover in turn, the cut that makes the cover cheapest if all other cuts stay.

    MAX_COST_PER_GATE bounds the time for gates that are the only readers of long chains.
    """
    first, weighed = len(uses) - len(best), 0
    for gate in range(len(best)):
        if not uses[first + gate] or cuts.number[gate] == 1:
            continue
        if weighed > MAX_COST_PER_GATE * len(best):
            return
        least, chosen = _change(cuts, best, uses, gate, -1, waiting, weight), best[gate]
        for i in range(cuts.number[gate]):
            if i == chosen or _least_cost(cuts, best, uses, gate, i, weight) >= least:
                continue
            best[gate] = i
            cost = _change(cuts, best, uses, gate, 1, waiting, weight)
            weighed += 2 * cost
            _change(cuts, best, uses, gate, -1, waiting, weight)
            if cost < least:
                least, chosen = cost, i
        best[gate] = chosen
        _change(cuts, best, uses, gate, 1, waiting, weight)


@device_function_norefcount
def _least_cost(cuts: Cuts, best: Ints, uses: Ints, gate: int, i: int, weight: Ints) -> int:
    """A lower bound of a cut's cost: the costs of its table, its leaves, and the tables of leaves without readers."""
    first, cost = len(uses) - len(cuts.number), int(weight[cuts.table[gate, i]])
    for k in range(INPUTS):
        leaf = cuts.leaves[gate, i, k]
        if leaf >= 0:
            cost += EDGE
            if leaf >= first and uses[leaf] == 0:
                cost += weight[cuts.table[leaf - first, best[leaf - first]]] + EDGE
    return cost


@device_function_norefcount
def _change(cuts: Cuts, best: Ints, uses: Ints, gate: int, step: int, waiting: Ints, weight: Ints) -> int:
    """Add a gate's table to the cover (`step` 1) or remove it (-1), with the tables of leaves that only it reads.

    Return the cost of the tables that are added or removed. `waiting` is scratch space for gates to visit.
    """
    first, depth, cost = len(uses) - len(best), 1, 0
    waiting[0] = gate
    while depth:
        depth -= 1
        seen = waiting[depth]
        cost += weight[cuts.table[seen, best[seen]]]
        for k in range(INPUTS):
            leaf = cuts.leaves[seen, best[seen], k]
            if leaf >= 0:
                cost += EDGE
                before = uses[leaf]
                uses[leaf] = before + step
                if leaf >= first and (before == 0 if step > 0 else before == 1):
                    waiting[depth] = leaf - first
                    depth += 1
    return cost
