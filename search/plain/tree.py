"""Search tree with transpositions: one node per state.

A node gets its `Expansion` (legal moves, statistics, children) in the first descent through it. Statistics belong to
the moves of the parent, not to the child. So each descent writes only to its own path, which is also correct when paths
join or form a cycle (Childs, Brodeur and Kocsis 2008, "Transpositions and move groups in Monte Carlo tree search",
UCT1).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from reasoner.machine import State
from search.root.statistics import JointMoves, JointStats, Legal, MoveStatistics, Proof, Statistics


class Edges:
    """The statistics of one role's moves in one state; all lists are [moves]."""

    __slots__ = ("bests", "means", "scales", "values", "visits")

    def __init__(self, values: list[float], keep_bests: bool) -> None:
        self.values = values  # values for selection: the mean, the mean mixed with the best, or a proven value
        self.scales = [1.0] * len(values)  # visits ** -0.5; 1 before the first visit; 0 if proven
        self.visits = [0] * len(values)
        self.means = [0.0] * len(values) if keep_bests else values
        self.bests = [0.0] * len(values) if keep_bests else values


class Expansion(JointMoves):
    """The legal moves of a state with their statistics and children."""

    __slots__ = ("children", "edges", "moves", "proofs", "wins")

    def __init__(self, kind: int, legal: Legal, roles: tuple[int, ...], chance: int) -> None:
        super().__init__(kind, legal, roles, chance)
        self.edges: list[Edges] = []  # by slot; empty lists for chance
        self.moves = sum([len(own) for own in legal])  # of all roles together
        self.children: dict[int, Node] = {}  # by key
        self.proofs: dict[int, Proof] = {}  # by key; kept when the child is freed
        self.wins: dict[tuple[int, int], int] = {}  # in JOINT, by slot and move: joint moves proven to take all


class Node:
    """A state and its statistics."""

    __slots__ = ("expansion", "mark", "proof", "state", "total", "visits")

    def __init__(self, state: State) -> None:
        self.state = state
        self.visits = 0  # descents that reached it
        self.total = 0.0  # sum of the values for the searching role
        self.mark = 0  # number of the last descent through the node
        self.proof: Proof | None = None
        self.expansion: Expansion | None = None

    def statistics(self, searcher: int) -> Statistics:
        """Return the statistics for `search.root`; the lists are not copied."""
        expansion = self.expansion
        if expansion is None:
            return Statistics(self.visits, self.total, self.proof)
        return Statistics(
            visits=self.visits,
            total=self.total,
            proof=self.proof,
            moves=expansion,
            by_slot=tuple(MoveStatistics(own.visits, own.means, own.bests) for own in expansion.edges),
            proofs=dict(expansion.proofs),
            winning=expansion.winning(expansion.wins),
            joint_stats=_joint_stats(expansion, searcher),
        )


def _joint_stats(expansion: Expansion, searcher: int) -> JointStats:
    def joint_stats(key: int) -> tuple[float, float]:
        child = expansion.children.get(key)
        if child is None:
            return 0.0, 0.0
        return (child.total, child.visits) if child.proof is None else (child.proof.values[searcher], inf)

    return joint_stats


@dataclass(slots=True)
class Tree:
    """All nodes in memory, by state; `root` is always one of them."""

    root: Node
    table: dict[State, Node] = field(init=False)
    moves: int = 0  # moves of all expansions: they use most of the memory apart from nodes

    def __post_init__(self) -> None:
        """Insert the root."""
        self.table = {self.root.state: self.root}

    def __len__(self) -> int:
        return len(self.table)

    def reroot(self, root: Node) -> None:
        """Make `root` the root and free all nodes that cannot be reached from it."""
        self.root = root
        self._forget_all_but(_reachable(root, 0))

    def recycle(self, keep: int, moves: int) -> None:
        """Free the least visited subtrees until at most `keep` + 1 nodes remain; parents keep the statistics of moves.

        Fewer nodes remain if they would have more than `moves` moves together.
        """
        self._forget_below(keep)
        while self.moves > moves and keep > 0:
            keep //= 2
            self._forget_below(keep)

    def _forget_below(self, keep: int) -> None:
        visits = sorted((node.visits for node in self.table.values()), reverse=True)
        if keep < len(visits):
            self._forget_all_but(_reachable(self.root, visits[keep] + 1))

    def _forget_all_but(self, kept: dict[State, Node]) -> None:
        for state, node in self.table.items():
            if state not in kept and node.expansion is not None:
                # A cycle would stay alive until the garbage collector runs, which is disabled during a search.
                node.expansion.children.clear()
        self.table = kept
        self.moves = sum([node.expansion.moves for node in kept.values() if node.expansion is not None])


def _reachable(root: Node, least: int) -> dict[State, Node]:
    """Return the nodes reachable from `root` through nodes of at least `least` visits; all other links are cut."""
    found = {root.state: root}
    waiting = [root]
    while waiting:
        expansion = waiting.pop().expansion
        if expansion is None:
            continue
        if least:
            expansion.children = {key: child for key, child in expansion.children.items() if child.visits >= least}
        for child in expansion.children.values():
            if child.state not in found:
                found[child.state] = child
                waiting.append(child)
    return found
