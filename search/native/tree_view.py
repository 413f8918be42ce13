"""The native tree as the rest of the search reads it: single nodes turned into those of `search.plain.tree`."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from reasoner.language.terms import Term
from search.native.layout import CLOSED, JOINT, LINK_CHILD, address
from search.native.numbering import Legal, Numbering
from search.native.transpositions import link_of
from search.native.tree import Tree
from search.plain.proof import LOST
from search.plain.simultaneous import Worth
from search.plain.tree import CHANCE, NO_SLOT, TURN, Edges, Expansion, Node, Proof
from search.root.summary import LONGEST_VARIATION, expected, worth_of


class View:
    """Reads a tree that other threads may be writing: single numbers may be a moment apart."""

    def __init__(self, tree: Tree, numbering: Numbering) -> None:
        self._tree = tree
        self._numbering = numbering
        self._game = numbering.game

    def node(self, number: int) -> Node:
        """A node with its expansion, without children."""
        node = self.bare(number)
        if self._tree.nodes[number]["count"]:
            node.expansion = self._expansion(number, self._numbering.legal(self._tree.words[number]))
        return node

    def bare(self, number: int) -> Node:
        """A node without what leads on from it."""
        record, node = self._tree.nodes[number], Node(number)
        node.visits, node.total = int(record["visits"]), float(record["total"])
        node.proof = self.proof(int(record["proof"]), int(record["distance"]))
        return node

    def proof(self, outcome: int, distance: int) -> Proof | None:
        """A proof by its number."""
        if outcome <= 0:
            return None
        return Proof(tuple(self._tree.outcomes[outcome].tolist()), distance)

    def child(self, number: int, expansion: Expansion, key: int) -> int:
        """The node that a joint move leads to; 0 where none is known."""
        record = self._tree.nodes[number]
        if expansion.kind == JOINT:
            return self._linked(number, expansion, key)
        edges = self._tree.edges[record["first"] : record["first"] + record["count"]]
        return int(edges["child"][self._order(number)[key]])

    def worth(self, number: int, expansion: Expansion | None) -> Worth:
        """What is known of the joint moves of a node, by their keys."""
        if expansion is None or expansion.kind != JOINT:
            return lambda _: (0.0, 0.0)
        first = int(self._tree.nodes[number]["first"])
        order, starts = [first + at for at in self._order(number)], self._starts(expansion)
        picks = np.zeros(self._tree.count("roles"), np.int32)

        def known(key: int) -> tuple[float, float]:
            for slot, (role, start) in enumerate(zip(expansion.roles, starts, strict=True)):
                picks[role] = order[start + expansion.index(slot, key)]
            child = int(self._tree.links[link_of(self._tree.record, number, address(picks)), LINK_CHILD])
            return worth_of(self.bare(child) if child else None, self._game.role)

        return known

    def variation(self, root: int) -> tuple[tuple[Term, ...], ...]:
        """The joint moves of best play as far as the tree knows it, up to a move of chance."""
        found: list[tuple[Term, ...]] = []
        seen: set[int] = set()
        while root and root not in seen and len(found) < LONGEST_VARIATION:
            seen.add(root)
            node = self.node(root)
            expansion = node.expansion
            if expansion is None or not node.visits or expansion.kind == CHANCE or expansion.chance >= 0:
                break
            key = expected(expansion, self._game.role)
            found.append(expansion.joint(key))
            root = self.child(root, expansion, key)
        return tuple(found)

    def _order(self, number: int) -> list[int]:
        """The edges of a node, counted from its first, in the order of their moves' numbers."""
        record = self._tree.nodes[number]
        moves = self._tree.edges["move"][record["first"] : record["first"] + record["count"]]
        order: list[int] = np.argsort(moves, kind="stable").tolist()
        return order

    def _expansion(self, number: int, legal: Legal) -> Expansion:
        record = self._tree.nodes[number]
        roles = tuple(role for role, own in enumerate(legal) if len(own) > 1)
        chance = roles.index(self._game.chance) if self._game.chance in roles else NO_SLOT
        expansion = Expansion(int(record["kind"]) if record["kind"] < CLOSED else TURN, legal, roles, chance)
        order, start = self._order(number), int(record["first"])
        for role in roles:
            count, chosen = len(legal[role]), role != self._game.chance
            expansion.edges.append(self._edges([start + at for at in order[:count]] if chosen else []))
            order = order[count:]
        self._settle(number, expansion)
        return expansion

    def _edges(self, places: list[int]) -> Edges:
        """The statistics of some edges, in this order."""
        single = self._game.single
        edges = Edges([0.0] * len(places), keep_bests=single)
        records = self._tree.edges[places]
        edges.visits = records["visits"].tolist()
        edges.means = (records["total"] / np.maximum(records["visits"], 1)).tolist()
        edges.bests = records["best"].astype(float).tolist() if single else edges.means
        edges.values = list(edges.means)
        return edges

    def _settle(self, number: int, expansion: Expansion) -> None:
        """Note what is proven of the moves; of JOINT how many joint moves take all, for there may be millions."""
        first = int(self._tree.nodes[number]["first"])
        if expansion.kind == JOINT:
            wins = self._tree.edges["best"][[first + at for at in self._order(number)]].astype(int).tolist()
            for slot, start in enumerate(self._starts(expansion)):
                own = wins[start : start + len(expansion.legal[expansion.roles[slot]])]
                expansion.wins.update({(slot, index): count for index, count in enumerate(own) if count})
            return
        for key, at in enumerate(self._order(number)):
            edge = self._tree.edges[first + at]
            proof = self.proof(int(edge["proof"]), int(edge["distance"]))
            if proof is None:
                continue
            expansion.settled[key] = proof
            if expansion.kind == TURN:
                own = proof.values[expansion.roles[0]]
                expansion.edges[0].values[key], expansion.edges[0].scales[key] = own if own > 0 else LOST, 0.0

    def _linked(self, number: int, expansion: Expansion, key: int) -> int:
        """The node that a joint move of a JOINT node leads to; 0 where none is known."""
        first, order = int(self._tree.nodes[number]["first"]), self._order(number)
        picks = np.zeros(self._tree.count("roles"), np.int32)
        for slot, (role, start) in enumerate(zip(expansion.roles, self._starts(expansion), strict=True)):
            picks[role] = first + order[start + expansion.index(slot, key)]
        return int(self._tree.links[link_of(self._tree.record, number, address(picks)), LINK_CHILD])

    def _starts(self, expansion: Expansion) -> list[int]:
        """Where the moves of each role with a choice begin, in the order of their numbers."""
        return [*accumulate((len(expansion.legal[role]) for role in expansion.roles[:-1]), initial=0)]
