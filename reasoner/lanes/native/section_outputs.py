"""Plan the outputs that a section must leave in memory, and the copies that they need.

An output without a fixed row may be in any row, complemented or not. An output with a fixed row must be stored
uncomplemented; its node's table then computes the node in the polarity of the output, at no cost. A copy, a table of
one input, is needed in two cases: two fixed rows need a node in both polarities, or a fixed row needs a leaf.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints
from reasoner.kernels import kernel_norefcount
from reasoner.lanes.native.cuts import NONE
from reasoner.lanes.native.lut_mapping import Cover
from reasoner.lanes.native.targets.selection import IDENTITY, INPUTS
from reasoner.lanes.section_contract import ANYWHERE

FREE = -1
"""Marks a node without a fixed polarity: its table may compute the value or the complement."""

Signs = NDArray[np.int8]


class Outputs(NamedTuple):
    """The outputs of a section, chained by node; N nodes with the copies, K outputs."""

    first: Ints  # [N] a node's first output, or -1
    following: Ints  # [K] the next output of the same node, or -1
    row: Ints  # [K] the fixed row, or ANYWHERE
    after: Ints  # [K] the leaf whose readers must run before the row is written, or -1
    node: Ints  # [K] the stored node; -1 for a leaf, which is in memory already
    flip: Signs  # [N] 1: the complement is stored; 0: the value itself; FREE


def outputs(cover: Cover, literals: Ints, rows: Ints, after: Ints) -> tuple[Cover, Outputs]:
    """The cover with the copies that the outputs need, and the outputs.

    # literals, rows, after: [K] the network's literal of each output, and its `row` and `after` as in `Outputs`
    """
    gates, count = len(cover.table), len(literals)
    inputs = np.concatenate([cover.inputs, np.full((count, INPUTS), NONE, np.int32)])
    table = np.concatenate([cover.table, np.full(count, IDENTITY[0], np.int16)])
    uses = np.concatenate([cover.uses, np.zeros(count, np.int32)])
    stored = Outputs(
        first=np.full(len(uses), -1, np.int32),
        following=np.full(count, -1, np.int32),
        row=rows,
        after=after,
        flip=np.full(len(uses), FREE, np.int8),
        node=np.full(count, -1, np.int32),
    )
    grown = Cover(cover.first, inputs, table, uses)
    end = _chain_outputs(grown, stored, literals, gates)
    return Cover(cover.first, inputs[:end], table[:end], uses[: cover.first + end]), stored


@kernel_norefcount
def _chain_outputs(cover: Cover, stored: Outputs, literals: Ints, end: int) -> int:
    """Fill `stored`, and append the copies as tables from number `end` on; return the new end."""
    for k in range(len(literals)):
        node, sign = literals[k] >> 1, literals[k] & 1
        if stored.row[k] == ANYWHERE and node < cover.first:
            continue
        if stored.row[k] != ANYWHERE:
            if node < cover.first or stored.flip[node] == 1 - sign:
                cover.inputs[end, 0] = node
                cover.uses[node] += 1
                node = cover.first + end
                cover.uses[node] = 1
                end += 1
            stored.flip[node] = sign
        stored.node[k] = node
        stored.following[k], stored.first[node] = stored.first[node], k
    return end
