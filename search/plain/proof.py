"""Proof backup: the proofs of the states below prove the state above.

MCTS-Solver (Winands, Björnsson and Saito 2008) for any number of roles and general-sum goals: the value of a state is
that of its mover's best move. Proofs start at ends of the game only, so they hold in games whose states form cycles.
Ties of another role are resolved against the searching role.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from search.game import Values
from search.plain.backup import Path
from search.plain.tree import Expansion, Node
from search.root.choice import preference
from search.root.statistics import CHANCE, FORCED, JOINT, TURN, Proof

LOST = -inf  # the value that selection sees for a move proven to be worth 0: chosen only when no other is left


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
    """Record that joint move `key` leads to `proof`; return the proof of the state if that decides it."""
    known = key in expansion.settled
    expansion.settled[key] = proof
    if expansion.kind == TURN:
        return _settle_turn(expansion, key, proof, searcher)
    if expansion.kind == JOINT:
        return None if known else _settle_joint(expansion, key, proof)
    if expansion.kind == CHANCE and len(expansion.settled) == expansion.width:
        return _expected(expansion.settled.values())
    return _further(proof) if expansion.kind == FORCED else None


def _settle_turn(expansion: Expansion, key: int, proof: Proof, searcher: int) -> Proof | None:
    role = expansion.roles[0]
    own = proof.values[role]
    expansion.edges[0].values[key] = own if own > 0 else LOST
    expansion.edges[0].scales[key] = 0.0
    # Nothing better is possible: the mover gets everything and, if it is another role, the searching role gets nothing.
    unbeatable = own >= 1 and (role == searcher or proof.values[searcher] <= 0)
    if unbeatable or len(expansion.settled) == expansion.width:
        return _further(max(expansion.settled.values(), key=lambda each: preference(each, role, searcher)))
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
    if len(expansion.settled) == expansion.width and len({each.values for each in expansion.settled.values()}) == 1:
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
