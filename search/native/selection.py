"""Selection of edges: UCB1 or, where edges have priors, PUCT, both with virtual loss.

    UCB1    value + weight / sqrt(visits)              weight: exploration * sqrt(ln visits of the node)
    PUCT    value + weight * prior / (1 + visits)      weight: prior * sqrt(visits of the node)

The value of an unvisited edge is the first-play urgency (FPU). Under UCB1 it is an option. Under PUCT it is the value
of the node minus a reduction that grows with the priors of the visited edges, as in KataGo (Wu 2019). A pending descent
counts as a visit in the exploration term (Liu et al. 2020, "Watch the unobserved", WU-UCT), and as LOSS visits of value
0 in the mean (virtual loss: Chaslot, Winands and van den Herik 2008), so that the next descent takes another path. The
edges of a node are in random order. Unvisited edges are tried in this order, captures first. Sources: UCT, Kocsis and
Szepesvári 2006; PUCT, Silver et al. 2017.
"""

from __future__ import annotations

import numpy as np

from reasoner.kernels import device_function, kernel
from reasoner.kernels.memory import float_at, int_at, put_int, real_at
from reasoner.kernels.random import GOLDEN, below, scrambled
from reasoner.kernels.scalars import int64, uint64
from search.native.layout import CHANCE, FORCED, JOINT, Record, cell, edge_at, node_at
from search.native.transpositions import edge_of_role, insert_joint_edge, words_of
from search.network.evaluate import network_at, value_at

LOSS = 1.0
"""Number of visits of value 0 that a pending descent adds to the mean."""
EPSILON = 0.05  # see `search.plain.mcts`
FULLY_EXPLORED_MOVES = 8
"""Nodes with captures first and more moves than this explore with a smaller weight."""
MIN_EXPLORATION_FACTOR = 0.5
"""Least factor on the exploration weight of these nodes; chosen by matches (research/exploration.md)."""


@device_function
def draw_word(thread: Record) -> int:
    """Return the next word of a splitmix64 generator."""
    thread.random += GOLDEN
    return scrambled(thread.random)


@device_function
def draw_below(thread: Record, count: int) -> int:
    """Return a random number from 0 to `count` - 1; `count` is at most 2**31."""
    return below(draw_word(thread), count)


@device_function
def draw_uniform(thread: Record) -> float:
    """Return a random number in [0, 1)."""
    return np.float64(draw_word(thread) >> uint64(11)) * 2.0**-53


@kernel
def ucb_weight(visits: int, exploration: float) -> float:
    """Return the weight of UCB1 in a node with this many visits."""
    return exploration * np.sqrt(np.log(visits + 1.0))


@kernel
def exploration_factor(moves: int) -> float:
    """Return the factor on exploration in a node with this many moves, where captures come first."""
    return min(max(np.sqrt(FULLY_EXPLORED_MOVES / np.float64(moves)), MIN_EXPLORATION_FACTOR), 1.0)


@device_function
def select(tree: Record, rules: Record, thread: Record, node: int) -> tuple[int, int]:
    """Return the edge to follow (in a JOINT node the joint edge), and the better proven outcome that is not followed.

    The outcome is 0 if there is none; both are 0 if memory is full.
    """
    record, none = node_at(tree.nodes, node), int64(0)
    first, count = int64(record.first), int64(record.count)
    if record.kind == FORCED:
        return first, none
    if record.kind == CHANCE:
        return first + draw_below(thread, count), none
    visits = int64(record.visits) + record.pending_visits
    if tree.priors:
        weight = network_at(rules.network, 0).prior * np.sqrt(max(visits, 1.0))
    else:
        weight = ucb_weight(visits, rules.exploration)
    if record.kind == JOINT:
        return _select_joint(tree, rules, thread, node, weight), none
    if rules.captures and not rules.single and not tree.priors:
        weight *= exploration_factor(count)
    return select_edge(tree, rules, node, weight)


@device_function
def score(tree: Record, rules: Record, e: int, fpu: float, weight: float) -> float:
    """Return the score of an unproven edge by PUCT or UCB1."""
    edge, value = edge_at(tree.edges, e), fpu
    tries = int64(edge.visits) + edge.pending_visits
    if tries:
        value = edge.total / (edge.visits + LOSS * edge.pending_visits)
        if rules.single:
            value += rules.best_weight * (edge.best - value)
    if tree.priors:
        return value + weight * np.float64(float_at(tree.priors, e)) / (1.0 + tries)
    return value + weight / np.sqrt(max(tries, 1))


