"""The trees of all roles in one table, in compiled kernels: choose, descend, back up.

A node is a number: a place in a role's tree, which is what the role did and saw since the root. An edge is a move at a
node; it is made when the move is first chosen. Both are found by 64-bit words in one hash table:

    edge     scrambled(node, move)              one to one
    node     scrambled(edge ^ mark)             `mark`: a hash of what the role saw of the joint move
    root     scrambled(role ^ mark)             `mark`: a hash of what it did and saw before

Two places are taken for one where the hashes of all that a role saw are alike, once in 2**64.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from reasoner.arrays import Bools, Floats, Ints, Longs, Words
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.random import GOLDEN, scrambled

Word: TypeAlias = Any
"""A uint64, or in kernels what NumPy's types do not tell from an int."""

OUTSIDE = -1
"""In the place of a node: the role has left its tree, and draws its moves."""
DRAWN = -1
NODES, EDGES, ENTRIES = 0, 1, 2
"""Places in `used`."""
SMALLEST = 1 << 12
LEAST_UCB = 0.1
_FREE = np.uint64(0)
_ONE = np.uint64(1)
_EDGE, _ROOT = np.uint64(0x9FB21C651E98DF25), np.uint64(0xD6E8FEB86659FD93)


class Rule(NamedTuple):
    """How moves are selected: by UCB1 with the times that a move was there (Cowling, Powley and Whitehouse 2012).

    smooth: where it is not 0, moves are chosen more and more as they were chosen so far, which comes closer to what
            nobody can exploit; the share of UCB1 is 1 / (1 + smooth * sqrt(visits)), and LEAST_UCB at least (Smooth
            UCT: Heinrich and Silver 2015).
    """

    exploration: float
    smooth: float


class Trees(NamedTuple):
    """S slots, a power of two; E edges, half as many."""

    keys: Words  # [S] 0: free
    found: Ints  # [S] the edge or the node
    visits: Floats  # [E] times chosen
    totals: Floats  # [E] sums of values, 0..1
    squares: Floats  # [E] sums of their squares
    available: Floats  # [E] times that the move was legal when one was chosen, since it was first
    used: Longs  # [3] nodes, edges, slots


class Paths(NamedTuple):
    """Where the games of a sweep are in the tree of one role, G games, D the longest path."""

    here: Ints  # [G] node, or OUTSIDE
    edges: Ints  # [G, D] chosen so far
    depths: Ints  # [G]


def trees(edges: int = SMALLEST) -> Trees:
    """Empty trees with room for so many edges, a power of two."""
    keys, found = np.zeros(2 * edges, np.uint64), np.zeros(2 * edges, np.int32)
    visits, totals, squares, available = (np.zeros(edges) for _ in range(4))
    return Trees(keys, found, visits, totals, squares, available, np.zeros(3, np.int64))


def paths(games: int, longest: int) -> Paths:
    """Paths of games that are outside."""
    return Paths(np.full(games, OUTSIDE, np.int32), np.zeros((games, longest), np.int32), np.zeros(games, np.int32))


def grown(own: Trees) -> Trees:
    """The same trees with twice the room."""
    larger = trees(2 * len(own.visits))
    for before, after in zip(own[2:6], larger[2:6], strict=True):
        after[: len(before)] = before
    larger.used[:] = own.used
    move_entries(own, larger)
    return larger


@subkernel
def _slot(own: Trees, key: Word) -> Word:
    """Where a key stands, or may be put."""
    mask = np.uint64(len(own.keys) - 1)
    at = key & mask
    while own.keys[at] != _FREE and own.keys[at] != key:
        at = (at + _ONE) & mask
    return np.int64(at)


@kernel
def move_entries(own: Trees, larger: Trees) -> None:
    """Put all entries into a larger table."""
    for at in range(len(own.keys)):
        if own.keys[at] != _FREE:
            to = _slot(larger, own.keys[at])
            larger.keys[to], larger.found[to] = own.keys[at], own.found[at]


@subkernel
def _edge_key(node: Word, move: Word) -> Word:
    word: Word = (np.uint64(node) << np.uint64(32)) | np.uint64(move)
    return scrambled(word ^ _EDGE) | _ONE


@subkernel
def _full(own: Trees) -> Word:
    """Whether there is no room for another edge or node."""
    return own.used[EDGES] >= len(own.visits) or 8 * own.used[ENTRIES] >= 7 * len(own.keys)


@subkernel
def _put(own: Trees, at: Word, key: Word, kind: int) -> Word:
    """The number of a new node or edge, put where `_slot` found room."""
    number = own.used[kind]
    own.used[kind] += 1
    own.used[ENTRIES] += 1
    own.keys[at], own.found[at] = key, number
    return number


