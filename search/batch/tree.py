"""Trees of many games, in compiled kernels: descend, expand, back up.

The tree of a game has one node more than simulations; node 0 is the root. A node has edges for each role, one per legal
move. Where several roles choose, each selects by its own statistics (decoupled, as Shafiei, Sturtevant & Schaeffer
2009). A child belongs to a joint move, and is found by a hash of the joint move's edges. A role selects the edge with
the highest

    value + exploration * prior * sqrt(visits of the node) / (1 + visits of the edge)

(PUCT, Silver et al. 2017); an unvisited edge has the node's value. Chance draws uniformly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bytes, Ints, Singles, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.random import GOLDEN, scrambled
from reasoner.kernels.scalars import int64, uint64

CLOSED, OPEN, OVER = 0, 1, 2
"""Kinds of nodes: without edges; with edges; terminal."""
NONE, STAY = -1, -2

_ZERO = uint64(0)
_ONE = uint64(1)


class Trees(NamedTuple):
    """Trees of N games with K nodes and E edges each; R roles; D is the greatest depth of a descent."""

    states: Bytes  # [N, K, bytes]
    kinds: Bytes  # [N, K]
    visits: Ints  # [N, K]
    totals: Singles  # [N, K, R] sums of the values backed up
    starts: Ints  # [N, K, R + 1] the first edge of each role
    moves: Ints  # [N, E] indices of the edges' moves among those of the role
    priors: Singles  # [N, E]
    edge_visits: Ints  # [N, E]
    edge_totals: Singles  # [N, E] sums of the values for the edge's role
    keys: Words  # [N, power of two] hashes of a joint move's edges; 0 is free
    children: Ints  # [N, power of two] the child node of each joint move in `keys`
    used: Ints  # [N, 2] nodes, edges
    path: Ints  # [N, D, R + 1] node and edges of the last descent
    depth: Ints  # [N] length of the last descent, in moves
    leaf: Ints  # [N] node at the end of the last descent
    chance: int  # the role that makes chance moves; -1: none
    exploration: float


def trees(games: int, nodes: int, edges: int, roles: int, state_bytes: int, chance: int, exploration: float) -> Trees:
    """Allocate empty trees."""
    slots = 1 << (2 * nodes).bit_length()
    return Trees(
        states=np.zeros((games, nodes, state_bytes), np.uint8),
        kinds=np.zeros((games, nodes), np.uint8),
        visits=np.zeros((games, nodes), np.int32),
        totals=np.zeros((games, nodes, roles), np.float32),
        starts=np.zeros((games, nodes, roles + 1), np.int32),
        moves=np.zeros((games, edges), np.int32),
        priors=np.zeros((games, edges), np.float32),
        edge_visits=np.zeros((games, edges), np.int32),
        edge_totals=np.zeros((games, edges), np.float32),
        keys=np.zeros((games, slots), np.uint64),
        children=np.zeros((games, slots), np.int32),
        used=np.zeros((games, 2), np.int32),
        path=np.zeros((games, nodes + 1, roles + 1), np.int32),
        depth=np.zeros(games, np.int32),
        leaf=np.zeros(games, np.int32),
        chance=chance,
        exploration=exploration,
    )


def clear(own: Trees) -> None:
    """Clear the trees, and create every game's root."""
    for array in (own.visits, own.totals, own.edge_visits, own.edge_totals, own.keys, own.depth, own.leaf):
        array.fill(0)
    own.used[:, 0], own.used[:, 1] = 1, 0


@device_function
def _random(state: Words) -> int:
    """Return the next number of splitmix64."""
    state[0] += GOLDEN
    return scrambled(state[0])


@device_function
def _select(own: Trees, game: int, node: int, role: int, random: Words) -> int:
    """Return the edge that a role selects."""
    first, end = own.starts[game, node, role], own.starts[game, node, role + 1]
    if role == own.chance:
        return first + int64(_random(random) % uint64(end - first))
    visits = own.visits[game, node]
    unknown = own.totals[game, node, role] / max(visits, 1)
    weight = own.exploration * np.sqrt(np.float64(visits))
    best, most = first, -1.0
    for edge in range(first, end):
        seen = own.edge_visits[game, edge]
        value = own.edge_totals[game, edge] / seen if seen else unknown
        score = value + weight * own.priors[game, edge] / (1 + seen)
        if score > most:
            best, most = edge, score
    return best


@device_function
def _slot(own: Trees, game: int, key: int) -> int:
    """Return the slot of a key, or a free slot for it."""
    keys = own.keys[game]
    mask = uint64(len(keys) - 1)
    at = key & mask
    while keys[at] and keys[at] != key:
        at = (at + _ONE) & mask
    return at


