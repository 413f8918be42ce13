"""Trees of all roles in one table, in compiled kernels: choose, descend, back up.

A node is a number; it represents a role's moves and percepts since the root. An edge is a move at a node, created when
the move is first chosen. Nodes and edges are found by 64-bit keys in one hash table:

    edge     scrambled(node, move)              one to one
    node     scrambled(edge ^ mark)             `mark`: hash of the role's percepts of the joint move
    root     scrambled(role ^ mark)             `mark`: hash of the role's earlier moves and percepts

Two different nodes are confused only if their keys are equal, with a probability of 2**-64.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from reasoner.arrays import Bools, Floats, Ints, Longs, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.random import GOLDEN, scrambled

Word: TypeAlias = Any
"""A uint64. The type is `Any`, because NumPy's types do not distinguish it from an int in kernels."""

OUTSIDE = -1
"""In place of a node: the role has left its tree, and moves at random."""
DRAWN = -1
NODES, EDGES, ENTRIES = 0, 1, 2
"""Indices in `used`."""
INITIAL_EDGES = 1 << 12
MIN_UCB_SHARE = 0.1
_FREE = np.uint64(0)
_ONE = np.uint64(1)
_EDGE, _ROOT = np.uint64(0x9FB21C651E98DF25), np.uint64(0xD6E8FEB86659FD93)


class Rule(NamedTuple):
    """Selection rule: UCB1 that counts how often a move was available (Cowling, Powley and Whitehouse 2012).

    smooth: if not 0, an increasing share of moves is drawn in proportion to visits, which approaches an unexploitable
            strategy. The share of UCB1 is 1 / (1 + smooth * sqrt(visits)), at least MIN_UCB_SHARE (Smooth UCT: Heinrich
            and Silver 2015).
    """

    exploration: float
    smooth: float


class Trees(NamedTuple):
    """Trees of all roles in one table, with S slots, a power of two, and E = S / 2 edges."""

    keys: Words  # [S] 0: free
    found: Ints  # [S] number of the edge or node
    visits: Floats  # [E]
    totals: Floats  # [E] sums of values, 0..1
    squares: Floats  # [E] sums of their squares
    available: Floats  # [E] times that the move was legal at a choice, since its first visit
    used: Longs  # [3] nodes, edges, slots


class Paths(NamedTuple):
    """Positions of the G games of a sweep in the tree of one role; D is the length of the longest path."""

    here: Ints  # [G] node, or OUTSIDE
    edges: Ints  # [G, D] edges of the path
    depths: Ints  # [G]


def trees(edges: int = INITIAL_EDGES) -> Trees:
    """Allocate empty trees with capacity for `edges` edges, a power of two."""
    keys, found = np.zeros(2 * edges, np.uint64), np.zeros(2 * edges, np.int32)
    visits, totals, squares, available = (np.zeros(edges) for _ in range(4))
    return Trees(keys, found, visits, totals, squares, available, np.zeros(3, np.int64))


def new_paths(games: int, longest: int) -> Paths:
    """Create empty paths; all games are outside the tree."""
    return Paths(np.full(games, OUTSIDE, np.int32), np.zeros((games, longest), np.int32), np.zeros(games, np.int32))


def grown(own: Trees) -> Trees:
    """Return the same trees with twice the capacity."""
    larger = trees(2 * len(own.visits))
    for before, after in zip(own[2:6], larger[2:6], strict=True):
        after[: len(before)] = before
    larger.used[:] = own.used
    move_entries(own, larger)
    return larger


@device_function
def _slot(own: Trees, key: Word) -> Word:
    """Return the slot of a key, or a free slot for it."""
    mask = np.uint64(len(own.keys) - 1)
    at = key & mask
    while own.keys[at] != _FREE and own.keys[at] != key:
        at = (at + _ONE) & mask
    return np.int64(at)


@kernel
def move_entries(own: Trees, larger: Trees) -> None:
    """Move all entries into a larger table."""
    for at in range(len(own.keys)):
        if own.keys[at] != _FREE:
            to = _slot(larger, own.keys[at])
            larger.keys[to], larger.found[to] = own.keys[at], own.found[at]


@device_function
def _edge_key(node: Word, move: Word) -> Word:
    word: Word = (np.uint64(node) << np.uint64(32)) | np.uint64(move)
    return scrambled(word ^ _EDGE) | _ONE


@device_function
def _full(own: Trees) -> Word:
    """Whether the table is full."""
    return own.used[EDGES] >= len(own.visits) or 8 * own.used[ENTRIES] >= 7 * len(own.keys)


