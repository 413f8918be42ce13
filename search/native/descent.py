"""Descent from the start node to a leaf, recorded as a batch, and expansion of nodes on the path.

A node gets edges at its second descent: one per legal move of each role that has a choice. If one role chooses and
playouts prefer captures (`reasoner.lanes.tactics`), the edges of captures are tried first, and the other edges wait.
"""

from __future__ import annotations

import numpy as np

from reasoner.kernels import device_function
from reasoner.kernels.bits import ALL, ONE
from reasoner.kernels.memory import float_at, int_at, put_float, put_int, word_at
from reasoner.kernels.scalars import int32, int64, uint64
from reasoner.lanes.rows import lowest_bit, popcount
from search.native.backup import path_of
from search.native.layout import (
    CHANCE,
    CLOSED,
    FORCED,
    JOINT,
    JOINT_CHILD,
    MAX_DEPTH,
    OVER,
    TURN,
    Record,
    batch_at,
    cell,
    edge_at,
    node_at,
    step_at,
)
from search.native.selection import add_virtual_loss, draw_below, end_of_role, select
from search.native.transpositions import edge_of_role, joint_edge_at, words_of
from search.network.evaluate import logit_at, network_at

WAITS = -1.0
"""Initial value of `best` of an edge that waits for the captures."""


@device_function
def legal_word(tree: Record, rules: Record, node: int, role: int, index: int) -> int:
    """Return word `index` of the legal moves of a node, restricted to one role."""
    word = word_at(words_of(tree, node), rules.state_words + index)
    start, end = int_at(rules.role_start, role) - 64 * index, int_at(rules.role_start, role + 1) - 64 * index
    if start > 0:
        word &= ALL << uint64(start)
    if end < 64:
        word &= (ONE << uint64(end)) - ONE
    return word


@device_function
def first_word(rules: Record, role: int) -> int:
    """Return the index of the first word of a role's legal moves."""
    return int_at(rules.role_start, role) >> 6


@device_function
def end_word(rules: Record, role: int) -> int:
    """Return the index after the last word of a role's legal moves."""
    return (int_at(rules.role_start, role + 1) + 63) >> 6


@device_function
def choices(tree: Record, rules: Record, node: int, role: int) -> int:
    """Count the legal moves of a role in a node."""
    count = 0
    for index in range(first_word(rules, role), end_word(rules, role)):
        count += int64(popcount(legal_word(tree, rules, node, role, index)))
    return count


@device_function
def open_node(tree: Record, rules: Record, thread: Record, node: int) -> bool:
    """Set the kind of a node and create its edges; False if memory is full. Each role must have a legal move."""
    record, first = node_at(tree.nodes, node), tree.edge_count
    count, choosing, chooser = 0, 0, 0
    for role in range(tree.roles):
        own = choices(tree, rules, node, role)
        if own > 1:
            count += own
            choosing += 1
            chooser = role
    if first + max(count, 1) > tree.max_edges or tree.opened_count >= tree.max_nodes:
        tree.full = 1
        return False
    end = first
    for role in range(tree.roles):
        if choices(tree, rules, node, role) > 1 or (choosing == 0 and role == 0):
            end = _add(tree, rules, thread, node, role, end)
    record.first = first
    record.count = end - first
    record.kind = FORCED if choosing == 0 else TURN if choosing == 1 else JOINT
    record.role = rules.searcher
    if choosing == 1 and chooser == rules.chance:
        record.kind = CHANCE
    elif choosing == 1:
        record.role = chooser
        if rules.captures:
            _put_captures_first(tree, rules, node, first, end)
    tree.edge_count = end
    put_int(tree.opened, tree.opened_count, node)
    tree.opened_count += 1
    if tree.priors:
        _give_priors(tree, rules, node)
    return True


@device_function
def _put_captures_first(tree: Record, rules: Record, node: int, first: int, end: int) -> None:
    """Move the edges of captures to the front; the other edges wait for them."""
    front = first
    for at in range(first, end):
        move = int64(edge_at(tree.edges, at).move)
        if _captures(tree, rules, node, move):
            edge_at(tree.edges, at).move = edge_at(tree.edges, front).move
            edge_at(tree.edges, front).move = move
            front += 1
    if front > first:
        for at in range(front, end):
            edge_at(tree.edges, at).best = WAITS


