"""Recycling: free the least useful nodes in place.

Nodes unreachable from the root are freed first, then the least visited nodes, until at most half of the memory is in
use. Statistics and proofs on the edges to freed nodes stay. No descent may be pending. A walk over the whole tree costs
some hundred nanoseconds per node; freeing all nodes but the root costs a tenth of that.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints, Longs
from reasoner.kernels import device_function, kernel
from reasoner.kernels.memory import float_at, int_at, put_float, put_int, put_word, word_at
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.rows import LANES
from search.native.backup import path_of
from search.native.layout import (
    JOINT,
    JOINT_CHILD,
    JOINT_EDGES,
    JOINT_NODE,
    JOINT_PROOF,
    Record,
    Records,
    batch_at,
    edge_at,
    node_at,
    step_at,
    tree_of,
)
from search.native.selection import add_virtual_loss
from search.native.stages import IDLE
from search.native.transpositions import joint_edge_at, spread, words_of

NODE_WORDS = 6
EDGE_WORDS = 4
"""Number of 64-bit words of a NODE and of an EDGE."""
BUCKETS = 1 << 16
"""Number of visit counts that are distinguished when nodes are freed; all higher counts are treated alike."""


@kernel
def cancel_batches(threads: Records) -> None:
    """Cancel the pending descents of all batches in use. The caller must drop the batches."""
    thread = threads[0]
    for batch in range(LANES):
        if batch_at(thread.batches, batch).stage != IDLE:
            for at in range(batch_at(thread.batches, batch).length):
                step = step_at(path_of(thread, batch), at)
                add_virtual_loss(tree_of(thread, batch), int64(step.node), int64(step.edge), -1)


@kernel
def recycle(trees: Records, root: int, start: int, keep_nodes: int, keep_edges: int) -> tuple[int, int]:
    """Free nodes down to `keep_nodes` nodes with `keep_edges` edges; return the new numbers of root and start.

    Root and start always stay, even if they exceed the limits. `start` is the node at which descents begin.
    """
    tree = trees[0]
    places = np.zeros(tree.node_count, np.int32)
    if keep_nodes > 0:
        joint_edges, starts = _joint_edges_by_node(tree)
        _reach(tree, root, start, joint_edges, starts, places, 0)
        least = _threshold(tree, root, places, keep_nodes, keep_edges)
        places[:] = 0
        _reach(tree, root, start, joint_edges, starts, places, least)
    places[root] = places[start] = 1
    count = 1
    for node in range(1, len(places)):
        if places[node]:
            places[node] = count
            count += 1
    edges = _move_edges(tree, places)
    _move_nodes(tree, places)
    tree.node_count = count
    _move_joint_edges(tree, places, edges)
    for i in range(tree.joint_mask + 1):
        put_int(tree.joint_table, i, 0)
    for i in range(tree.table_mask + 1):
        put_word(tree.table, i, uint64(0))
    tree.full = 0
    spread(trees)
    return int64(places[root]), int64(places[start])


@device_function
def _reach(tree: Record, root: int, start: int, joint_edges: Ints, starts: Longs, reached: Ints, least: int) -> None:
    """Set `reached` to 1 for the nodes reachable from root or start through nodes of at least `least` visits."""
    stack, height = np.zeros(len(reached) + 1, np.int32), 2
    stack[0], stack[1] = root, start
    reached[root] = reached[start] = 1
    while height:
        height -= 1
        node = int64(stack[height])
        record = node_at(tree.nodes, node)
        if record.kind == JOINT:
            if len(joint_edges):
                for i in range(starts[node], starts[node + 1]):
                    child = int_at(joint_edge_at(tree, int64(joint_edges[i])), JOINT_CHILD)
                    height = _visit(tree, child, reached, least, stack, height)
        else:
            first = int64(record.first)
            for e in range(first, first + record.count):
                height = _visit(tree, int64(edge_at(tree.edges, e).child), reached, least, stack, height)


@device_function
def _visit(tree: Record, child: int, reached: Ints, least: int, stack: Ints, height: int) -> int:
    if child and not reached[child] and node_at(tree.nodes, child).visits >= least:
        reached[child] = 1
        stack[height] = child
        return height + 1
    return height


@device_function
def _joint_edges_by_node(tree: Record) -> tuple[Ints, Longs]:
    """Return the joint edges sorted by node, and the start of each node's joint edges; both empty if there are none."""
    used = tree.joint_count
    starts = np.zeros(tree.node_count + 1 if used > 1 else 0, np.int64)
    joint_edges = np.zeros(used - 1, np.int32)
    if used > 1:
        for joint_edge in range(1, used):
            starts[int_at(joint_edge_at(tree, joint_edge), JOINT_NODE) + 1] += 1
        for node in range(1, len(starts)):
            starts[node] += starts[node - 1]
        place = starts.copy()
        for joint_edge in range(1, used):
            node = int_at(joint_edge_at(tree, joint_edge), JOINT_NODE)
            joint_edges[place[node]] = joint_edge
            place[node] += 1
    return joint_edges, starts


