"""New nodes: what is terminal is proven at once, and legal moves are asked for only when a descent goes on.

A state in which some role has no legal move though the game is not over counts as ended, with its goals. A state
that the machine cannot evaluate within its limits counts as ended with nothing for anyone, so that one endless
branch does not end the search.
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
"""Makes the order in which untried moves are taken a random one, and is too small to matter otherwise."""

POOL = 4096
"""So many first values are drawn once and shared by all nodes: a number of its own for each move not yet tried would be
half of a wide node's memory."""


class Expander:
    """Makes nodes and expansions; counts the states given up."""

    def __init__(self, game: SearchedGame, options: SearchOptions, rng: Random) -> None:
        self.game = game
        self.options = options
        self.rng = rng
        self.unevaluated = 0
        self._pool = [options.first_play + JITTER * rng.random() for _ in range(POOL)]

    def admit(self, tree: Tree, state: State) -> Node:
        """The node of `state` in `tree`, made when there is none."""
        node = tree.table.get(state)
        if node is None:
            node = tree.table[state] = self.fresh(state)
        return node

    def fresh(self, state: State) -> Node:
        """A node of its own for `state`, proven when the game is over there."""
        node = Node(state)
        try:
            if self.game.machine.terminal(state):
                self._end(node)
        except LimitError:
            self._give_up(node)
        return node

    def child(self, tree: Tree, node: Node, expansion: Expansion, key: int) -> Node:
        """The node that joint move `key` leads to; one outside the tree where the machine cannot say which."""
        state = self.following(node.state, expansion.joint(key))
        if state is None:
            return self._unknown()
        child = expansion.children[key] = self.admit(tree, state)
        return child

    def following(self, state: State, joint: tuple[Term, ...]) -> State | None:
        """The state after `joint`; None where the machine reaches a limit."""
        try:
            return self.game.machine.next(state, joint)
        except LimitError:
            self.unevaluated += 1
            return None

    def open(self, node: Node) -> Expansion | None:
        """Give `node` its expansion; None, and the node proven, where a role has no move or the machine gives up."""
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
        """A expansion without children; each role has at least one move."""
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
