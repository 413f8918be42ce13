"""Backup: write the values of a batch to the nodes and edges on its path."""

from __future__ import annotations

from reasoner.kernels import device_function
from reasoner.kernels.memory import put_real, real_at
from reasoner.kernels.scalars import int64
from search.native.layout import JOINT, MAX_DEPTH, TURN, Record, batch_at, edge_at, node_at, step_at
from search.native.leaf import evaluate_leaf
from search.native.proof import backup_proof, outcome_of, value_in
from search.native.selection import add_virtual_loss
from search.native.transpositions import edge_of_role


@device_function
def path_of(thread: Record, batch: int) -> int:
    """Return the address of a batch's path."""
    return thread.path + 16 * MAX_DEPTH * batch


@device_function
def backup(tree: Record, rules: Record, thread: Record, batch: int, best: float) -> None:
    """Back up the values at `thread.back` along the path of a batch, and end its virtual losses.

    If a node on the path has a better, proven edge that the descent did not follow, the outcome of that edge replaces
    the values at `thread.back` above this node. `best` is the best single result of the searching role; only one-player
    games use it.
    """
    path, values = path_of(thread, batch), thread.back
    for at in range(batch_at(thread.batches, batch).length - 1, -1, -1):
        step = step_at(path, at)
        node, taken, passed = int64(step.node), int64(step.edge), int64(step.passed)
        record = node_at(tree.nodes, node)
        if record.kind == JOINT:
            for role in range(tree.roles):
                e = edge_of_role(tree, taken, role)
                if e:
                    _write(tree, e, real_at(values, role))
        else:
            _write(tree, taken, real_at(values, record.role))
            edge = edge_at(tree.edges, taken)
            edge.best = max(edge.best, best)
        add_virtual_loss(tree, node, taken, -1)
        if passed:
            for role in range(tree.roles):
                put_real(values, role, value_in(tree, passed, role))
            best = max(best, real_at(values, rules.searcher))
        record.visits += 1
        record.total += real_at(values, rules.searcher)


@device_function
def _write(tree: Record, e: int, value: float) -> None:
    edge = edge_at(tree.edges, e)
    edge.total += value
    edge.visits += 1


@device_function
def _visit(tree: Record, rules: Record, thread: Record, leaf: int) -> None:
    record = node_at(tree.nodes, leaf)
    record.visits += 1
    record.total += real_at(thread.back, rules.searcher)


@device_function
def finish_batch(tree: Record, rules: Record, thread: Record, batch: int) -> None:
    """Back up a batch whose playouts have all ended; prove its leaf if the values are exact."""
    row = batch_at(thread.batches, batch)
    leaf = row.child
    best, exact = evaluate_leaf(tree, rules, thread, batch)
    if leaf:
        record = node_at(tree.nodes, leaf)
        if exact and not record.proof:
            record.proof = outcome_of(tree, thread.back)
            record.distance = 0 if row.over else 1
        _visit(tree, rules, thread, leaf)
    if leaf and node_at(tree.nodes, leaf).proof:
        _finish_proven(tree, rules, thread, batch, leaf, best)
    else:
        backup(tree, rules, thread, batch, best)
    thread.simulations += 1


@device_function
def _finish_proven(tree: Record, rules: Record, thread: Record, batch: int, leaf: int, best: float) -> None:
    """Back up a proof, and also the values, unless the proof only shows that the last move loses.

    The mover will not play a losing move. If its value were backed up, a position with many losing moves would look bad
    even if another move is good.
    """
    length = batch_at(thread.batches, batch).length
    refuted = not rules.single and _refuted(tree, path_of(thread, batch), length, leaf)
    if refuted:
        thread.refuted += 1
        _withdraw(tree, path_of(thread, batch), length)
    else:
        backup(tree, rules, thread, batch, best)
    backup_proof(tree, rules, thread, path_of(thread, batch), length, leaf)


@device_function
def _refuted(tree: Record, path: int, length: int, leaf: int) -> bool:
    """Whether the last move of a path to a proven leaf gives its mover 0 while the mover's node is not proven."""
    if length == 0:
        return False
    mover = node_at(tree.nodes, int64(step_at(path, length - 1).node))
    if mover.kind != TURN or mover.proof:
        return False
    return value_in(tree, int64(node_at(tree.nodes, leaf).proof), int64(mover.role)) <= 0


@device_function
def _withdraw(tree: Record, path: int, length: int) -> None:
    """Cancel a descent: remove its virtual losses and record no visit."""
    for at in range(length):
        step = step_at(path, at)
        add_virtual_loss(tree, int64(step.node), int64(step.edge), -1)


@device_function
def finish_known(tree: Record, rules: Record, thread: Record, batch: int, leaf: int) -> None:
    """Back up a descent that ended at a proven node or, with `leaf` 0, in a cycle, which has value 0."""
    for role in range(tree.roles):
        put_real(thread.back, role, 0.0 if leaf == 0 else value_in(tree, int64(node_at(tree.nodes, leaf).proof), role))
    if leaf:
        _visit(tree, rules, thread, leaf)
        _finish_proven(tree, rules, thread, batch, leaf, real_at(thread.back, rules.searcher))
    else:
        backup(tree, rules, thread, batch, real_at(thread.back, rules.searcher))
    thread.simulations += 1
