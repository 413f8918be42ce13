"""Backup of a descent: write its values and proofs to the moves on its path.

A backup strategy is a function of the path, the values and the best single result. `backup_mean` is for games of
several players; `backup_best` is for one-player games, where the best result can be repeated.

Proofs follow MCTS-Solver (Winands, Björnsson and Saito 2008), extended to any number of roles and general-sum goals:
the value of a state is the value of its mover's best move. Proofs start only at terminal states, so they are valid in
games whose states form cycles. If several moves are best for another role, the worst of them for the searching role
counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import NamedTuple

from search.game import Values
from search.plain.tree import Edges, Expansion, Node
from search.root.choice import preference
from search.root.statistics import CHANCE, FORCED, JOINT, TURN, Proof

# Per node of the path: the node, the key of the joint move taken, and the proof of a better move not taken, if any.
Path = list[tuple[Node, int, Proof | None]]


class Descent(NamedTuple):
    """The path of a descent, and the values of its end if they are known without playouts."""

    path: Path
    leaf: Node
    values: Values | None  # None: playouts are needed


Backup = Callable[[Path, Values, float], None]


def backup_mean(searcher: int) -> Backup:
    """Return the strategy for several players: the value of a move is the mean of its descents' values for its role."""

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
    """Return the strategy for one player: the value of a move is (1 - weight) * mean + weight * best result."""

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


LOST = -inf  # value for selection of a move proven to be worth 0: selected only if no other move is left


def backup_proof(path: Path, leaf: Node, searcher: int) -> None:
    """Propagate the proof of `leaf` up `path` until a state stays unproven."""
    proof = leaf.proof
    for node, key, _ in reversed(path):
        if proof is None or node.expansion is None:
            return
        if node.proof is None:
            node.proof = settle(node.expansion, key, proof, searcher)
        proof = node.proof


def settle(expansion: Expansion, key: int, proof: Proof, searcher: int) -> Proof | None:
    """Record the proof of joint move `key`; return the proof of the state if it is now proven."""
    known = key in expansion.proofs
    expansion.proofs[key] = proof
    if expansion.kind == TURN:
        return _settle_turn(expansion, key, proof, searcher)
    if expansion.kind == JOINT:
        return None if known else _settle_joint(expansion, key, proof)
    if expansion.kind == CHANCE and len(expansion.proofs) == expansion.width:
        return _expected(expansion.proofs.values())
    return _further(proof) if expansion.kind == FORCED else None


def _settle_turn(expansion: Expansion, key: int, proof: Proof, searcher: int) -> Proof | None:
    role = expansion.roles[0]
    own = proof.values[role]
    expansion.edges[0].values[key] = own if own > 0 else LOST
    expansion.edges[0].scales[key] = 0.0
    # No better value is possible: the mover gets 1 and, if the mover is another role, the searching role gets 0.
    unbeatable = own >= 1 and (role == searcher or proof.values[searcher] <= 0)
    if unbeatable or len(expansion.proofs) == expansion.width:
        return _further(max(expansion.proofs.values(), key=lambda each: preference(each, role, searcher)))
    return None


def _settle_joint(expansion: Expansion, key: int, proof: Proof) -> Proof | None:
    """Prove a JOINT state if one role wins whatever the others do, or if all joint moves have the same proof.

    Otherwise its value is a mixed equilibrium, which the statistics estimate.
    """
    for slot, role in enumerate(expansion.roles):
        if slot != expansion.chance and _takes_all(proof.values, role):
            move = slot, expansion.index(slot, key)
            expansion.wins[move] = expansion.wins.get(move, 0) + 1
            if expansion.takes_all(expansion.wins, *move):
                return _further(proof)
    if len(expansion.proofs) == expansion.width and len({each.values for each in expansion.proofs.values()}) == 1:
        return _further(proof)
    return None


def _takes_all(values: Values, role: int) -> bool:
    return values[role] >= 1 and sum(values) <= values[role]


def _further(proof: Proof) -> Proof:
    return Proof(proof.values, proof.distance + 1)


def _expected(proofs: Iterable[Proof]) -> Proof:
    outcomes = list(proofs)
    columns = zip(*(proof.values for proof in outcomes), strict=True)
    values = tuple(sum(column) / len(outcomes) for column in columns)
    return Proof(values, 1 + max(proof.distance for proof in outcomes))
