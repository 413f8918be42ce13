"""Evaluation of leaves: by playouts, by a network, or by both.

The network evaluates a new state as soon as its lanes show it, without the tree's lock. The values and the units of the
last layer are stored behind the words of the state, and freed with the node. The priors of the moves are computed from
these units when the node is expanded. If only the network gives the values, the lanes are freed at once.
"""

from __future__ import annotations

from reasoner.arrays import Words
from reasoner.kernels import device_function
from reasoner.kernels.bits import ONE
from reasoner.kernels.memory import put_int, put_long, put_real, real_at
from reasoner.kernels.scalars import int64
from reasoner.lanes.rows import WORDS, lowest_bit
from search.native.layout import CLOSED, Record, batch_at, cell, node_at, tree_of
from search.native.stages import ARRIVED, FINISHED, READ, batch_in, count_in, enter_stage
from search.native.transpositions import find_node, hash_of, words_of
from search.network.evaluate import evaluate, network_at, value_at, work_at

POINTS = 100.0  # the goal that has value 1


@device_function
def state_of(rules: Record, thread: Record, batch: int) -> int:
    """Return the address of the words of the state that a batch reached."""
    return thread.states + 8 * rules.width * batch


@device_function
def evaluate_states(rules: Record, thread: Record, values: Words, first: int) -> None:
    """Evaluate the states of the batches in READ by the network, but not terminal states or states in the tree.

    first: the first place in the queue of READ. If another thread inserts the same state at the same time, one
    evaluation is wasted.
    """
    work, count = work_at(thread.work, 0), 0
    for i in range(first, count_in(thread, READ)):
        batch = batch_in(thread, READ, i)
        words = state_of(rules, thread, batch)
        tree = tree_of(thread, batch)
        known = find_node(tree, words, rules.state_words, hash_of(words, rules.state_words))
        if not known and not batch_at(thread.batches, batch).over:
            put_long(work.asked, count, words)
            count += 1
    evaluate(network_at(rules.network, 0), work, count)
    if network_at(rules.network, 0).weight >= 1:
        _finish_unplayed(thread, values)


@device_function
def _finish_unplayed(thread: Record, values: Words) -> None:
    """Free the lanes of the ARRIVED batches, except batches whose game is over or won."""
    for i in range(count_in(thread, ARRIVED)):
        batch = batch_in(thread, ARRIVED, i)
        row = batch_at(thread.batches, batch)
        if not row.over and not row.won:
            _free_lanes(thread, values, batch)
            thread.running -= row.left
            row.left = 0
            row.unplayed = 1
            enter_stage(thread, FINISHED, batch)
            thread.needs_update = 1


@device_function
def _free_lanes(thread: Record, values: Words, batch: int) -> None:
    mask, hold = (thread.masks + batch) * WORDS, thread.hold * WORDS
    for w in range(WORDS):
        lanes = values[mask + w]
        values[hold + w] |= lanes
        while lanes:
            put_int(thread.free, thread.free_count, 64 * w + int64(lowest_bit(lanes)))
            lanes &= lanes - ONE
            thread.free_count += 1


@device_function
def evaluate_leaf(tree: Record, rules: Record, thread: Record, batch: int) -> tuple[float, bool]:
    """Write the values of a finished batch's leaf to `thread.back`, 0..1 per role.

    Returns the best single result of the searching role, and whether the values are exact, because the game ends at the
    leaf or is won there. If the values are not exact, the network's values, if any, are mixed into the mean of the
    playouts. A win does not count as exact at the start node, or at a node that another descent has expanded: the agent
    has to play a move there, now or later, so an edge must be proven.
    """
    row = batch_at(thread.batches, batch)
    for role in range(tree.roles):
        put_real(thread.back, role, real_at(thread.sums, cell(batch, tree.roles, role)) / (POINTS * row.lanes))
    best = real_at(thread.bests, batch) / POINTS
    closed = row.child != tree.start and (not row.child or node_at(tree.nodes, row.child).kind == CLOSED)
    exact = bool(row.over) or (bool(row.won) and closed and _is_won(tree, thread))
    if rules.network and not exact:
        _mix_in(tree, rules, thread, batch)
        if row.unplayed:
            best = max(best, real_at(thread.back, rules.searcher))
    return best, exact


@device_function
def _mix_in(tree: Record, rules: Record, thread: Record, batch: int) -> None:
    """Mix the network's values of a leaf into `thread.back`."""
    row, network = batch_at(thread.batches, batch), network_at(rules.network, 0)
    words = words_of(tree, row.child) if row.child else state_of(rules, thread, batch)
    weight = 1.0 if row.unplayed else network.weight
    for role in range(tree.roles):
        if role != rules.chance:
            mean = real_at(thread.back, role)
            put_real(thread.back, role, mean + weight * (value_at(network, words, role) - mean))


@device_function
def _is_won(tree: Record, thread: Record) -> bool:
    """Whether all playouts that are being backed up gave the full value to the same role."""
    highest = 0.0
    for role in range(tree.roles):
        highest = max(highest, real_at(thread.back, role))
    return highest >= 1
