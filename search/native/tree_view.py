"""View of the native tree for `search.root`: the statistics of single nodes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from math import inf
from typing import Any

import numpy as np

from reasoner.arrays import Ints
from reasoner.kernels.memory import address
from reasoner.language.terms import Term
from search.native.layout import CLOSED, JOINT_CHILD, Records
from search.native.numbering import Numbering
from search.native.transpositions import joint_edge_of
from search.native.tree import Tree
from search.root.statistics import (
    JOINT,
    NO_SLOT,
    TURN,
    JointMoves,
    JointStats,
    Legal,
    MoveStatistics,
    Proof,
    Statistics,
)
from search.root.summary import principal_variation, variations


class TreeView:
    """Reads a tree while other threads may write to it, so numbers may come from slightly different times."""

    def __init__(self, tree: Tree, numbering: Numbering) -> None:
        self._tree = tree
        self._numbering = numbering
        self._game = numbering.game

    def statistics(self, number: int) -> Statistics:
        """Return the statistics of a node."""
        record = self._tree.nodes[number]
        visits, total = int(record["visits"]), float(record["total"])
        proof = self._proof(record)
        if not record["count"]:
            return Statistics(visits, total, proof)
        moves = self._moves(record, self._legal(number))
        edges = self._edges(number)
        joint = moves.kind == JOINT
        return Statistics(
            visits=visits,
            total=total,
            proof=proof,
            moves=moves,
            by_slot=self._by_slot(moves, edges),
            proofs={} if joint else self._proofs(edges),
            winning=self._winning(moves, edges) if joint else (),
            joint_stats=self._joint_stats(number, moves),
        )

    def child(self, number: int, key: int) -> int | None:
        """Return the child node of joint move `key`; None if it is unknown."""
        record = self._tree.nodes[number]
        if record["kind"] != JOINT:
            return int(self._edges(number)["child"][key]) or None
        moves = self._moves(record, self._legal(number))
        return self._child_of_joint_move(number, moves)(key) or None

    def edge(self, number: int, index: int) -> int:
        """Return the edge of the move with this index in a node where one role chooses."""
        return int(self._order(number)[index])

    def variation(self, root: int) -> tuple[tuple[Term, ...], ...]:
        """Return the principal variation as far as the tree knows it, up to a chance move."""
        return principal_variation(root, self.statistics, self.child, self._game.role) if root else ()

    def variations(self, root: int) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """Return the lines of the most visited moves, as far as the tree knows them."""
        return variations(root, self.statistics, self.child, self._game.role) if root else ()

    def _proof(self, record: Any) -> Proof | None:  # noqa: ANN401 a node or an edge: numpy has no type for it
        outcome = int(record["proof"])
        return Proof(tuple(self._tree.outcomes[outcome].tolist()), int(record["distance"])) if outcome > 0 else None

    def _legal(self, number: int) -> Legal:
        return self._numbering.legal(self._tree.words[number, : self._numbering.width])

    def _moves(self, record: Any, legal: Legal) -> JointMoves:  # noqa: ANN401 as above
        roles = tuple(role for role, own in enumerate(legal) if len(own) > 1)
        chance = roles.index(self._game.chance) if self._game.chance in roles else NO_SLOT
        return JointMoves(int(record["kind"]) if record["kind"] < CLOSED else TURN, legal, roles, chance)

    def _order(self, number: int) -> Ints:
        """Return the edges of a node, by place, in the order of their moves' numbers."""
        first, count = self._tree.nodes[number]["first"], self._tree.nodes[number]["count"]
        order: Ints = np.argsort(self._tree.edges["move"][first : first + count], kind="stable").astype(np.int32)
        order += first
        return order

    def _edges(self, number: int) -> Records:
        """Copy the edges of a node in the order of their moves' numbers."""
        return self._tree.edges[self._order(number)]

    def _by_slot(self, moves: JointMoves, edges: Records) -> tuple[MoveStatistics, ...]:
        starts = _starts(moves)
        return tuple(
            self._of_role(edges[start : start + len(moves.legal[role])] if slot != moves.chance else edges[:0])
            for slot, (role, start) in enumerate(zip(moves.roles, starts, strict=True))
        )

    def _of_role(self, edges: Records) -> MoveStatistics:
        means = (edges["total"] / np.maximum(edges["visits"], 1)).tolist()
        bests = edges["best"].astype(float).tolist() if self._game.single else means
        return MoveStatistics(edges["visits"].tolist(), means, bests)

    def _proofs(self, edges: Records) -> dict[int, Proof]:
        proofs = ((key, self._proof(edges[key])) for key in np.flatnonzero(edges["proof"] > 0).tolist())
        return {key: proof for key, proof in proofs if proof is not None}

    def _winning(self, moves: JointMoves, edges: Records) -> list[int | None]:
        """Return by slot a move that takes all, from the counts of edges: there may be millions of joint moves."""
        wins = edges["best"].astype(int).tolist()
        counted: dict[tuple[int, int], int] = {}
        for slot, start in enumerate(_starts(moves)):
            own = wins[start : start + len(moves.legal[moves.roles[slot]])]
            counted.update({(slot, index): count for index, count in enumerate(own) if count})
        return moves.winning(counted)

    def _joint_stats(self, number: int, moves: JointMoves) -> JointStats:
        linked = self._child_of_joint_move(number, moves)

        def joint_stats(key: int) -> tuple[float, float]:
            child = linked(key)
            if not child:
                return 0.0, 0.0
            record = self._tree.nodes[child]
            proof = self._proof(record)
            if proof is not None:
                return proof.values[self._game.role], inf
            return float(record["total"]), int(record["visits"])

        return joint_stats

    def _child_of_joint_move(self, number: int, moves: JointMoves) -> Callable[[int], int]:
        """Return a function from the key of a joint move in a JOINT node to its child node; 0 if none is known."""
        order, picks = self._order(number), np.zeros(self._tree.count("roles"), np.int32)
        slots = [*enumerate(zip(moves.roles, _starts(moves), strict=True))]

        def linked(key: int) -> int:
            for slot, (role, start) in slots:
                picks[role] = order[start + moves.index(slot, key)]
            return int(self._tree.joint_edges[joint_edge_of(self._tree.record, number, address(picks)), JOINT_CHILD])

        return linked


def _starts(moves: JointMoves) -> list[int]:
    """Return by slot the start of its role's moves, in the order of their numbers."""
    return [*accumulate((len(moves.legal[role]) for role in moves.roles), initial=0)][:-1]
