"""Descent from the start node to a leaf, which becomes a batch."""

from __future__ import annotations

from reasoner.kernels import subkernel
from reasoner.kernels.memory import int_at, put_int
from reasoner.kernels.scalars import int32, int64
from search.native.backup import path_of
from search.native.expansion import open_node
from search.native.joint import select_joint
from search.native.layout import CHANCE, CLOSED, DEEPEST, FORCED, JOINT, LINK_CHILD, OVER, Record, cell
from search.native.memory import batch_at, edge_at, node_at, step_at
from search.native.network_policy import select_by_prior
from search.native.selection import add_virtual_loss, draw_below, select_edge, share_explored, weight_of
from search.native.transpositions import edge_of_link, link_at

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
    row.length = row.link = 0
    mark, node = int32(tree.descents & 0x7FFFFFFF), start
    while True:
        row.origin = row.child = node
        record = node_at(tree.nodes, node)
        if record.proof:
            return KNOWN
        if record.mark == mark:
            return CIRCLE if rules.single else HERE
        if record.kind == OVER or row.length == DEEPEST:
            return HERE
        if record.kind == CLOSED and not open_node(tree, rules, thread, node):
            return HERE
        record.mark = mark
        link, passed = choose_link(tree, rules, thread, node)
        if not link:
            return HERE
        step = step_at(path, row.length)
        step.node = node
        step.link = link
        step.passed = passed
        row.length += 1
        add_virtual_loss(tree, node, link, 1)
        node = child_of(tree, node, link)
        if not node:
            row.link, row.child = link, 0
            return LEAF


@subkernel
def child_of(tree: Record, node: int, link: int) -> int:
    """Return the child node of an edge or, in a JOINT node, of a link; 0 if none is known."""
    if node_at(tree.nodes, node).kind == JOINT:
        return int_at(link_at(tree, link), LINK_CHILD)
    return int64(edge_at(tree.edges, link).child)


@subkernel
def set_child(tree: Record, node: int, link: int, child: int) -> None:
    """Set the child node of an edge or, in a JOINT node, of a link."""
    if node_at(tree.nodes, node).kind == JOINT:
        put_int(link_at(tree, link), LINK_CHILD, child)
    else:
        edge_at(tree.edges, link).child = child


@subkernel
def choose_link(tree: Record, rules: Record, thread: Record, node: int) -> tuple[int, int]:
    """Return the edge (JOINT: the link) to follow, and the proven outcome passed over for it; 0, 0: no room."""
    record, none = node_at(tree.nodes, node), int64(0)
    first = int64(record.first)
    if record.kind == FORCED:
        return first, none
    if record.kind == CHANCE:
        return first + draw_below(thread, int64(record.count)), none
    if tree.priors and record.kind != JOINT:
        return select_by_prior(tree, rules, node)
    weight = weight_of(int64(record.visits) + record.flight, rules.exploration)
    if record.kind == JOINT:
        return select_joint(tree, rules, thread, node, weight), none
    if rules.captures and not rules.single:
        weight *= share_explored(int64(record.count))
    return select_edge(tree, rules, node, weight)


@subkernel
def force_moves(tree: Record, rules: Record, thread: Record, batch: int) -> None:
    """Record the first moves of a batch that leaves its node by a link; roles without a choice need none."""
    row = batch_at(thread.batches, batch)
    for role in range(tree.roles):
        put_int(thread.forced, cell(batch, tree.roles, role), -1)
    if not row.link:
        return
    kind = node_at(tree.nodes, row.origin).kind
    if kind == JOINT:
        for role in range(tree.roles):
            e = edge_of_link(tree, row.link, role)
            if e:
                put_int(thread.forced, cell(batch, tree.roles, role), edge_at(tree.edges, e).move)
    elif kind != FORCED:
        move = edge_at(tree.edges, row.link).move
        put_int(thread.forced, cell(batch, tree.roles, int_at(rules.role_of, move)), move)