@device_function
def _threshold(tree: Record, root: int, reached: Ints, keep_nodes: int, keep_edges: int) -> int:
    """Return the number of visits that a node needs to stay, so that the nodes that stay fit into the limits."""
    nodes, edges = np.zeros(BUCKETS, np.int64), np.zeros(BUCKETS, np.int64)
    for node in range(1, len(reached)):
        if reached[node] and node != root:
            record = node_at(tree.nodes, node)
            bucket = min(record.visits, BUCKETS - 1)
            nodes[bucket] += 1
            edges[bucket] += record.count
    left_nodes, left_edges = keep_nodes - 1, keep_edges - node_at(tree.nodes, root).count
    for bucket in range(BUCKETS - 1, -1, -1):
        left_nodes -= nodes[bucket]
        left_edges -= edges[bucket]
        if left_nodes < 0 or left_edges < 0:
            return bucket + 1 if bucket < BUCKETS - 1 else 2**31 - 1
    return 0


@device_function
def _move_edges(tree: Record, places: Ints) -> Ints:
    """Compact the edges; if there are joint edges, return the new place of each edge, 0: freed."""
    moved = np.zeros(tree.edge_count if tree.joint_count > 1 else 0, np.int32)
    end, opened = 1, 0
    for i in range(tree.opened_count):
        node = int_at(tree.opened, i)
        if not places[node]:
            continue
        record = node_at(tree.nodes, node)
        first = int64(record.first)
        for e in range(first, first + record.count):
            for word in range(EDGE_WORDS):
                put_word(tree.edges, EDGE_WORDS * end + word, word_at(tree.edges, EDGE_WORDS * e + word))
            edge = edge_at(tree.edges, end)
            edge.child = places[edge.child]
            if tree.priors:
                put_float(tree.priors, end, float_at(tree.priors, e))
            if len(moved):
                moved[e] = end
            end += 1
        record.first = end - record.count
        put_int(tree.opened, opened, places[node])
        opened += 1
    tree.edge_count = end
    tree.opened_count = opened
    return moved


@device_function
def _move_nodes(tree: Record, places: Ints) -> None:
    """Compact the nodes."""
    for node in range(1, len(places)):
        place = int64(places[node])
        if place:
            for word in range(NODE_WORDS):
                put_word(tree.nodes, NODE_WORDS * place + word, word_at(tree.nodes, NODE_WORDS * node + word))
            old, new = words_of(tree, node), words_of(tree, place)
            for i in range(tree.width):
                put_word(new, i, word_at(old, i))


@device_function
def _move_joint_edges(tree: Record, places: Ints, edges: Ints) -> None:
    """Compact the joint edges; one stays if its node stays, and if its child stays or it is proven (`settled`)."""
    count = 1
    for joint_edge in range(1, tree.joint_count):
        row, new = joint_edge_at(tree, joint_edge), joint_edge_at(tree, count)
        node, child = int64(places[int_at(row, JOINT_NODE)]), int64(places[int_at(row, JOINT_CHILD)])
        if not node or not (child or int_at(row, JOINT_PROOF)):
            continue
        for column in range(JOINT_PROOF, JOINT_EDGES + tree.roles):
            value = int_at(row, column)
            put_int(new, column, edges[value] if column >= JOINT_EDGES else value)
        put_int(new, JOINT_NODE, node)
        put_int(new, JOINT_CHILD, child)
        count += 1
    tree.joint_count = count