@device_function
def fpu_of_role(tree: Record, rules: Record, node: int, first: int, end: int, role: int) -> float:
    """Return the value of an unvisited move of `role` in a node; the role's edges are `first` to `end`."""
    if not tree.priors:
        return rules.fpu_value
    network = network_at(rules.network, 0)
    total, visits, prior = value_at(network, words_of(tree, node), role), 1.0, 0.0
    for e in range(first, end):
        edge = edge_at(tree.edges, e)
        if edge.visits:
            total += edge.total
            visits += edge.visits
            prior += np.float64(float_at(tree.priors, e))
    return total / visits - network.fpu_reduction * np.sqrt(prior)


@device_function
def select_edge(tree: Record, rules: Record, node: int, weight: float) -> tuple[int, int]:
    """Return the best unproven edge, and the outcome of a proven edge that is better, or 0.

    A proven edge needs no further descent. If the best edge is proven, the descent explores the other edges. The proven
    value is backed up above this node, because the mover gets it. Under UCB1, an edge that waits for the captures has
    the mean value of the visited edges (progressive unpruning: Chaslot et al. 2008).
    """
    record = node_at(tree.nodes, node)
    first, end, role = int64(record.first), int64(record.first) + record.count, int64(record.role)
    fpu = fpu_of_role(tree, rules, node, first, end, role)
    best, at = -np.inf, int64(0)
    most, passed = 0.0, int64(0)
    total, visits = 0.0, 0.0
    for e in range(first, end):
        edge = edge_at(tree.edges, e)
        if edge.proof:
            value = real_at(tree.outcomes, cell(int64(edge.proof), tree.roles, role))
            if value > most:
                most, passed = value, int64(edge.proof)
        else:
            total += edge.total
            visits += edge.visits
            waits = edge.best < 0 and visits > 0 and not tree.priors
            bound = score(tree, rules, e, total / visits if waits else fpu, weight)
            if bound > best:
                best, at = bound, e
    return at, passed if most > best else int64(0)


@device_function
def role_of_edge(tree: Record, rules: Record, e: int) -> int:
    """Return the role of an edge's move."""
    return int_at(rules.role_of, edge_at(tree.edges, e).move)


@device_function
def end_of_role(tree: Record, rules: Record, first: int, end: int) -> int:
    """Return the end of the edges of one role, which begin at `first`, in a node whose edges end at `end`."""
    role, after = role_of_edge(tree, rules, first), first + 1
    while after < end and role_of_edge(tree, rules, after) == role:
        after += 1
    return after


@device_function
def _select_joint(tree: Record, rules: Record, thread: Record, node: int, weight: float) -> int:
    """Return the joint edge of the edges that each role selects by itself (decoupled UCT); 0: memory is full.

    Each role with a choice takes its best edge, sometimes a random one; chance draws. The exploration weight is random
    per role, because roles that explore in step would visit only some of the joint moves.
    """
    record = node_at(tree.nodes, node)
    first, end = int64(record.first), int64(record.first) + record.count
    for role in range(tree.roles):
        put_int(thread.picked, role, 0)
    while first < end:
        role, after = role_of_edge(tree, rules, first), end_of_role(tree, rules, first, end)
        if role == rules.chance or draw_uniform(thread) < EPSILON:
            pick = first + draw_below(thread, after - first)
        else:
            pick = _best_of(tree, rules, node, first, after, 2 * draw_uniform(thread) * weight)
        put_int(thread.picked, role, pick)
        first = after
    return insert_joint_edge(tree, node, thread.picked)


@device_function
def _best_of(tree: Record, rules: Record, node: int, first: int, end: int, weight: float) -> int:
    """Return the edge with the highest score among the edges `first` to `end` of a role; the first of equals."""
    fpu = fpu_of_role(tree, rules, node, first, end, role_of_edge(tree, rules, first))
    best, at = -np.inf, first
    for e in range(first, end):
        bound = score(tree, rules, e, fpu, weight)
        if bound > best:
            best, at = bound, e
    return at


@device_function
def add_virtual_loss(tree: Record, node: int, taken: int, change: int) -> None:
    """Add one pending descent to a node and to the edge or joint edge taken there; `change` -1 removes it."""
    record = node_at(tree.nodes, node)
    record.pending_visits += change
    if record.kind != JOINT:
        edge_at(tree.edges, taken).pending_visits += change
        return
    for role in range(tree.roles):
        e = edge_of_role(tree, taken, role)
        if e:
            edge_at(tree.edges, e).pending_visits += change
