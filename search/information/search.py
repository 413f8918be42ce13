"""Information-set Monte Carlo tree search with a tree for each role (MO-ISMCTS: Cowling, Powley and Whitehouse 2012).

A *sweep* plays some hundred games together. Each begins in a state drawn from our belief, and goes down the trees of
all roles at once: a role's place in its tree depends on what it did and saw since the root, never on the state, so
that what is found out later is worth what can then be done with it. Below its tree a role draws its moves. Others'
trees have one root for all that they may know already, which is this method's limit.

Later goals count a little less (`PATIENCE`). Of moves that the values do not tell apart, the one is played whose
percepts tell most about the state: their entropy over our belief is greatest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.percepts import CHANCE
from search.belief.belief import Belief
from search.belief.games import DRAWN, Games, games_of
from search.clock import Clock
from search.information.node import Node, entropy
from search.report import MoveReport, Report

EXPLORATION = 0.7
PATIENCE = 0.995
"""What a goal is worth a joint move later."""
MOST_STEPS = 400
"""Joint moves of a game that is played to its end; longer ones bring nothing."""
MOST_CELLS = 4_000_000
"""Moves of all nodes together; past it, trees grow no more. A move takes some 40 bytes."""
FEWEST_GAMES = 32
"""Games of the first sweep, and of one that little time is left for."""
ASKED = 256
"""Moves at most of which it is asked what their percepts tell."""

Path = list[tuple[Node, int, int]]
"""The nodes a game went through: node, place of its move, role."""


class InformationSearch:
    """A search from what a belief knows now."""

    def __init__(self, belief: Belief, clock: Clock, seed: int = 1, exploration: float = EXPLORATION) -> None:
        machine = belief.machine
        self.belief = belief
        self._clock = clock
        self._exploration = exploration
        self._rng = np.random.default_rng(seed)
        self._games: Games = games_of(machine, seed)
        self._players = [
            role for role, name in enumerate(machine.roles) if name.lower() != CHANCE or role == belief.role
        ]
        self._roots = {role: Node() for role in self._players}
        self._cells = 0
        self._nodes = len(self._roots)
        self._count = min(FEWEST_GAMES, self._games.room)
        self.simulations = 0
        self.seconds = 0.0

    def think(self, deadline: float, stop: Callable[[], bool] = lambda: False) -> None:
        """Sweep until the deadline; none begins that may not end in time, but the first."""
        began = self._clock.now()
        while True:
            before = self._clock.now()
            self._sweep(self._count)
            now = self._clock.now()
            self.seconds = self.seconds + now - before
            each = (now - before) / self._count
            self._count = int(np.clip((deadline - now) / 4 / max(each, 1e-6), FEWEST_GAMES, self._games.room))
            self._count = min(self._count, self._games.room)
            if stop() or now + 2 * each * self._count > deadline or now < began:
                return

    def best(self, deadline: float = math.inf) -> Term:
        """The move to play, told by the deadline; any legal one where nothing was searched."""
        root = self._roots[self.belief.role]
        if not len(root.moves):
            return self.belief.favourites()[0]
        candidates = self._candidates(root)
        if len(candidates) > 1:
            told = self._told(root, candidates[:ASKED], deadline)
            candidates = [place for place, bits in zip(candidates, told, strict=False) if bits > max(told) - 1e-6]
        place = max(candidates, key=lambda place: (root.visits[place], root.means()[place]))
        return self._games.move(self.belief.role, int(root.moves[place]))

    def likeliest(self) -> Term:
        """The move tried most so far: what to play if there is no time for more."""
        root = self._roots[self.belief.role]
        if not len(root.moves):
            return self.belief.favourites()[0]
        return self._games.move(self.belief.role, int(root.moves[int(np.argmax(root.visits))]))

    def report(self) -> Report:
        """What was found at our root, the move tried most first."""
        root, role, means = self._roots[self.belief.role], self.belief.role, self._roots[self.belief.role].means()
        moves = tuple(
            MoveReport(
                self._games.move(role, int(root.moves[i])), int(root.visits[i]), float(100 * means[i]), proven=False
            )
            for i in np.argsort(-root.visits, kind="stable").tolist()
        )
        games, seconds, nodes = self.simulations, self.seconds, self._nodes
        return Report(games, games, seconds, nodes, moves, (), solved=False, unevaluated=0)

    def _candidates(self, root: Node) -> list[int]:
        """Places of the moves whose values are not told apart from the best one's, those tried most first."""
        means, errors = root.means(), root.errors()
        best = int(np.argmax(means - errors))
        close = means + errors >= means[best] - errors[best]
        legal = {self._games.number(self.belief.role, move) for move in self.belief.favourites()}
        places = [i for i in np.argsort(-root.visits, kind="stable").tolist() if close[i]]
        return [i for i in places if int(root.moves[i]) in legal] or places

    def telling(self) -> Term:
        """The move whose percepts tell most of the state; of those alike the one that ends most games."""
        role, games = self.belief.role, self._games
        legal = sorted(self.belief.favourites(), key=str)
        games.put(self._spread()[0][:1])
        told = {move: self._outcomes(games.number(role, move)) for move in legal}
        return max(legal, key=lambda move: (bits_of(told[move]), sum(n for (_, end), n in told[move].items() if end)))

    def _told(self, root: Node, places: list[int], deadline: float) -> list[float]:
        """Per move the entropy of what we see of it, in bits, over our belief; the others draw theirs.

        Fewer than `places`, and one at least, where the deadline comes first.
        """
        found = list[float]()
        for place in places:
            if found and self._clock.now() > deadline:
                break
            found.append(bits_of(self._outcomes(int(root.moves[place]))))
        return found

    def _outcomes(self, move: int) -> dict[tuple[Hashable, bool], float]:
        """What we may see of a move of ours, and whether the game is then over, with its weight."""
        role, found = self.belief.role, dict[tuple[Hashable, bool], float]()
        states, weights = self._spread()
        self._games.put(states)
        actions = np.full((self._games.room, len(self.belief.machine.roles)), DRAWN, np.int32)
        actions[: len(states), role] = np.where(self._games.legal(role)[: len(states), move], move, DRAWN)
        self._games.step(actions)
        for key, end, weight in zip(self._games.seen(role), self._games.over().tolist(), weights, strict=False):
            found[key, end] = found.get((key, end), 0.0) + weight
        return found

    def _spread(self) -> tuple[Sequence[State], list[float]]:
        """The states of our belief with their weights, or as many drawn as are looked at together."""
        now, room = self.belief.now, self._games.room
        if len(now.states) <= room:
            return now.states, now.weights.tolist()
        return self.belief.drawn(room), [1.0] * room

    def _sweep(self, count: int) -> None:
        """Play so many games through the trees, and take in how they ended."""
        games = self._games
        games.put(self.belief.drawn(count))
        here: list[dict[int, Node]] = [dict(self._roots) for _ in range(count)]
        paths: list[Path] = [[] for _ in range(count)]
        lengths = np.zeros(games.room, np.int64)
        for _ in range(MOST_STEPS):
            going = ~games.over()
            going[count:] = False
            if not going.any():
                break
            lengths[going] += 1
            actions = np.full((games.room, len(self.belief.machine.roles)), DRAWN, np.int32)
            inside = [game for game in np.flatnonzero(going).tolist() if here[game]]
            self._choose(inside, here, paths, actions)
            games.step(actions)
            self._descend(inside, here, actions)
        self._back_up(paths, games.values() * PATIENCE ** lengths[:, None])
        self.simulations += count

    def _choose(
        self, inside: list[int], here: list[dict[int, Node]], paths: list[Path], actions: NDArray[np.int32]
    ) -> None:
        """A move for every role that is in its tree."""
        for role in self._players if inside else ():
            legal = self._games.legal(role)
            counts = legal.sum(axis=1)
            for game in inside:
                node = here[game].get(role)
                if node is None:
                    continue
                known = len(node.moves)
                place = node.select(legal[game], int(counts[game]), self._exploration, self._rng)
                self._cells += len(node.moves) - known
                actions[game, role] = node.moves[place]
                paths[game].append((node, place, role))

    def _descend(self, inside: list[int], here: list[dict[int, Node]], actions: NDArray[np.int32]) -> None:
        """Go to the places that moves and percepts lead to; a role leaves its tree where it is new."""
        for role in self._players if inside else ():
            keys: list[Hashable] = self._games.seen(role)
            for game in inside:
                node = here[game].pop(role, None)
                if node is None:
                    continue
                key = (int(actions[game, role]), keys[game])
                child = node.children.get(key)
                if child is not None:
                    here[game][role] = child
                elif self._cells < MOST_CELLS:
                    node.children[key] = Node()
                    self._nodes += 1

    def _back_up(self, paths: list[Path], values: NDArray[np.float64]) -> None:
        for game, path in enumerate(paths):
            for node, place, role in path:
                node.add(place, float(values[game, role]))


def bits_of(outcomes: dict[tuple[Hashable, bool], float]) -> float:
    """The entropy of outcomes; rounded, so that moves that tell alike are alike."""
    return round(entropy(list(outcomes.values())), 6)
