"""Selection of edges: UCB1 with first-play urgency and virtual loss.

A descent in flight counts as a visit in the exploration term (Liu et al. 2020, "Watch the unobserved", WU-UCT), and as
LOSS visits of value 0 in the mean (virtual loss: Chaslot, Winands and van den Herik 2008), so that the next descent
goes elsewhere. The edges of a node are in random order; unvisited ones are tried in this order, captures first.
"""

from __future__ import annotations

import numpy as np

from reasoner.kernels import kernel, subkernel
from reasoner.kernels.memory import int_at, real_at
from reasoner.kernels.random import GOLDEN, below, scrambled
from reasoner.kernels.scalars import int64, uint64
from search.native.layout import JOINT, Record
from search.native.memory import edge_at, node_at
from search.native.transpositions import edge_of_link

LOSS = 1.0
FEW = 8
"""Nodes with captures first and at most this many moves are explored in full ..."""
LEAST_EXPLORED = 0.5
"""... and this factor is the least for nodes with many moves; chosen by matches (research/exploration.md)."""


@subkernel
def draw_word(thread: Record) -> int:
    """Return the next word of a splitmix64 generator."""
    thread.random += GOLDEN
    return scrambled(thread.random)


@subkernel
def draw_below(thread: Record, count: int) -> int:
    """Return a random number from 0 to `count` - 1; `count` is at most 2**31."""
    return below(draw_word(thread), count)


@subkernel
def draw_share(thread: Record) -> float:
    """Return a random number in [0, 1)."""
    return np.float64(draw_word(thread) >> uint64(11)) * 2.0**-53


@kernel
def weight_of(visits: int, exploration: float) -> float:
    """Return the exploration factor of visits ** -0.5 in `score`, for a node with this many visits."""
    return exploration * np.sqrt(np.log(visits + 1.0))


@kernel
def share_explored(moves: int) -> float:
    """Return the factor on exploration in a node with this many moves, where captures come first."""
    return min(max(np.sqrt(FEW / np.float64(moves)), LEAST_EXPLORED), 1.0)


@subkernel
def score(edge: Record, rules: Record, weight: float) -> float:
    """Return the upper confidence bound of an unproven edge."""
    tries = int64(edge.visits) + edge.flight
    if tries == 0:
        return rules.first_play + weight
    value = edge.total / (edge.visits + LOSS * edge.flight)
    if rules.single:
        value += rules.best_weight * (edge.best - value)
    return value + weight / np.sqrt(tries)


@subkernel
def select_edge(tree: Record, rules: Record, node: int, weight: float) -> tuple[int, int]:
    """Return the best unproven edge, and the outcome of a proven edge that is better, or 0.

    A proven edge needs no further descent. If it is the best, the descent explores the others, and the proven value,
    which is what the mover gets, is backed up above this node. A waiting edge counts as the mean of the visited ones
    (progressive unpruning: Chaslot et al. 2008).
    """
    record = node_at(tree.nodes, node)
    first, end, role = int64(record.first), int64(record.first) + record.count, int64(record.role)
    best, at = -np.inf, int64(0)
    most, passed = 0.0, int64(0)
    total, visits = 0.0, 0.0
    for e in range(first, end):
        edge = edge_at(tree.edges, e)
        if edge.proof:
            value = real_at(tree.outcomes, edge.proof * tree.roles + role)
            if value > most:
                most, passed = value, int64(edge.proof)
        else:
            total += edge.total
            visits += edge.visits
            if edge.best < 0 and visits > 0 and edge.visits + edge.flight == 0:
                bound = total / visits + weight
            else:
                bound = score(edge, rules, weight)
            if bound > best:
                best, at = bound, e
    return at, passed if most > best else int64(0)


@subkernel
def role_of_edge(tree: Record, rules: Record, e: int) -> int:
    """Return the role of an edge's move."""
    return int_at(rules.role_of, edge_at(tree.edges, e).move)


@subkernel
def best_of(tree: Record, rules: Record, first: int, end: int, weight: float) -> int:
    """Return the edge with the highest score in a range; the first of equals."""
    best, at = -np.inf, first
    for e in range(first, end):
        bound = score(edge_at(tree.edges, e), rules, weight)
        if bound > best:
            best, at = bound, e
    return at


@subkernel
def add_virtual_loss(tree: Record, node: int, link: int, change: int) -> None:
    """Add one descent in flight to a node and to the edge or link taken there; `change` -1 removes it."""
    record = node_at(tree.nodes, node)
    record.flight += change
    if record.kind != JOINT:
        edge_at(tree.edges, link).flight += change
        return
    for role in range(tree.roles):
        e = edge_of_link(tree, link, role)
        if e:
            edge_at(tree.edges, e).flight += change