@device_function
def _captures(tree: Record, rules: Record, node: int, move: int) -> bool:
    """Whether a move captures a piece in the state of a node."""
    words = words_of(tree, node)
    for i in range(int_at(rules.captures, move), int_at(rules.captures, move + 1)):
        base = int_at(rules.captured, i)
        if (word_at(words, base >> 6) >> uint64(base & 63)) & ONE:
            return True
    return False


@device_function
def _add(tree: Record, rules: Record, thread: Record, node: int, role: int, first: int) -> int:
    """Append the edges of one role in random order, from index `first` on; return the new end of the edges."""
    at = first
    for index in range(first_word(rules, role), end_word(rules, role)):
        word = legal_word(tree, rules, node, role, index)
        while word:
            move = 64 * index + int64(lowest_bit(word))
            word &= word - ONE
            edge = edge_at(tree.edges, at)
            edge.total = 0.0
            edge.best = 0.0
            edge.child = edge.visits = edge.proof = 0
            edge.pending_visits = edge.distance = 0
            # put the new move at a random place among the role's edges, and move the edge there to the end
            other = edge_at(tree.edges, first + draw_below(thread, at + 1 - first))
            edge.move = other.move
            other.move = move
            at += 1
    return at


@device_function
def _give_priors(tree: Record, rules: Record, node: int) -> None:
    """Write the priors of a node's edges: the softmax of the network's logits, per role."""
    record = node_at(tree.nodes, node)
    first, end = int64(record.first), int64(record.first) + record.count
    while first < end:
        after = end_of_role(tree, rules, first, end)
        _softmax(tree, rules, words_of(tree, node), first, after)
        first = after


@device_function
def _softmax(tree: Record, rules: Record, words: int, first: int, end: int) -> None:
    network, highest, total = network_at(rules.network, 0), -np.inf, 0.0
    for e in range(first, end):
        logit = logit_at(network, words, int64(edge_at(tree.edges, e).move))
        put_float(tree.priors, e, np.float32(logit))
        highest = max(highest, logit)
    for e in range(first, end):
        raised = np.exp(np.float64(float_at(tree.priors, e)) - highest)
        put_float(tree.priors, e, np.float32(raised))
        total += raised
    for e in range(first, end):
        put_float(tree.priors, e, np.float32(float_at(tree.priors, e) / total))


# Results of a descent.
NEW_STATE = 0  # an edge without a child node
THIS_NODE = 1  # a node whose state is to be played out
PROVEN = 2  # a proven node
CYCLE = 3  # a cycle in a one-player game: a node already on the path


@device_function
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
            return PROVEN
        if record.mark == mark:
            return CYCLE if rules.single else THIS_NODE
        if record.kind == OVER or row.length == MAX_DEPTH:
            return THIS_NODE
        if record.kind == CLOSED and not open_node(tree, rules, thread, node):
            return THIS_NODE
        record.mark = mark
        taken, passed = select(tree, rules, thread, node)
        if not taken:
            return THIS_NODE
        step = step_at(path, row.length)
        step.node = node
        step.edge = taken
        step.passed = passed
        row.length += 1
        add_virtual_loss(tree, node, taken, 1)
        node = child_of(tree, node, taken)
        if not node:
            row.edge, row.child = taken, 0
            return NEW_STATE


@device_function
def child_of(tree: Record, node: int, taken: int) -> int:
    """Return the child node of an edge or, in a JOINT node, of a joint edge; 0 if none is known."""
    if node_at(tree.nodes, node).kind == JOINT:
        return int_at(joint_edge_at(tree, taken), JOINT_CHILD)
    return int64(edge_at(tree.edges, taken).child)


@device_function
def set_child(tree: Record, node: int, taken: int, child: int) -> None:
    """Set the child node of an edge or, in a JOINT node, of a joint edge."""
    if node_at(tree.nodes, node).kind == JOINT:
        put_int(joint_edge_at(tree, taken), JOINT_CHILD, child)
    else:
        edge_at(tree.edges, taken).child = child


@device_function
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
