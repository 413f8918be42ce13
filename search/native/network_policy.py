"""Network evaluation in the tree: values of new states and leaves, and priors of moves.

A new state gets its values and the units of the network's last layer when it becomes visible, without the tree's lock.
They are stored behind its words and freed with the node. The priors of its moves are computed from the units when the
node is expanded. Where the network alone gives the leaf values, lanes are freed as soon as the state is visible.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Words
from reasoner.kernels import subkernel
from reasoner.kernels.bits import ONE
from reasoner.kernels.memory import float_at, int_at, put_float, put_int, put_long, put_real, real_at
from reasoner.kernels.scalars import int64
from reasoner.lanes.rows import WORDS, lowest_bit
from search.native.layout import Record, cell
from search.native.memory import batch_at, edge_at, node_at
from search.native.selection import LOSS, role_of_edge
from search.native.transpositions import find_node, hash_of, words_of
from search.network.evaluate import evaluate, logit_at, network_at, value_at, work_at


@subkernel
def found_at(rules: Record, thread: Record, batch: int) -> int:
    """Return the address of the words of the state that a batch reached."""
    return thread.found + 8 * rules.width * batch


@subkernel
def ask_network(tree: Record, rules: Record, thread: Record, first: int) -> None:
    """Evaluate the new states from `first` on, except terminal states and states in the tree.

    Another thread may insert the same state at this moment; then one evaluation is wasted.
    """
    work, count = work_at(thread.work, 0), 0
    for i in range(first, thread.news_count):
        batch = int_at(thread.news, i)
        words = found_at(rules, thread, batch)
        known = find_node(tree, words, rules.state_words, hash_of(words, rules.state_words))
        if not known and not batch_at(thread.batches, batch).over:
            put_long(work.asked, count, words)
            count += 1
    evaluate(network_at(rules.network, 0), work, count)


@subkernel
def finish_unplayed(thread: Record, values: Words) -> None:
    """Free the lanes of batches whose state is known, unless the game is over or won there."""
    for i in range(thread.arrived_count):
        batch = int_at(thread.arrived, i)
        row = batch_at(thread.batches, batch)
        if row.sweep == thread.sweep_now - 1 and not row.over and not row.won:
            _free_lanes(thread, values, batch)
            thread.running -= row.left
            row.left = 0
            row.unplayed = 1
            put_int(thread.finished, thread.finished_count, batch)
            thread.finished_count += 1
            thread.due = 1


@subkernel
def _free_lanes(thread: Record, values: Words, batch: int) -> None:
    mask, hold = (thread.masks + batch) * WORDS, thread.hold * WORDS
    for w in range(WORDS):
        lanes = values[mask + w]
        values[hold + w] |= lanes
        while lanes:
            put_int(thread.free, thread.free_count, 64 * w + int64(lowest_bit(lanes)))
            lanes &= lanes - ONE
            thread.free_count += 1


@subkernel
def mix_in(tree: Record, rules: Record, thread: Record, batch: int) -> float:
    """Mix the network's values of a leaf into `thread.back`; return the searcher's value if unplayed, else 0."""
    row, network = batch_at(thread.batches, batch), network_at(rules.network, 0)
    words = words_of(tree, row.child) if row.child else found_at(rules, thread, batch)
    weight = 1.0 if row.unplayed else network.weight
    for role in range(tree.roles):
        if role != rules.chance:
            seen = real_at(thread.back, role)
            put_real(thread.back, role, seen + weight * (value_at(network, words, role) - seen))
    return real_at(thread.back, rules.searcher) if row.unplayed else 0.0


@subkernel
def give_priors(tree: Record, rules: Record, node: int) -> None:
    """Write the priors of a node's edges: the softmax of the logits, per role."""
    record = node_at(tree.nodes, node)
    first, end = int64(record.first), int64(record.first) + record.count
    while first < end:
        role = role_of_edge(tree, rules, first)
        after = first + 1
        while after < end and role_of_edge(tree, rules, after) == role:
            after += 1
        _softmax(tree, rules, words_of(tree, node), first, after)
        first = after


@subkernel
def _softmax(tree: Record, rules: Record, words: int, first: int, end: int) -> None:
    network, highest, total = network_at(rules.network, 0), -np.inf, 0.0
    for e in range(first, end):
        logit = logit_at(network, words, int64(edge_at(tree.edges, e).move))
        put_float(tree.priors, e, np.float32(logit))
        highest = max(highest, logit)
    for e in range(first, end):
        share = np.exp(np.float64(float_at(tree.priors, e)) - highest)
        put_float(tree.priors, e, np.float32(share))
        total += share
    for e in range(first, end):
        put_float(tree.priors, e, np.float32(float_at(tree.priors, e) / total))


@subkernel
def fpu_value(tree: Record, rules: Record, node: int, first: int, end: int, role: int) -> float:
    """First-play value of an unvisited move of `role`: the value of its node less the FPU reduction."""
    network = network_at(rules.network, 0)
    total, visits, seen = value_at(network, words_of(tree, node), role), 1.0, 0.0
    for e in range(first, end):
        edge = edge_at(tree.edges, e)
        if edge.visits:
            total += edge.total
            visits += edge.visits
            seen += np.float64(float_at(tree.priors, e))
    return total / visits - network.fpu_reduction * np.sqrt(seen)


@subkernel
def prior_weight(rules: Record, visits: int) -> float:
    """Factor of the priors in `prior_score`, for a node with this many visits."""
    return network_at(rules.network, 0).prior * np.sqrt(max(visits, 1.0))


@subkernel
def prior_score(tree: Record, rules: Record, e: int, fpu: float, weight: float) -> float:
    """PUCT score of an unproven edge (Silver et al. 2017)."""
    edge = edge_at(tree.edges, e)
    tries = int64(edge.visits) + edge.flight
    value = fpu
    if tries:
        value = edge.total / (edge.visits + LOSS * edge.flight)
        if rules.single:
            value += rules.best_weight * (edge.best - value)
    return value + weight * np.float64(float_at(tree.priors, e)) / (1.0 + tries)


@subkernel
def select_by_prior(tree: Record, rules: Record, node: int) -> tuple[int, int]:
    """`search.native.selection.select_edge` with PUCT scores."""
    record = node_at(tree.nodes, node)
    first, end, role = int64(record.first), int64(record.first) + record.count, int64(record.role)
    weight = prior_weight(rules, int64(record.visits) + record.flight)
    fpu = fpu_value(tree, rules, node, first, end, role)
    best, at = -np.inf, int64(0)
    most, passed = 0.0, int64(0)
    for e in range(first, end):
        proof = int64(edge_at(tree.edges, e).proof)
        if proof:
            value = real_at(tree.outcomes, cell(proof, tree.roles, role))
            if value > most:
                most, passed = value, proof
        else:
            bound = prior_score(tree, rules, e, fpu, weight)
            if bound > best:
                best, at = bound, e
    return at, passed if most > best else int64(0)


@subkernel
def best_by_prior(tree: Record, rules: Record, node: int, first: int, end: int, weight: float) -> int:
    """`search.native.selection.best_of` with PUCT scores."""
    fpu = fpu_value(tree, rules, node, first, end, role_of_edge(tree, rules, first))
    best, at = -np.inf, first
    for e in range(first, end):
        bound = prior_score(tree, rules, e, fpu, weight)
        if bound > best:
            best, at = bound, e
    return at
