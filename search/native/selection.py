"""Which edge a descent takes: UCB1 with first-play urgency, and descents in flight counted.

A descent in flight counts as a visit in the exploration term, as its result will (Liu et al. 2020, "Watch the
unobserved", WU-UCT), and as a share LOSS of a visit that brought nothing in the mean (virtual loss: Chaslot, Winands
and van den Herik 2008), so that the next one goes elsewhere. The edges of a node stand in random order, which is the
order in which untried ones are taken, where captures help with those first.
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
"""Moves of a node, up to which it is explored in full though captures stand first ..."""
LEAST_EXPLORED = 0.5
"""... and what is left of exploration where there are very many; by matches, see research/exploration.md."""


@subkernel
def draw_word(thread: Record) -> int:
    """The next word of a splitmix64 generator."""
    thread.random += GOLDEN
    return scrambled(thread.random)


@subkernel
def draw_below(thread: Record, count: int) -> int:
    """A number from 0 to `count` - 1, at most 2**31."""
    return below(draw_word(thread), count)


@subkernel
def draw_share(thread: Record) -> float:
    """A number from 0 to 1, 1 left out."""
    return np.float64(draw_word(thread) >> uint64(11)) * 2.0**-53


@kernel
def weight_of(visits: int, exploration: float) -> float:
    """What `score` multiplies visits ** -0.5 with, in a node of so many visits."""
    return exploration * np.sqrt(np.log(visits + 1.0))


@kernel
def share_explored(moves: int) -> float:
    """What is left of exploration in a node of so many moves, if captures, which help most, stand first there."""
    return min(max(np.sqrt(FEW / np.float64(moves)), LEAST_EXPLORED), 1.0)


@subkernel
def score(edge: Record, rules: Record, weight: float) -> float:
    """The upper bound of an edge that is not proven."""
    tries = int64(edge.visits) + edge.flight
    if tries == 0:
        return rules.first_play + weight
    value = edge.total / (edge.visits + LOSS * edge.flight)
    if rules.single:
        value += rules.best_weight * (edge.best - value)
    return value + weight / np.sqrt(tries)


@subkernel
def select_edge(tree: Record, rules: Record, node: int, weight: float) -> tuple[int, int]:
    """The best edge that is not proven, and the outcome of a proven one that is better, or 0.

    A proven edge needs no further descent. Where it is the best, the descent learns something of the others, and the
    states above are told the proven value, which is what the mover would get. A move that waits is taken to be worth as
    much as those tried so far, which stand before it (progressive unpruning: Chaslot et al. 2008).
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
    """The role whose move an edge is."""
    return int_at(rules.role_of, edge_at(tree.edges, e).move)


@subkernel
def best_of(tree: Record, rules: Record, first: int, end: int, weight: float) -> int:
    """The edge of the highest score among some; the first of equals."""
    best, at = -np.inf, first
    for e in range(first, end):
        bound = score(edge_at(tree.edges, e), rules, weight)
        if bound > best:
            best, at = bound, e
    return at


@subkernel
def add_virtual_loss(tree: Record, node: int, link: int, change: int) -> None:
    """Count a descent as in flight through a node and what it took there, or (`change` -1) as no longer."""
    record = node_at(tree.nodes, node)
    record.flight += change
    if record.kind != JOINT:
        edge_at(tree.edges, link).flight += change
        return
    for role in range(tree.roles):
        e = edge_of_link(tree, link, role)
        if e:
            edge_at(tree.edges, e).flight += change
