"""Best line of a one-player game, and nested search for the moves behind a playout's result.

A machine returns the results of its playouts, not their moves. A nested search reconstructs a line to such a result:
from the leaf, it takes the first move after which a batch of playouts reaches the result again, until the game is over
(Cazenave 2009, "Nested Monte-Carlo search").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from reasoner.language.terms import Term
from reasoner.machine import State
from search.plain.backup import Descent, Path
from search.plain.expansion import Expander
from search.plain.simulation import Sample
from search.plain.tree import Expansion, Node

ROUNDS = 5
"""Rounds of a nested search per state before it gives up; each doubles the playouts."""

Step = tuple[State, Term]
Sampler = Callable[[State, int], Sample]  # from a state, and a factor on the usual number of playouts


@dataclass(slots=True)
class BestSequence:
    """The best known line to an end: its moves by the state they are made in."""

    value: float = -1.0  # 0..1, below 0 if no line is known
    moves: dict[State, Term] = field(default_factory=dict)

    def offer(self, value: float, steps: list[Step]) -> None:
        """Keep `steps` if they are better than the known line; a state that occurs twice keeps its later move.

        Of two lines of the same value below 1 the longer one is kept: it leaves more time to find a better one.
        """
        longer = value == self.value < 1 and len(steps) > len(self.moves)
        if value > self.value or longer:
            self.value = value
            self.moves = dict(steps)

    def leave(self, state: State) -> None:
        """Drop the line if `state` is not on it: its end may be unreachable."""
        if state not in self.moves:
            self.value, self.moves = -1.0, {}


def steps_of(path: Path) -> list[Step]:
    """Return the states and moves of a descent in a one-player game."""
    return [(node.state, node.expansion.joint(key)[0]) for node, key, _ in path if node.expansion is not None]


def nested_search(
    expander: Expander, line: BestSequence, descent: Descent, target: float, sample: Sampler
) -> Iterator[None]:
    """Search a line of value `target` through the leaf of `descent`; yield after every few machine calls.

    No state is visited twice, so the search ends even if the game's states form cycles.
    """
    steps, node = steps_of(descent.path), descent.leaf
    passed = {state for state, _ in steps}
    while target > line.value and node.proof is None:
        expansion = expander.open(node)
        yield
        if expansion is None:
            break
        passed.add(node.state)
        found = None
        for child, move, value in _tries(expander, node, expansion, passed, sample):
            if value >= target:
                found = child, move
                break
            yield
        if found is None:
            return
        steps.append((node.state, found[1]))
        node = found[0]
    if node.proof is not None and node.proof.distance == 0:
        line.offer(node.proof.values[0], steps)


def _tries(
    expander: Expander, node: Node, expansion: Expansion, passed: set[State], sample: Sampler
) -> Iterator[tuple[Node, Term, float]]:
    """Yield each move's child and the best result of playouts from it, in rounds of doubling size."""
    children: list[tuple[Node, Term]] = []
    for key in range(expansion.width):
        joint = expansion.joint(key)
        state = expander.following(node.state, joint)
        if state is None or state in passed:
            continue
        child = expander.fresh(state)
        if child.proof is None:
            children.append((child, joint[0]))
        best = child.proof.values[0] if child.proof else sample(state, 1).best
        yield child, joint[0], best
    for round_ in range(1, ROUNDS):
        for child, move in children:
            yield child, move, sample(child.state, 1 << round_).best
