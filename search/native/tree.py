"""Memory of the native tree: allocation, growth and bit packing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Bools, Bytes, Floats, Ints, Longs, Words
from reasoner.kernels.memory import address
from search.native.layout import EDGE, JOINT_EDGES, NODE, OUTCOMES, TREE, Records
from search.native.transpositions import crowded, spread

MIB = 1 << 20
MIN_NODES = 16
MAX_NODES = 1 << 27
OPENED_SHARE = 0.3
"""Expected share of nodes with edges; measurements on board games gave 0.1 to 0.3."""
MIN_EDGES_PER_NODE = 2.0
"""Minimum number of edges per node."""


INITIAL_PLACES = 1 << 12
"""Initial number of places of a table."""
PLACES_GROWTH = 8
"""Factor by which a crowded table of few places grows."""
FEW_PLACES = 1 << 18
"""A table of at least so many places doubles: it is cleared and filled anew, and a larger step would delay a move."""
FEW_JOINT_EDGES_PER_NODE = 0.125
"""Joint edges per node if only one role seems to choose at a time."""


class Tree:
    """An empty tree of at most `max_nodes` nodes (0: unlimited) and `memory_mib` MiB.

    `width` is the number of words per node (state, legal moves, network output); `branching` is the estimated number
    of edges per node; `joint` tells whether several roles seem to choose at once; `priors` whether edges have priors;
    `record` is the [1] TREE record to fill in, by default a new one.
    The system provides memory only when it is first written.
    """

    def __init__(
        self,
        width: int,
        roles: int,
        joint: bool,
        branching: int,
        max_nodes: int,
        memory_mib: int,
        priors: bool = False,
        record: Records | None = None,
    ) -> None:
        per_edge = max(OPENED_SHARE * branching, MIN_EDGES_PER_NODE)
        per_node = 1.0 if joint else FEW_JOINT_EDGES_PER_NODE
        size = NODE.itemsize + 8 * width + 4 + 2 * 16 + (EDGE.itemsize + 4 * priors) * per_edge
        size += per_node * (4 * (JOINT_EDGES + roles) + 2 * 8)
        nodes = min(int(memory_mib * MIB / size), MAX_NODES)
        nodes = max(min(nodes, max_nodes) if max_nodes else nodes, MIN_NODES) + 1
        joint_edges = int(nodes * per_node) + 64
        self.nodes: Records = np.zeros(nodes, NODE)
        self.words: Words = np.zeros((nodes, width), np.uint64)
        self.edges: Records = np.zeros(int(nodes * per_edge) + 4 * branching + 64, EDGE)
        self.priors = np.zeros(len(self.edges) if priors else 0, np.float32)
        self.joint_edges: Ints = np.zeros((joint_edges, JOINT_EDGES + roles), np.int32)
        self.outcomes: Floats = np.zeros((OUTCOMES, roles))
        self._opened: Ints = np.zeros(nodes, np.int32)
        self._table: Words = np.zeros(_power(2 * nodes), np.uint64)
        self._joint_table: Ints = np.zeros(_power(2 * joint_edges), np.int32)
        self._outcome_table: Ints = np.zeros(2 * OUTCOMES, np.int32)
        self.record = np.zeros(1, TREE) if record is None else record  # the record for the kernels
        self._lock = np.zeros(1, np.int64)
        self._describe(width, roles)

    def _describe(self, width: int, roles: int) -> None:
        record = self.record[0]
        for name in ("nodes", "words", "edges", "joint_edges", "outcomes"):
            record[name] = address(getattr(self, name))
        for name in ("opened", "table", "joint_table", "outcome_table", "lock"):
            record[name] = address(getattr(self, f"_{name}"))
        record["width"], record["roles"] = width, roles
        record["priors"] = address(self.priors) if len(self.priors) else 0
        for name in ("nodes", "edges", "joint_edges"):
            record[f"max_{name}"] = len(getattr(self, name))
        record["table_mask"] = min(len(self._table), INITIAL_PLACES) - 1
        record["joint_mask"] = min(len(self._joint_table), INITIAL_PLACES) - 1
        record["outcome_mask"] = len(self._outcome_table) - 1
        record["outcome_count"] = 1
        self._begin()

    def _begin(self) -> None:
        for name in ("node_count", "edge_count", "joint_count"):
            self.record[0][name] = 1
        self.record[0]["opened_count"] = self.record[0]["start"] = self.record[0]["full"] = 0

    def clear(self) -> None:
        """Remove all nodes; the distinct outcomes stay. No descent may be pending."""
        self._table[: int(self.record[0]["table_mask"]) + 1] = 0
        self._joint_table[: int(self.record[0]["joint_mask"]) + 1] = 0
        self._begin()

    def grow(self) -> bool:
        """Grow a crowded table; False if no table is crowded.

        Tables start small, because the first use of a place costs a page of memory.
        """
        record, grown = self.record[0], False
        for name, mask, table, entries in (
            ("node_count", "table_mask", self._table, self.nodes),
            ("joint_count", "joint_mask", self._joint_table, self.joint_edges),
        ):
            if crowded(int(record[name]), int(record[mask])) and record[mask] + 1 < len(table):
                places = int(record[mask]) + 1
                places *= PLACES_GROWTH if places < FEW_PLACES else 2
                record[mask] = min(places, len(table)) - 1
                grown = grown or record[name] < len(entries)
        if grown:
            self._table[: int(record["table_mask"]) + 1] = 0
            self._joint_table[: int(record["joint_mask"]) + 1] = 0
            spread(self.record)
            record["full"] = 0
        return grown

    @property
    def bytes(self) -> int:
        """Bytes of the states, edges and joint edges in use; memory that was never written does not count."""
        node = NODE.itemsize + self.words[0].nbytes + self._opened.itemsize + 2 * self._table.itemsize
        joint_edge = self.joint_edges[0].nbytes + 2 * self._joint_table.itemsize
        edges = self.count("edge_count") * (EDGE.itemsize + (4 if len(self.priors) else 0))
        return int(self.count("node_count") * node + edges + self.count("joint_count") * joint_edge)

    def count(self, name: str) -> int:
        """Return one field of the record."""
        return int(self.record[0][name])


def _power(least: int) -> int:
    return 1 << (least - 1).bit_length()


def words_for(bits: int) -> int:
    """Return the number of 64-bit words for `bits` bits, at least one."""
    return max(1, -(-bits // 64))


def pack(bits: Sequence[int] | Bytes | Bools) -> Words:
    """Pack bits into 64-bit words, the first bit lowest.  # [words_for(len(bits))] uint64."""
    padded = np.zeros(64 * words_for(len(bits)), np.uint8)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)


def numbers(words: Words) -> Longs:
    """Return the numbers of the set bits."""
    return np.flatnonzero(np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little"))
