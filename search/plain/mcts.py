"""One simulation: descent to a leaf, expansion, playouts, and backup.

Selection is UCB1 with first-play urgency (Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning"). A move's
score is value + exploration * sqrt(ln visits of the node) * visits of the move ** -0.5. The last factor is stored as
`scales`, because a comprehension over two lists is the fastest selection in Python. A proven move needs no further
descent. If the best move is proven, the descent explores the best unproven move. The proven value is backed up above
this node, because the mover gets it. Where several roles choose at once, each uses its own statistics (decoupled UCT:
Finnsson and Björnsson 2008, CadiaPlayer), and sometimes a random move.

The value of a leaf is the mean of some random games from it. `Mcts` chooses the strategies of selection and backup by
the kind of game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Singles
from reasoner.errors import LimitError
from reasoner.language.terms import Term
from reasoner.machine import Playouts, State
from reasoner.rules.points import worth
from search.clock import Clock
from search.game import SearchedGame, Values
from search.options import FIXED_PLAYOUTS, SearchOptions
from search.plain.backup import Descent, Path, backup_best, backup_mean, backup_proof
from search.plain.budget import NODE_GUESS, Budget, Pace, Slow
from search.plain.expansion import Expander
from search.plain.tree import Edges, Expansion, Node, Tree
from search.root.statistics import CHANCE, FORCED, JOINT, Legal, Proof

SEED_BITS = 32  # width of every generator's seed
MOVES_PER_NODE = 20  # maximum number of moves in memory, per node
CALIBRATION_SEED = 0
MAX_REPEATED_SECONDS = 0.5
"""If the calls for one node take longer than these seconds, they are not repeated."""

EPSILON = 0.05
"""Probability of a random move of a role in a descent. Without it, two roles that explore in step would visit only some
joint moves (in matching pennies: heads with heads, tails with tails) and never learn the others."""


def exploration_weight(visits: int, exploration: float) -> float:
    """Return the factor of the term `scales` in a node with this many visits."""
    return exploration * sqrt(log(visits + 1))


def select_move(edges: Edges, weight: float) -> int:
    """Return the index of the move with the highest score; the first of equals."""
    scores = [value + weight * scale for value, scale in zip(edges.values, edges.scales, strict=True)]
    return scores.index(max(scores))


def select_unproven(edges: Edges, weight: float) -> int:
    """Return the index of the unproven move with the highest score; at least one move is unproven."""
    scores = [
        value + weight * scale if scale else -inf for value, scale in zip(edges.values, edges.scales, strict=True)
    ]
    return scores.index(max(scores))


def select_joint(expansion: Expansion, weight: float, rng: Random) -> int:
    """Return the key of a joint move: each role takes its best move, rarely a random one; chance draws uniformly."""
    key = 0
    for slot, edges in enumerate(expansion.edges):
        if slot == expansion.chance or rng.random() < EPSILON:
            index = int(rng.random() * len(expansion.legal[expansion.roles[slot]]))
        else:
            index = select_move(edges, 2 * weight * rng.random())
        key += index * expansion.strides[slot]
    return key


UNDECIDED = 0.5
"""Value of a cut-off playout where no role has a goal."""


class Sample(NamedTuple):
    """The result of some playouts from one state."""

    values: Values  # mean
    best: float  # 0..1, of the searching role
    made: int  # playouts; 0 if the machine reached a limit
    steps: int  # joint moves in all playouts together
    ended: bool  # whether at least one playout reached the end of its game


def simulate(game: SearchedGame, state: State, count: int, seed: int, max_steps: int) -> Sample:
    """Play `count` random games from `state`. If the machine reaches a limit, all values are 0."""
    try:
        return _sample(game, game.machine.playouts(state, count, seed, max_steps), max_steps)
    except LimitError:
        return Sample(game.nothing, 0.0, 0, 0, False)


def _sample(game: SearchedGame, playouts: Playouts, max_steps: int) -> Sample:
    goals = playouts.goals
    ended = bool(playouts.finished.any())
    if not game.single and not playouts.finished.all():
        goals = _undecided(playouts, max_steps, UNDECIDED * game.points)
    means: list[float] = goals.mean(axis=0, dtype=float).tolist()
    best = worth(float(goals[:, game.role].max()), game.points)
    return Sample(game.values(means), best, len(goals), int(playouts.lengths.sum()), ended)


def _undecided(playouts: Playouts, max_steps: int, goal: float) -> Singles:
    """Return the goals, with a neutral value for every role in cut-off games where no role has a goal.

    Games that ended because a role has no move are shorter than the limit and keep their goals.
    """
    cut = ~playouts.finished & (playouts.lengths >= max_steps) & ~playouts.goals.any(axis=1)
    return np.where(cut[:, None], np.float32(goal), playouts.goals)


Step = tuple[State, Term]


@dataclass(slots=True)
class BestSequence:
    """The best known line to a terminal state: for each state, the move to make in it."""

    value: float = -1.0  # 0..1, below 0 if no line is known
    moves: dict[State, Term] = field(default_factory=dict)

    def offer(self, value: float, steps: list[Step]) -> None:
        """Keep `steps` if they are better than the known line. Of a state that occurs twice, the later move is kept.

        Of two lines with the same value below 1, the longer one is kept: it leaves more time to find a better line.
        """
        longer = value == self.value < 1 and len(steps) > len(self.moves)
        if value > self.value or longer:
            self.value = value
            self.moves = dict(steps)

    def leave(self, state: State) -> None:
        """Drop the line if `state` is not on it, because the end of the line may be unreachable."""
        if state not in self.moves:
            self.value, self.moves = -1.0, {}


def steps_of(path: Path) -> list[Step]:
    """Return the states and moves on the path of a descent in a one-player game."""
    return [(node.state, node.expansion.joint(key)[0]) for node, key, _ in path if node.expansion is not None]


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
        """Continue from `root`, the state that the match has reached."""
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
                # A cycle. In a one-player game it has value 0; in other games the state is played out.
                return Descent(path, node, self.game.nothing if self.game.single else None)
        return Descent(path, node, node.proof.values)

    def _select(self, expansion: Expansion, visits: int) -> tuple[int, Proof | None]:
        """Return the joint move to follow, and the proof of a better joint move that is not followed, if any."""
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
        return select_unproven(expansion.edges[0], weight), expansion.proofs[key]

    def _unlinked(self, node: Node, expansion: Expansion, key: int) -> Node:
        """Return a node for a joint move without a child: the move is new, or it is proven and its node was freed."""
        proof = expansion.proofs.get(key)
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


def cost_of_calls(game: SearchedGame, expansion: Expansion, state: State, clock: Clock) -> float:
    """Return the seconds of the machine calls for one new node, measured on successors of `state`.

    The calls are measured twice and the second measurement counts, because a first call may compile something. The
    second measurement uses another state, because the machine may cache answers. It is skipped if the first was slow.
    """
    taken, legal = 0.0, expansion.legal
    for _ in range(2):
        start = clock.now()
        state, legal = _one_node(game, state, legal)
        taken = clock.now() - start
        if not legal or not all(legal) or taken > MAX_REPEATED_SECONDS:
            break
    return taken


def _one_node(game: SearchedGame, state: State, legal: Legal) -> tuple[State, Legal]:
    """Return a successor of `state` and its legal moves; no moves if it is terminal or the machine reaches a limit."""
    try:
        state = game.machine.next(state, [own[-1] for own in legal])
        game.machine.goal(state)
        return state, () if game.machine.terminal(state) else game.machine.legal(state)
    except LimitError:
        return state, ()


def calibrate(game: SearchedGame, state: State, pace: Pace, clock: Clock, budget: Budget, max_steps: int) -> None:
    """Measure playouts of 1, 2, 4, … steps until one ends or takes a leaf's share of the time.

    Nothing is measured if even one call may not fit into `budget`. The seed is fixed and the results are discarded, so
    that the search itself does not depend on the clock.
    """
    if budget.spent_by(clock.now(), pace.rest.peak):
        return
    simulate(game, state, 1, CALIBRATION_SEED, 1)  # the first call may compile or load something
    steps, taken = 1, 0.0
    while not budget.spent_by(clock.now(), max(pace.rest.peak, 2 * taken)):
        start = clock.now()
        sample = simulate(game, state, 1, CALIBRATION_SEED, steps)
        taken = clock.now() - start
        # only the longest playout counts: in a short call the overhead costs more than the steps
        pace.step, pace.length = Slow(), 0.0
        pace.note_playouts(taken, max(sample.steps, 1), 1)
        if sample.steps < steps or sample.ended or steps >= max_steps or 2 * taken > budget.share:
            break
        steps = min(2 * steps, max_steps)
