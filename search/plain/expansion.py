"""Expansion of nodes: terminal nodes are proven; legal moves are computed when a descent continues from a node.

A state in which some role has no legal move counts as ended, with its goals. A state that the machine cannot evaluate
within its limits counts as ended with value 0 for every role, so that one endless branch does not stop the search.
"""

from __future__ import annotations

from random import Random

from reasoner.errors import LimitError
from reasoner.language.terms import Term
from reasoner.machine import State
from search.game import SearchedGame
from search.options import SearchOptions
from search.plain.tree import Edges, Expansion, Node, Tree
from search.root.statistics import Proof

JITTER = 1e-6
"""Size of the random offset that orders unvisited moves; too small to have another effect."""

POOL = 4096
"""Initial values that all nodes share: separate numbers for each unvisited move would take half of a wide node's
memory."""


class Expander:
    """Creates nodes and expansions, and counts the states that the machine could not evaluate within its limits."""

    def __init__(self, game: SearchedGame, options: SearchOptions, rng: Random) -> None:
        self.game = game
        self.options = options
        self.rng = rng
        self.unevaluated = 0
        self._pool = [options.fpu_value + JITTER * rng.random() for _ in range(POOL)]

    def admit(self, tree: Tree, state: State) -> Node:
        """Return the node of `state` in `tree`, inserting it if needed."""
        node = tree.table.get(state)
        if node is None:
            node = tree.table[state] = self.fresh(state)
        return node

    def fresh(self, state: State) -> Node:
        """Create a node for `state`; it is proven if the state is terminal."""
        node = Node(state)
        try:
            if self.game.machine.terminal(state):
                self._end(node)
        except LimitError:
            self._give_up(node)
        return node

    def child(self, tree: Tree, node: Node, expansion: Expansion, key: int) -> Node:
        """Return the child of joint move `key`; a node outside the tree if the machine cannot compute its state."""
        state = self.following(node.state, expansion.joint(key))
        if state is None:
            return self._unknown()
        child = expansion.children[key] = self.admit(tree, state)
        return child

    def following(self, state: State, joint: tuple[Term, ...]) -> State | None:
        """Return the state after `joint`; None if the machine reaches a limit."""
        try:
            return self.game.machine.next(state, joint)
        except LimitError:
            self.unevaluated += 1
            return None

    def open(self, node: Node) -> Expansion | None:
        """Expand `node`. If a role has no move or the machine reaches a limit, prove the node and return None."""
        try:
            legal = self.game.machine.legal(node.state)
            if not all(legal):
                self._end(node)
                return None
        except LimitError:
            self._give_up(node)
            return None
        node.expansion = self.expansion(legal)
        return node.expansion

    def expansion(self, legal: tuple[tuple[Term, ...], ...]) -> Expansion:
        """Create an expansion without children; each role has at least one move."""
        expansion = Expansion.of(legal, self.game.chance)
        every = enumerate(expansion.roles)
        expansion.edges = [self._edges(0 if slot == expansion.chance else len(legal[role])) for slot, role in every]
        return expansion

    def _edges(self, count: int) -> Edges:
        first = self.rng.randrange(POOL)
        values = self._pool[first : first + count]
        while len(values) < count:
            values += self._pool[: count - len(values)]
        return Edges(values, keep_bests=self.game.single)

    def _end(self, node: Node) -> None:
        node.proof = Proof(self.game.values(self.game.machine.goal(node.state)), 0)

    def _unknown(self) -> Node:
        node = Node(None)
        node.proof = Proof(self.game.nothing, 0)
        return node

    def _give_up(self, node: Node) -> None:
        self.unevaluated += 1
        node.proof = Proof(self.game.nothing, 0)