@kernel
def descend(own: Trees, random: Words, states: Bytes, actions: Ints) -> None:
    """Descend in every game to a new position, to a terminal position, or until memory is full.

    Writes the states to step from and the joint moves.  # states [N, bytes]; actions [N, R], STAY if there is no step.
    """
    games, roles = actions.shape
    for game in range(games):
        node, depth = 0, 0
        new = False
        while own.kinds[game, node] == OPEN:
            key = _ZERO  # no two nodes share an edge
            own.path[game, depth, roles] = node
            for role in range(roles):
                edge = _select(own, game, node, role, random)
                own.path[game, depth, role] = edge
                key = (key ^ uint64(edge + 1)) * uint64(0xD6E8FEB86659FD93)
                key ^= key >> uint64(32)
            depth += 1
            at = _slot(own, game, key | _ONE)
            if not own.keys[game, at]:
                new = True
                break
            node = own.children[game, at]
        own.depth[game] = depth
        own.leaf[game] = node
        states[game] = own.states[game, node]
        for role in range(roles):
            actions[game, role] = own.moves[game, own.path[game, depth - 1, role]] if new else STAY
        if new:
            child = own.used[game, 0]
            own.used[game, 0] += 1
            own.keys[game, at], own.children[game, at] = key | _ONE, child
            own.leaf[game] = child
            own.kinds[game, child] = CLOSED


@kernel
def expand(own: Trees, states: Bytes, ended: Bytes, role: int, legal: Bytes, priors: Singles) -> None:
    """Store the leaves' states and create the edges of one role; called for the roles in order.

    If memory is full, no edges are created. A node is expanded once all roles have edges. Priors are normalized over
    the legal moves.  # legal [N, M]; priors [N, M], or [0, 0]: uniform.
    """
    for game in range(len(states)):
        node, last = own.leaf[game], own.starts.shape[2] - 2
        if own.kinds[game, node] != CLOSED:
            continue
        if role == 0:
            own.states[game, node] = states[game]
            own.starts[game, node, 0] = own.used[game, 1]
            if ended[game]:
                own.kinds[game, node] = OVER
                continue
        at, total = int64(own.used[game, 1]), 0.0
        first = at
        for move in range(legal.shape[1]):
            if legal[game, move] and at < own.moves.shape[1]:
                own.moves[game, at] = move
                own.priors[game, at] = max(priors[game, move], 1e-6) if len(priors) else 1.0
                total += own.priors[game, at]
                at += 1
        for edge in range(first, at):
            own.priors[game, edge] /= total
        own.used[game, 1] = at
        own.starts[game, node, role + 1] = at
        if role == last and at < own.moves.shape[1]:
            own.kinds[game, node] = OPEN


@kernel
def back_up(own: Trees, values: Singles) -> None:
    """Back up the leaves' values along the paths.  # values [N, R]."""
    games, roles = values.shape
    for game in range(games):
        leaf = own.leaf[game]
        own.visits[game, leaf] += 1
        for role in range(roles):
            own.totals[game, leaf, role] += values[game, role]
        for step in range(own.depth[game]):
            node = own.path[game, step, roles]
            own.visits[game, node] += 1
            for role in range(roles):
                own.totals[game, node, role] += values[game, role]
                edge = own.path[game, step, role]
                own.edge_visits[game, edge] += 1
                own.edge_totals[game, edge] += values[game, role]


@kernel
def read_root(own: Trees, role: int, visits: Ints, values: Singles) -> None:
    """Read visits and mean values of a role's moves at the roots.  # visits, values [N, M], written."""
    for game in range(len(visits)):
        if own.kinds[game, 0] == OPEN:
            for edge in range(own.starts[game, 0, role], own.starts[game, 0, role + 1]):
                seen = own.edge_visits[game, edge]
                visits[game, own.moves[game, edge]] = seen
                values[game, own.moves[game, edge]] = own.edge_totals[game, edge] / max(seen, 1)


@kernel
def add_noise(own: Trees, role: int, noise: Singles, share: float) -> None:
    """Mix noise into the priors of a role at the roots.  # noise [N, M] gamma variates, normalized here."""
    for game in range(len(noise)):
        if own.kinds[game, 0] != OPEN:
            continue
        first, end = own.starts[game, 0, role], own.starts[game, 0, role + 1]
        total = np.float32(1e-12)
        for edge in range(first, end):
            total += noise[game, edge - first]
        for edge in range(first, end):
            mixed = share * noise[game, edge - first] / total
            own.priors[game, edge] = (1 - share) * own.priors[game, edge] + mixed
