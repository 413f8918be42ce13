"""Statistics of the starts of several trees, as flat arrays: one row per tree, per role that chooses, and per move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Floats, Ints, Longs, Singles
from reasoner.kernels import device_function, kernel
from reasoner.kernels.memory import float_at
from reasoner.kernels.scalars import int64
from search.native.layout import CHANCE, CLOSED, JOINT, Record, Records, edge_at, node_at
from search.native.proof import joint_width, value_in
from search.native.selection import end_of_role, role_of_edge
from search.native.transpositions import words_of
from search.network.evaluate import network_at, value_at

UNKNOWN = np.nan
"""Value of a position or move without a proof, and of a network that does not exist."""


class Roots(NamedTuple):
    """Statistics of the starts of D trees; R roles.

    Group g is one role with a choice in one tree; chance has no group. Its moves are the rows ``starts[g]`` to
    ``starts[g + 1] - 1`` of the arrays with E entries. Values are 0..1.
    """

    trees: Longs  # [D] the number of each tree
    visits: Ints  # [D]
    totals: Floats  # [D] sum of the values for the searching role
    proofs: Floats  # [D, R] the proven values; UNKNOWN without a proof
    expected: Floats  # [D, R] the network's values; UNKNOWN without a network
    places: Ints  # [G] the place of the group's tree in `trees`
    roles: Ints  # [G]
    starts: Longs  # [G + 1]
    moves: Ints  # [E] numbers of the moves in the circuit
    move_visits: Ints  # [E]
    move_totals: Floats  # [E] sum of the values for the group's role
    priors: Singles  # [E] the network's priors; UNKNOWN without priors
    move_proofs: Floats  # [E] the proven value for the group's role; UNKNOWN without a proof

    @property
    def groups(self) -> Longs:
        """The number of the group of each move.  # [E]."""
        return np.repeat(np.arange(len(self.roles)), np.diff(self.starts))


def read_roots(trees: Records, rules: Records, numbers: Longs) -> Roots:
    """Read the starts of the trees with these numbers; every number must have a start."""
    roles, count = int(rules[0]["roles"]), len(numbers)
    edges = count_edges(trees, numbers)
    whole = Roots(
        trees=numbers,
        visits=np.zeros(count, np.int32),
        totals=np.zeros(count),
        proofs=np.full((count, roles), UNKNOWN),
        expected=np.full((count, roles), UNKNOWN),
        places=np.zeros(count * roles, np.int32),
        roles=np.zeros(count * roles, np.int32),
        starts=np.zeros(count * roles + 1, np.int64),
        moves=np.zeros(edges, np.int32),
        move_visits=np.zeros(edges, np.int32),
        move_totals=np.zeros(edges),
        priors=np.full(edges, UNKNOWN, np.float32),
        move_proofs=np.full(edges, UNKNOWN),
    )
    groups, used = fill_roots(trees, rules, whole)
    return whole._replace(
        places=whole.places[:groups],
        roles=whole.roles[:groups],
        starts=whole.starts[: groups + 1],
        moves=whole.moves[:used],
        move_visits=whole.move_visits[:used],
        move_totals=whole.move_totals[:used],
        priors=whole.priors[:used],
        move_proofs=whole.move_proofs[:used],
    )


@kernel
def count_edges(trees: Records, numbers: Longs) -> int:
    """Count the edges of the starts of these trees."""
    total = 0
    for number in numbers:
        total += node_at(trees[number].nodes, trees[number].start).count
    return total


@kernel
def fill_roots(trees: Records, game: Records, found: Roots) -> tuple[int, int]:
    """Fill in the arrays of `found`; return the number of its groups and of its moves."""
    rules, group, at = game[0], 0, 0
    for place in range(len(found.trees)):
        tree = trees[found.trees[place]]
        node = int64(tree.start)
        record = node_at(tree.nodes, node)
        found.visits[place], found.totals[place] = record.visits, record.total
        for role in range(tree.roles):
            if record.proof:
                found.proofs[place, role] = value_in(tree, int64(record.proof), role)
            if rules.network:
                found.expected[place, role] = value_at(network_at(rules.network, 0), words_of(tree, node), role)
        if record.kind == CHANCE or record.kind >= CLOSED:
            continue
        first, end = int64(record.first), int64(record.first) + record.count
        while first < end:
            role = role_of_edge(tree, rules, first)
            after = end_of_role(tree, rules, first, end)
            if role != rules.chance and after > first + 1:
                found.places[group], found.roles[group] = place, role
                for e in range(first, after):
                    _fill_move(tree, rules, found, at, node, e, role, after - first)
                    at += 1
                group += 1
                found.starts[group] = at
            first = after
    return group, at


@device_function
def _fill_move(tree: Record, rules: Record, found: Roots, at: int, node: int, e: int, role: int, count: int) -> None:
    edge = edge_at(tree.edges, e)
    found.moves[at], found.move_visits[at], found.move_totals[at] = edge.move, edge.visits, edge.total
    if tree.priors:
        found.priors[at] = float_at(tree.priors, e)
    found.move_proofs[at] = _proven_value(tree, rules, node, e, role, count)


@device_function
def _proven_value(tree: Record, rules: Record, node: int, e: int, role: int, count: int) -> float:
    """Return the proven value of a role's move; in a JOINT node only of a move that takes all whatever others do."""
    edge = edge_at(tree.edges, e)
    if node_at(tree.nodes, node).kind == JOINT:
        return 1.0 if edge.best * count >= joint_width(tree, rules, node) else UNKNOWN
    return value_in(tree, int64(edge.proof), role) if edge.proof > 0 else UNKNOWN
