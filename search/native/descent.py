"""Descent from the start node to a leaf, which becomes a batch."""

from __future__ import annotations

from reasoner.kernels import subkernel
from reasoner.kernels.memory import int_at, put_int
from reasoner.kernels.scalars import int32, int64
from search.native.backup import path_of
from search.native.expansion import open_node
from search.native.layout import (
    CLOSED,
    FORCED,
    JOINT,
    JOINT_CHILD,
    MAX_DEPTH,
    OVER,
    Record,
    batch_at,
    cell,
    edge_at,
    node_at,
    step_at,
)
from search.native.selection import add_virtual_loss, select
from search.native.transpositions import edge_of_role, joint_edge_at

# Results of a descent.
LEAF = 0  # an edge without a child node
HERE = 1  # a node whose state is to be played out
KNOWN = 2  # a proven node
CIRCLE = 3  # a cycle in a one-player game: a node already on the path


@subkernel
def descend(tree: Record, rules: Record, thread: Record, batch: int, start: int) -> int:
    """Descend from `start`, record the path and its end in `batch`, and return how the descent ended."""
    tree.descents += 1
    row, path = batch_at(thread.batches, batch), path_of(thread, batch)
    row.length = row.edge = 0
    mark, node = int32(tree.descents & 0x7FFFFFFF), start
    while True:
        row.origin = row.child = node
        record = node_at(tree.nodes, node)
        if record.proof:
            return KNOWN
        if record.mark == mark:
            return CIRCLE if rules.single else HERE
        if record.kind == OVER or row.length == MAX_DEPTH:
            return HERE
        if record.kind == CLOSED and not open_node(tree, rules, thread, node):
            return HERE
        record.mark = mark
        taken, passed = select(tree, rules, thread, node)
        if not taken:
            return HERE
        step = step_at(path, row.length)
        step.node = node
        step.edge = taken
        step.passed = passed
        row.length += 1
        add_virtual_loss(tree, node, taken, 1)
        node = child_of(tree, node, taken)
        if not node:
            row.edge, row.child = taken, 0
            return LEAF


@subkernel
def child_of(tree: Record, node: int, taken: int) -> int:
    """Return the child node of an edge or, in a JOINT node, of a joint edge; 0 if none is known."""
    if node_at(tree.nodes, node).kind == JOINT:
        return int_at(joint_edge_at(tree, taken), JOINT_CHILD)
    return int64(edge_at(tree.edges, taken).child)


@subkernel
def set_child(tree: Record, node: int, taken: int, child: int) -> None:
    """Set the child node of an edge or, in a JOINT node, of a joint edge."""
    if node_at(tree.nodes, node).kind == JOINT:
        put_int(joint_edge_at(tree, taken), JOINT_CHILD, child)
    else:
        edge_at(tree.edges, taken).child = child


@subkernel
def force_moves(tree: Record, rules: Record, thread: Record, batch: int) -> None:
    """Record the first moves of a batch that leaves its node by an edge; roles without a choice need none."""
    row = batch_at(thread.batches, batch)
    for role in range(tree.roles):
        put_int(thread.forced, cell(batch, tree.roles, role), -1)
    if not row.edge:
        return
    kind = node_at(tree.nodes, row.origin).kind
    if kind == JOINT:
        for role in range(tree.roles):
            e = edge_of_role(tree, row.edge, role)
            if e:
                put_int(thread.forced, cell(batch, tree.roles, role), edge_at(tree.edges, e).move)
    elif kind != FORCED:
        move = edge_at(tree.edges, row.edge).move
        put_int(thread.forced, cell(batch, tree.roles, int_at(rules.role_of, move)), move)
