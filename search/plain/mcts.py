"""One simulation: descent to a leaf, expansion, playouts, and backup.

Each phase has its own file. What differs between kinds of games (selection and backup) is chosen once, here.
"""

from __future__ import annotations

from math import inf
from random import Random

from reasoner.machine import State
from search.clock import Clock
from search.game import SearchedGame, Values
from search.options import FIXED_PLAYOUTS, SearchOptions
from search.plain.backup import Descent, Path, backup_best, backup_mean
from search.plain.best_sequence import BestSequence, steps_of
from search.plain.budget import NODE_GUESS, Budget, Pace
from search.plain.expansion import Expander
from search.plain.proof import backup_proof
from search.plain.selection import exploration_weight, select_joint, select_move, select_unproven
from search.plain.simulation import Sample, simulate
from search.plain.tree import Expansion, Node, Tree
from search.root.statistics import CHANCE, FORCED, JOINT, Proof

SEED_BITS = 32  # width of every generator's seed
MOVES_PER_NODE = 20  # moves in memory, per node


class Mcts:
    """The state of a search between simulations: tree, costs and the best line."""

    def __init__(self, game: SearchedGame, tree: Tree, expander: Expander, clock: Clock, rng: Random) -> None:
        self.game = game
        self.tree = tree
        self.expander = expander
        self.options: SearchOptions = expander.options
        self.clock = clock
        self.rng = rng
        self.pace = Pace()
        self.line = BestSequence()
        self.simulations = 0
        self.playouts = 0
        self._backup = backup_best(self.options.best_weight) if game.single else backup_mean(game.role)
        self._descents = 0
        self._playing = 0.0  # seconds spent in playouts
        self._budget = Budget(self.pace, 0.0, inf)  # the current budget

    @property
    def wanted(self) -> int:
        """Playouts for the next leaf."""
        if self.options.playouts:
            return self.options.playouts
        if self.options.simulations:
            return FIXED_PLAYOUTS
        return self.pace.playouts

    def work(self, start: Node, budget: Budget, now: float) -> None:
        """Do one simulation from `start`, begun at the clock's time `now`."""
        self._budget, playing = budget, self._playing
        descent = self._descend(start)
        if descent.values is not None:
            self._finish(descent, descent.values, descent.values[self.game.role])
        else:
            sample = self._sample(descent.leaf.state)
            self._finish(descent, sample.values, sample.best)
        self.pace.rest.note(self.clock.now() - now - (self._playing - playing))

    def _finish(self, descent: Descent, values: Values, best: float) -> None:
        """Back up the values of a descent."""
        descent.leaf.visits += 1
        descent.leaf.total += values[self.game.role]
        self._backup(descent.path, values, best)
        proof = descent.leaf.proof
        if proof is not None:
            backup_proof(descent.path, descent.leaf, self.game.role)
            if self.game.single and proof.distance == 0:  # the game ends there: the path is the whole line
                self.line.offer(proof.values[0], steps_of(descent.path))
        self.simulations += 1

    def make_room(self, budget: Budget) -> bool:
        """Recycle a full tree; False if it is full and there is no time to recycle it."""
        count, most = len(self.tree), self.options.plain_nodes
        if count < most and self.tree.moves < MOVES_PER_NODE * most:
            return True
        began = self.clock.now()
        if budget.spent_by(began, count * (self.pace.forgetting.peak or NODE_GUESS)):
            return False
        self.tree.recycle(most // 2, MOVES_PER_NODE * most // 2)
        self.pace.forgetting.note((self.clock.now() - began) / count)
        return True

    def leave(self, root: Node) -> None:
        """Continue from `root`, the state that was really reached."""
        self.simulations = self.playouts = 0
        self.line.leave(root.state)
        self.tree.reroot(root)

    def _descend(self, start: Node) -> Descent:
        node = start
        path: Path = []
        self._descents += 1
        while node.proof is None:
            expansion = node.expansion
            if expansion is None:
                if not node.visits and path:
                    return Descent(path, node, None)
                expansion = self.expander.open(node)
                self.tree.moves += expansion.moves if expansion is not None else 0
                continue
            node.mark = self._descents
            key, known = self._select(expansion, node.visits)
            path.append((node, key, known))
            following = expansion.children.get(key)
            if following is None:
                following = self._unlinked(node, expansion, key)
            node = following
            if node.mark == self._descents:
                # A cycle. In a one-player game it has no use; otherwise the game is played out from there.
                return Descent(path, node, self.game.nothing if self.game.single else None)
        return Descent(path, node, node.proof.values)

    def _select(self, expansion: Expansion, visits: int) -> tuple[int, Proof | None]:
        """Return the joint move to follow, and the proof of a better one that was passed over for it."""
        if expansion.kind == FORCED:
            return 0, None
        if expansion.kind == CHANCE:
            return int(self.rng.random() * expansion.width), None
        weight = exploration_weight(visits, self.options.explores(steady=False))
        if expansion.kind == JOINT:
            return select_joint(expansion, weight, self.rng), None
        key = select_move(expansion.edges[0], weight)
        if expansion.edges[0].scales[key]:
            return key, None
        return select_unproven(expansion.edges[0], weight), expansion.settled[key]

    def _unlinked(self, node: Node, expansion: Expansion, key: int) -> Node:
        """Return a node for a joint move without a child: its proven node was freed, or it is new."""
        proof = expansion.settled.get(key)
        if proof is None:
            return self.expander.child(self.tree, node, expansion, key)
        forgotten = Node(None)
        forgotten.proof = proof
        return forgotten

    def _sample(self, state: State) -> Sample:
        """Play out from `state`, as far as time allows."""
        now, budget = self.clock.now(), self._budget
        count = budget.count(now, self.wanted)
        steps = budget.steps(now, count, self.options.max_steps)
        sample = simulate(self.game, state, count, self.rng.getrandbits(SEED_BITS), steps)
        taken = self.clock.now() - now
        self._playing += taken
        if sample.made:
            self.pace.note_playouts(taken, sample.steps, sample.made)
            self.playouts += sample.made
        else:
            self.expander.unevaluated += 1
        return sample