@subkernel
def _node(own: Trees, key: Word) -> Word:
    """The node with a key, made where there is none; OUTSIDE where there is no room."""
    at = _slot(own, key)
    if own.keys[at] == key:
        return np.int64(own.found[at])
    return OUTSIDE if _full(own) else _put(own, at, key, NODES)


@kernel
def enter(own: Trees, role: int, marks: Words, count: int, ways: Paths) -> None:
    """Begin the first `count` games at the roots of a role that belong to `marks`.  # [G]."""
    ways.depths[:] = 0
    ways.here[:] = OUTSIDE
    for game in range(count):
        mark: Word = marks[game] ^ (np.uint64(role + 1) * _ROOT)
        ways.here[game] = _node(own, scrambled(mark) | _ONE)


@subkernel
def _uniform(random: Words) -> Word:
    """A number at random, from 0 to below 1."""
    random[0] = random[0] + GOLDEN
    return np.float64(scrambled(random[0]) >> np.uint64(11)) * 2.0**-53


@subkernel
def _select(own: Trees, node: Word, legal: Bools, rule: Rule, random: Words) -> Word:
    """The move to try, a random one of those not tried yet; else by UCB1, or as moves were chosen so far (`Rule`)."""
    best, often, untried = -1, -1, 0
    most: Word = -1.0
    total: Word = 0.0
    for move in range(len(legal)):
        if not legal[move]:
            continue
        key = _edge_key(node, move)
        at = _slot(own, key)
        if own.keys[at] != key:
            untried += 1
            if _uniform(random) * untried < 1.0:
                best = move
            continue
        edge = own.found[at]
        own.available[edge] += 1
        if not untried:
            visits = own.visits[edge]
            total += visits
            if rule.smooth > 0.0 and _uniform(random) * total < visits:
                often = move
            score = own.totals[edge] / visits + rule.exploration * np.sqrt(np.log(own.available[edge]) / visits)
            if score > most:
                best, most = move, score
    if untried or rule.smooth == 0.0:
        return best
    return best if _uniform(random) < max(LEAST_UCB, 1.0 / (1.0 + rule.smooth * np.sqrt(total))) else often


@kernel
def choose(
    own: Trees, ways: Paths, order: Longs, legal: Bools, rule: Rule, random: Words, actions: Ints
) -> None:  # [G], [G, M], [1], [G]
    """A move of one role for every game that is in its tree; it counts as visited from now on.

    Games take their turn in an `order` of the role's own: in the same one, the choices of two roles would go together.
    """
    for game in order:
        node, depth = ways.here[game], ways.depths[game]
        actions[game] = DRAWN
        if node == OUTSIDE:
            continue
        move = _select(own, node, legal[game], rule, random) if depth < ways.edges.shape[1] else -1
        if move < 0:
            ways.here[game] = OUTSIDE
            continue
        key = _edge_key(node, move)
        at = _slot(own, key)
        if own.keys[at] != key:
            if _full(own):
                ways.here[game] = OUTSIDE
                continue
            edge = _put(own, at, key, EDGES)
            own.available[edge] = 1
        edge = own.found[at]
        own.visits[edge] += 1
        ways.edges[game, depth] = edge
        ways.depths[game] = depth + 1
        actions[game] = move


@kernel
def descend(own: Trees, ways: Paths, marks: Words, grows: bool) -> None:
    """Go to the places that moves and percepts lead to; a role leaves its tree where it is new.  # marks [G]."""
    for game in range(len(ways.here)):
        if ways.here[game] == OUTSIDE:
            continue
        edge: Word = np.uint64(ways.edges[game, ways.depths[game] - 1])
        mark: Word = marks[game]
        key: Word = scrambled(mark ^ scrambled(edge + _ONE)) | _ONE
        at = _slot(own, key)
        known = own.keys[at] == key
        ways.here[game] = own.found[at] if known else OUTSIDE
        if not known and grows and not _full(own):
            _put(own, at, key, NODES)


@kernel
def back_up(own: Trees, ways: Paths, values: Floats) -> None:
    """Add to all edges chosen what their games were worth.  # values [G]."""
    for game in range(len(values)):
        value = values[game]
        for step in range(ways.depths[game]):
            edge = ways.edges[game, step]
            own.totals[edge] += value
            own.squares[edge] += value * value


@kernel
def read_node(own: Trees, node: int, figures: Floats) -> None:
    """Visits, totals and squares of the moves of a node.  # figures [3, M], written; 0 for moves not tried."""
    for move in range(figures.shape[1]):
        key = _edge_key(node, move)
        at = _slot(own, key)
        if own.keys[at] == key:
            edge = own.found[at]
            figures[0, move], figures[1, move] = own.visits[edge], own.totals[edge]
            figures[2, move] = own.squares[edge]
