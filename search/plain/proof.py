"""Exact values: what is proven of the states below proves the state above.

MCTS-Solver (Winands, Björnsson and Saito 2008) for any number of roles and general-sum goals: a state is worth
what its mover's best move is worth. Proofs are made from the ends of the game upwards only, so they hold in games
whose states form cycles. Ties of another role are resolved against the searching role.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from search.game import Values
from search.plain.backup import Path
from search.plain.tree import Expansion, Node
from search.root.choice import preference
from search.root.statistics import CHANCE, FORCED, JOINT, TURN, Proof

LOST = -inf  # the value selection reads for a move proven to bring nothing: never taken while another is open


def backup_proof(path: Path, leaf: Node, searcher: int) -> None:
    """Carry the proof of `leaf` up along `path` as far as it settles anything."""
    proof = leaf.proof
    for node, key, _ in reversed(path):
        if proof is None or node.expansion is None:
            return
        if node.proof is None:
            node.proof = settle(node.expansion, key, proof, searcher)
        proof = node.proof


def settle(expansion: Expansion, key: int, proof: Proof, searcher: int) -> Proof | None:
    """Note that joint move `key` leads to `proof`; the proof of the whole state when that decides it."""
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
    # Nothing better can come: the mover has it all, and if it is another role, the searching role has nothing.
    unbeatable = own >= 1 and (role == searcher or proof.values[searcher] <= 0)
    if unbeatable or len(expansion.settled) == expansion.width:
        return _further(max(expansion.settled.values(), key=lambda each: preference(each, role, searcher)))
    return None


def _settle_joint(expansion: Expansion, key: int, proof: Proof) -> Proof | None:
    """A state where several choose at once is proven when one role wins it all whatever the others do, or all is one.

    Its general value is a mixed equilibrium, which is left to the statistics.
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