@device_function
def _put(own: Trees, at: Word, key: Word, kind: int) -> Word:
    """Store a new node or edge in the slot that `_slot` found; return its number."""
    number = own.used[kind]
    own.used[kind] += 1
    own.used[ENTRIES] += 1
    own.keys[at], own.found[at] = key, number
    return number


@device_function
def _node(own: Trees, key: Word) -> Word:
    """Return the node with a key, inserting it if needed; OUTSIDE if the table is full."""
    at = _slot(own, key)
    if own.keys[at] == key:
        return np.int64(own.found[at])
    return OUTSIDE if _full(own) else _put(own, at, key, NODES)


@kernel
def enter(own: Trees, role: int, marks: Words, count: int, paths: Paths) -> None:
    """Start the first `count` games at roots of a role; marks: [G] hashes of its earlier moves and percepts."""
    paths.depths[:] = 0
    paths.here[:] = OUTSIDE
    for game in range(count):
        mark: Word = marks[game] ^ (np.uint64(role + 1) * _ROOT)
        paths.here[game] = _node(own, scrambled(mark) | _ONE)


@device_function
def _uniform(random: Words) -> Word:
    """Return a random number in [0, 1)."""
    random[0] = random[0] + GOLDEN
    return np.float64(scrambled(random[0]) >> np.uint64(11)) * 2.0**-53


@device_function
def _select(own: Trees, node: Word, legal: Bools, rule: Rule, random: Words) -> Word:
    """Return a random unvisited move; if there is none, a move by UCB1 or drawn in proportion to visits (`Rule`)."""
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
    return best if _uniform(random) < max(MIN_UCB_SHARE, 1.0 / (1.0 + rule.smooth * np.sqrt(total))) else often


@kernel
def choose(
    own: Trees, paths: Paths, order: Longs, legal: Bools, rule: Rule, random: Words, actions: Ints
) -> None:  # [G], [G, M], [1], [G]
    """Choose a move of one role for every game that is in its tree, and count it as visited.

    Games choose in `order`, which differs between roles: in the same order, the choices of two roles would be
    correlated.
    """
    for game in order:
        node, depth = paths.here[game], paths.depths[game]
        actions[game] = DRAWN
        if node == OUTSIDE:
            continue
        move = _select(own, node, legal[game], rule, random) if depth < paths.edges.shape[1] else -1
        if move < 0:
            paths.here[game] = OUTSIDE
            continue
        key = _edge_key(node, move)
        at = _slot(own, key)
        if own.keys[at] != key:
            if _full(own):
                paths.here[game] = OUTSIDE
                continue
            edge = _put(own, at, key, EDGES)
            own.available[edge] = 1
        edge = own.found[at]
        own.visits[edge] += 1
        paths.edges[game, depth] = edge
        paths.depths[game] = depth + 1
        actions[game] = move


@kernel
def descend(own: Trees, paths: Paths, marks: Words, grows: bool) -> None:
    """Descend from the chosen edges to the nodes that percepts lead to; where there is no node, leave the tree.

    marks: [G] hashes of the role's percepts; grows: whether missing nodes are created.
    """
    for game in range(len(paths.here)):
        if paths.here[game] == OUTSIDE:
            continue
        edge: Word = np.uint64(paths.edges[game, paths.depths[game] - 1])
        mark: Word = marks[game]
        key: Word = scrambled(mark ^ scrambled(edge + _ONE)) | _ONE
        at = _slot(own, key)
        known = own.keys[at] == key
        paths.here[game] = own.found[at] if known else OUTSIDE
        if not known and grows and not _full(own):
            _put(own, at, key, NODES)


@kernel
def back_up(own: Trees, paths: Paths, values: Floats) -> None:
    """Add the games' values to all edges of their paths.  # values [G]."""
    for game in range(len(values)):
        value = values[game]
        for step in range(paths.depths[game]):
            edge = paths.edges[game, step]
            own.totals[edge] += value
            own.squares[edge] += value * value


@kernel
def read_node(own: Trees, node: int, figures: Floats) -> None:
    """Read visits, totals and squares of a node's moves.  # figures [3, M], written; 0 for unvisited moves."""
    for move in range(figures.shape[1]):
        key = _edge_key(node, move)
        at = _slot(own, key)
        if own.keys[at] == key:
            edge = own.found[at]
            figures[0, move], figures[1, move] = own.visits[edge], own.totals[edge]
            figures[2, move] = own.squares[edge]
