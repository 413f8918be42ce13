"""Backup of a descent: the values of its leaf are written to the moves on its path only.

A strategy is a function of the path, the values and the best single result. `backup_mean` serves games of several
players; `backup_best` serves one-player games, where the best result can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from search.game import Values
from search.plain.tree import Edges, Expansion, Node
from search.root.statistics import JOINT, TURN, Proof

# Per node of the path: the node, the key of the joint move taken, and the proof of a better move passed over, if any.
Path = list[tuple[Node, int, Proof | None]]


class Descent(NamedTuple):
    """Where a descent ended, and the values known there without playouts."""

    path: Path
    leaf: Node
    values: Values | None  # None: playouts are needed


Backup = Callable[[Path, Values, float], None]


def backup_mean(searcher: int) -> Backup:
    """Return the strategy for several players: a move's value is the mean of its descents' values for its role."""

    def backup(path: Path, values: Values, _best: float) -> None:
        for node, key, known in reversed(path):
            expansion = node.expansion
            if expansion is not None and expansion.kind == TURN:
                _average(expansion.edges[0], key, values[expansion.roles[0]])
            elif expansion is not None and expansion.kind == JOINT:
                _average_all(expansion, key, values)
            if known is not None:
                values = known.values
            node.visits += 1
            node.total += values[searcher]

    return backup


def backup_best(weight: float) -> Backup:
    """Return the strategy for one player: a move's value is (1 - weight) * its mean + weight * its best result."""

    def backup(path: Path, values: Values, best: float) -> None:
        value = values[0]
        for node, key, known in reversed(path):
            if node.expansion is not None and node.expansion.kind == TURN:
                _blend(node.expansion.edges[0], key, value, best, weight)
            if known is not None:
                value = known.values[0]
                best = max(best, value)
            node.visits += 1
            node.total += value

    return backup


def _average_all(expansion: Expansion, key: int, values: Values) -> None:
    for slot, role in enumerate(expansion.roles):
        if slot != expansion.chance:
            _average(expansion.edges[slot], expansion.index(slot, key), values[role])


def _average(edges: Edges, index: int, value: float) -> None:
    visits = edges.visits[index] + 1
    edges.visits[index] = visits
    if edges.scales[index]:  # a proven value is final
        mean = edges.values[index] if visits > 1 else 0.0
        edges.values[index] = mean + (value - mean) / visits
        edges.scales[index] = visits**-0.5


def _blend(edges: Edges, index: int, value: float, best: float, weight: float) -> None:
    visits = edges.visits[index] + 1
    edges.visits[index] = visits
    edges.means[index] += (value - edges.means[index]) / visits
    edges.bests[index] = max(edges.bests[index], best)
    if edges.scales[index]:
        edges.values[index] = (1 - weight) * edges.means[index] + weight * edges.bests[index]
        edges.scales[index] = visits**-0.5
