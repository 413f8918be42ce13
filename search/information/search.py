"""Information-set Monte Carlo tree search with a tree for each role (MO-ISMCTS: Cowling, Powley and Whitehouse 2012).

A *sweep* plays some hundred games together. Each game starts in a state drawn from our belief, and descends in the
trees of all roles at once. A role's node depends on its moves and percepts since the root, never on the state, so a
role cannot use what it does not know. Outside its tree a role moves at random. A limitation of this method: the tree
of another role has a single root, whatever that role may already know.

Later goals are discounted (`DISCOUNT_PER_MOVE`). Among moves of equal value, the agent plays the move whose percepts
give the most information about the state, that is, have the highest entropy over our belief.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence

import numpy as np

from reasoner.arrays import Bools, Floats, Ints, Longs
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.chance import is_chance
from search.belief.belief import Belief
from search.belief.games import DRAWN, Games, games_of
from search.clock import Clock
from search.information.opening import MAX_OPENING_MOVES, Opening
from search.information.root import Root, entropy
from search.information.tree import (
    EDGES,
    ENTRIES,
    NODES,
    OUTSIDE,
    Rule,
    Trees,
    back_up,
    choose,
    descend,
    enter,
    grown,
    new_paths,
    read_node,
    trees,
)
from search.report import MoveReport, Report

EXPLORATION = 0.7
SMOOTH = 0.02
"""Value of `Rule.smooth` if other roles play."""
DISCOUNT_PER_MOVE = 0.995
"""Factor on a goal per joint move."""
MAX_PLAYOUT_MOVES = 400
"""Maximum joint moves of a playout; a longer playout has value 0."""
MAX_TREE_MOVES = 64
"""Maximum joint moves of a game inside the trees."""
MAX_EDGES = 1 << 21
"""Maximum number of edges of all trees together. An edge takes about 80 bytes."""
PLAYOUTS_PER_LEAF = 4
"""Maximum number of playouts per game: the mean of several varies less."""
MIN_SWEEP_GAMES = 32
"""Number of games in the first sweep, and in a sweep with little time left."""
MIN_MIXED_SHARE = 0.3
"""If other roles play, moves with at least this share of the most visited move's visits are mixed, so that the others
cannot predict our move."""
MIN_COUNTED_GAMES = 128
"""Number of games after which the share that reproduces our percepts is evaluated."""
MIN_SWEEPS = 64
"""A sweep has at most 1 / this of the games so far, because games of one sweep do not learn from each other."""
MAX_COMPARED_MOVES = 256
"""Maximum number of moves whose information is computed."""


class InformationSearch:
    """Search from the current belief.

    If `mixes` and other roles play, games start some turns back, Smooth UCT selects moves (`Rule`), and the move to
    play is drawn. Then opponents gain little from knowing our strategy. Otherwise the best move is played, which wins
    more against opponents who do not know our strategy.
    """

    def __init__(self, belief: Belief, clock: Clock, seed: int = 1, *, mixes: bool = False) -> None:
        machine = belief.machine
        self.belief = belief
        self._clock = clock
        self._random = np.array(np.random.SeedSequence(seed).generate_state(1, np.uint64), np.uint64)
        self._rng = np.random.default_rng(seed)
        self._games: Games = games_of(machine, seed)
        self._players = [role for role, name in enumerate(machine.roles) if not is_chance(name) or role == belief.role]
        self._seed = seed
        self._mixes = mixes and len(self._players) > 1
        self._rule = Rule(EXPLORATION, SMOOTH if self._mixes else 0.0)
        self._trees: Trees = trees()
        self._paths = {role: new_paths(self._games.room, MAX_TREE_MOVES) for role in self._players}
        self._none = np.zeros(self._games.room, np.uint64)
        self._in_order = np.arange(self._games.room)  # one order for all roles; wins more if nothing is mixed
        self._opening = Opening(belief, self._games, MAX_OPENING_MOVES if self._mixes else 0, seed)
        self._most = max(self._games.room // PLAYOUTS_PER_LEAF, min(MIN_SWEEP_GAMES, self._games.room))
        self._count = min(MIN_SWEEP_GAMES, self._most)
        self.simulations = self.playouts = 0
        self.seconds = 0.0

    def think(self, deadline: float, stop: Callable[[], bool] = lambda: False, latest: float = math.inf) -> None:
        """Sweep until the deadline. A sweep after the first starts only if it is expected to end in time.

        The first sweep ends by `latest`, without a result if its games take longer.
        """
        began = self._clock.now()
        while True:
            before = self._clock.now()
            swept = self._sweep(self._count, latest)
            now = self._clock.now()
            self.seconds = self.seconds + now - before
            each = (now - before) / self._count
            most = min(max(self.simulations // MIN_SWEEPS, MIN_SWEEP_GAMES), self._most)
            self._count = int(min(max((deadline - now) / 4 / max(each, 1e-6), MIN_SWEEP_GAMES), most))
            if not swept or stop() or now + 2 * each * self._count > deadline or now < began:
                return

    def best(self, deadline: float = math.inf) -> Term:
        """Return the move to play by the deadline; any legal move if nothing was searched."""
        root = self._root()
        if not len(root.moves):
            return self.belief.favourites()[0]
        if self._mixes:
            return self._games.move(self.belief.role, int(root.moves[self._drawn(root)]))
        root = self._requested(root)
        candidates = self._candidates(root, root.close())
        if len(candidates) > 1:
            information = self._information(root, candidates[:MAX_COMPARED_MOVES], deadline)
            candidates = [
                place for place, bits in zip(candidates, information, strict=False) if bits > max(information) - 1e-6
            ]
        place = max(candidates, key=lambda place: (root.visits[place], root.means()[place]))
        return self._games.move(self.belief.role, int(root.moves[place]))

    def likeliest(self) -> Term:
        """Return the most visited move: the move to play if there is no more time."""
        root = self._root()
        if not len(root.moves):
            return self.belief.favourites()[0]
        return self._games.move(self.belief.role, int(root.moves[root.ranked()[0]]))

    def report(self) -> Report:
        """Return the report of our root, the most visited move first."""
        root, role = self._root(), self.belief.role
        means = root.means()
        moves = tuple(
            MoveReport(
                self._games.move(role, int(root.moves[i])), int(root.visits[i]), float(100 * means[i]), proven=False
            )
            for i in root.ranked()
        )
        games, seconds, nodes = self.simulations, self.seconds, int(self._trees.used[NODES])
        return Report(games, self.playouts, seconds, nodes, moves, (), solved=False, unevaluated=0)

    def _root(self) -> Root:
        role = self.belief.role
        enter(self._trees, role, np.full(1, self._opening.root), 1, self._paths[role])
        figures = np.zeros((3, self._games.legal(role).shape[1]))
        read_node(self._trees, int(self._paths[role].here[0]), figures)
        return Root.of(figures)

    def _candidates(self, root: Root, places: list[int]) -> list[int]:
        """Return the `places` of moves that are legal with the highest probability; all `places` if there are none."""
        legal = {self._games.number(self.belief.role, move) for move in self.belief.favourites()}
        return [i for i in places if int(root.moves[i]) in legal] or places

    def _requested(self, root: Root) -> Root:
        """Return our root with the values of requesting its moves, some of which may be illegal."""
        states, weights = self._weighted_states()
        self._games.put(states)
        legal = self._games.legal(self.belief.role)[: len(states), root.moves]
        return root if legal.all() else root.requested(legal, np.array(weights))

    def _drawn(self, root: Root) -> int:
        """Draw the index of a frequently visited move in proportion to visits, which is hard to exploit."""
        places = self._candidates(root, root.ranked())
        often = [place for place in places if root.visits[place] >= MIN_MIXED_SHARE * root.visits[places[0]]]
        return int(self._rng.choice(often, p=root.visits[often] / root.visits[often].sum()))

    def _information(self, root: Root, places: list[int], deadline: float) -> list[float]:
        """Return for each move the entropy in bits of our percepts over our belief, if the others move at random.

        If the deadline is near, the result covers fewer moves than `places`, but at least one.
        """
        found = list[float]()
        for place in places:
            if found and self._clock.now() > deadline:
                break
            found.append(entropy(list(self._outcomes(int(root.moves[place])).values())))
        return found

    def _outcomes(self, move: int) -> dict[tuple[Hashable, bool], float]:
        """Return the weight of each pair of our percepts after our move and whether the game is then over."""
        role, found = self.belief.role, dict[tuple[Hashable, bool], float]()
        states, weights = self._weighted_states()
        self._games.put(states)
        actions = np.full((self._games.room, len(self.belief.machine.roles)), DRAWN, np.int32)
        actions[: len(states), role] = np.where(self._games.legal(role)[: len(states), move], move, DRAWN)
        self._games.step(actions)
        for key, end, weight in zip(self._games.seen(role), self._games.over().tolist(), weights, strict=False):
            found[key, end] = found.get((key, end), 0.0) + weight
        return found

    def _weighted_states(self) -> tuple[Sequence[State], list[float]]:
        """Return the states of our belief with their weights, or a sample that fits into one sweep."""
        now, room = self.belief.now, self._games.room
        if len(now.states) <= room:
            return now.states, now.weights.tolist()
        return self.belief.drawn(room), [1.0] * room

    def _sweep(self, count: int, latest: float) -> bool:
        """Play `count` games through the trees, and back up their results; False if time is over before they end."""
        games, lengths = self._games, np.zeros(self._games.room, np.int64)
        self._open(count)
        while (running := self._running(count)).any() and any(
            (paths.here != OUTSIDE).any() for paths in self._paths.values()
        ):
            lengths[running] += 1
            games.step(self._choose(running))
            self._descend()
            if self._clock.now() > latest:
                return False
        values = self._played_out(count, lengths, latest)
        if values is None:
            return False
        for role, paths in self._paths.items():
            back_up(self._trees, paths, values[role, :count])
        self.simulations += count
        if self._opening.rare and self._opening.begun >= MIN_COUNTED_GAMES:
            self._begin_later()
        return True

    def _open(self, count: int) -> None:
        """Start `count` games, and play the opening."""
        opening, own = self._opening, self.belief.role
        opening.begin(count)
        for role, paths in self._paths.items():
            enter(self._trees, role, self._none, 0 if role == own else count, paths)
        marks = np.zeros(self._games.room, np.uint64)
        for turn in range(opening.back):
            actions = self._choose(self._running(count))
            actions[:, own], wrong = opening.own(turn)
            self._games.step(actions)
            marks = opening.seen(marks, wrong)
            self._descend()
        enter(self._trees, own, marks, count, self._paths[own])
        opening.count(marks[:count])

    def _begin_later(self) -> None:
        """Shorten the opening, and restart the search."""
        self._opening = Opening(self.belief, self._games, self._opening.back - 1, self._seed)
        self._trees = trees()

    def _running(self, count: int) -> Bools:
        """Return which of the first games are not over.  # [room]."""
        running = ~self._games.over()
        running[count:] = False
        return running

    def _played_out(self, count: int, lengths: Longs, latest: float) -> Floats | None:
        """Return the values of the games, each the mean of several playouts from its state.  # [roles, count].

        Returns None if time is over before the playouts end.
        """
        games, times = self._games, min(self._games.room // count, PLAYOUTS_PER_LEAF)
        drawn = np.full((games.room, len(self.belief.machine.roles)), DRAWN, np.int32)
        games.copy(count, times)
        lengths[: count * times] = np.tile(lengths[:count], times)
        for _ in range(MAX_PLAYOUT_MOVES):
            running = self._running(count * times)
            if not running.any():
                break
            if self._clock.now() > latest:
                return None
            lengths[running] += 1
            games.step(drawn)
        self.playouts += count * times
        values = games.values()[: count * times] * DISCOUNT_PER_MOVE ** lengths[: count * times, None]
        return np.ascontiguousarray(values.reshape(times, count, -1).mean(axis=0).T)

    def _choose(self, running: Bools) -> Ints:
        """Choose a move for every role that is in its tree.  # [room, roles]."""
        actions = np.full((self._games.room, len(self.belief.machine.roles)), DRAWN, np.int32)
        self._make_room()
        for role, paths in self._paths.items():
            paths.here[~running] = OUTSIDE
            if (paths.here != OUTSIDE).any():
                own = np.empty(self._games.room, np.int32)
                order = self._rng.permutation(self._games.room) if self._mixes else self._in_order
                choose(self._trees, paths, order, self._games.legal(role), self._rule, self._random, own)
                actions[:, role] = own
        return actions

    def _descend(self) -> None:
        """Descend to the nodes that moves and percepts lead to."""
        for role, paths in self._paths.items():
            if (paths.here != OUTSIDE).any():
                descend(self._trees, paths, self._games.marks(role), self._grows)

    @property
    def _grows(self) -> bool:
        return len(self._trees.visits) < MAX_EDGES or self._trees.used[EDGES] < MAX_EDGES // 2

    def _make_room(self) -> None:
        """Enlarge the trees for the nodes and edges of one step of all games."""
        new = self._games.room * len(self._players)
        while len(self._trees.visits) < MAX_EDGES and (
            self._trees.used[EDGES] + new > len(self._trees.visits)
            or 2 * (self._trees.used[ENTRIES] + 2 * new) > len(self._trees.keys)
        ):
            self._trees = grown(self._trees)
