"""Small searches in plain Python for two roles with simultaneous moves; they differ only in the selection rule.

A new state is evaluated by a random playout. `Decoupled` is UCT for each role by itself, with some random moves, as
`search.plain.selection`. `Regret` is regret matching (Hart and Mas-Colell 2000; in trees: Lanctot, Lisý and Winands
2013, "Monte Carlo tree search in simultaneous move games with applications to Goofspiel"), whose result is the mean of
its mixtures.
"""

from __future__ import annotations

import math
from random import Random

from bench.simultaneous.exact import payoff
from reasoner.language.terms import Term
from reasoner.machine import Machine, State

EXPLORATION, SHAKEN = 0.7, 0.05
REGRET_SHAKEN = 0.05


class Decoupled:
    """Statistics of a state: visits and sums of both roles' moves."""

    def __init__(self, sizes: tuple[int, int], rng: Random) -> None:
        self._rng = rng
        self._visits = [[0] * size for size in sizes]
        self._sums = [[0.0] * size for size in sizes]
        self._all = 0

    def select(self) -> tuple[int, int]:
        """Select a joint move."""
        return self._pick(0), self._pick(1)

    def _pick(self, role: int) -> int:
        visits, sums = self._visits[role], self._sums[role]
        if self._rng.random() < SHAKEN:
            return self._rng.randrange(len(visits))
        weight = 2 * EXPLORATION * self._rng.random() * math.sqrt(math.log(self._all + 1))
        scores = [
            total / tries + weight / tries**0.5 if tries else 1 + weight
            for tries, total in zip(visits, sums, strict=True)
        ]
        return scores.index(max(scores))

    def update(self, joint: tuple[int, int], worth: float) -> None:
        """Add a joint move's result for the first role, 0..1."""
        self._all += 1
        for role, move in enumerate(joint):
            self._visits[role][move] += 1
            self._sums[role][move] += worth if role == 0 else 1 - worth

    def mixture(self, role: int, tolerance: float = 0.02) -> list[float]:
        """Return the mixture to play, as `search.root.mixture.mixture`."""
        visits, sums = self._visits[role], self._sums[role]
        leader = visits.index(max(visits))
        means = [total / max(tries, 1) for tries, total in zip(visits, sums, strict=True)]
        kept = [
            tries if tries >= visits[leader] / 4 and mean >= means[leader] - tolerance else 0
            for tries, mean in zip(visits, means, strict=True)
        ]
        return [each / sum(kept) for each in kept]


class Regret:
    """Regrets of a state's moves, sums of the mixtures, and the mean worth of every joint move."""

    def __init__(self, sizes: tuple[int, int], rng: Random) -> None:
        self._rng = rng
        self._sizes = sizes
        self._regrets = [[0.0] * size for size in sizes]
        self._mixed = [[0.0] * size for size in sizes]
        self._sums = [[0.0] * sizes[1] for _ in range(sizes[0])]
        self._tries = [[0] * sizes[1] for _ in range(sizes[0])]

    def select(self) -> tuple[int, int]:
        """Draw a joint move from both mixtures with some exploration; untried joint moves come first."""
        now = [self._now(role) for role in (0, 1)]
        for role, shares in enumerate(now):
            self._mixed[role] = [total + share for total, share in zip(self._mixed[role], shares, strict=True)]
        drawn = [
            self._rng.randrange(size)
            if self._rng.random() < REGRET_SHAKEN
            else self._rng.choices(range(size), shares)[0]
            for size, shares in zip(self._sizes, now, strict=True)
        ]
        return drawn[0], drawn[1]

    def _now(self, role: int) -> list[float]:
        positive = [max(regret, 0.0) for regret in self._regrets[role]]
        total = sum(positive)
        return [each / total for each in positive] if total else [1 / len(positive)] * len(positive)

    def update(self, joint: tuple[int, int], worth: float) -> None:
        """Add a joint move's result for the first role, 0..1; regrets use the mean results of the other joint moves."""
        row, column = joint
        self._sums[row][column] += worth
        self._tries[row][column] += 1
        for other in range(self._sizes[0]):
            self._regrets[0][other] += self._worth(other, column, worth) - worth
        for other in range(self._sizes[1]):
            self._regrets[1][other] -= self._worth(row, other, worth) - worth

    def _worth(self, row: int, column: int, otherwise: float) -> float:
        tries = self._tries[row][column]
        return self._sums[row][column] / tries if tries else otherwise

    def mixture(self, role: int) -> list[float]:
        """Return the mixture to play: the mean of the mixtures."""
        total = sum(self._mixed[role])
        return [each / total for each in self._mixed[role]]


class TreeSearch:
    """A search by one selection rule, with a tree that starts empty."""

    def __init__(self, machine: Machine, rule: type[Decoupled | Regret], seed: int) -> None:
        self._machine = machine
        self._rule = rule
        self._rng = Random(seed)
        self._nodes: dict[State, Decoupled | Regret] = {}

    def think(self, state: State, simulations: int) -> Decoupled | Regret:
        """Return the statistics of a state after so many descents."""
        for _ in range(simulations):
            self._descend(state)
        return self._nodes[state]

    def _descend(self, state: State) -> None:
        path: list[tuple[Decoupled | Regret, tuple[int, int]]] = []
        machine = self._machine
        while not machine.terminal(state):
            legal = machine.legal(state)
            node = self._nodes.get(state)
            if node is None:
                self._nodes[state] = self._rule((len(legal[0]), len(legal[1])), self._rng)
                state = self._played_out(state)
                break
            joint = node.select()
            path.append((node, joint))
            state = machine.next(state, [own[index] for own, index in zip(legal, joint, strict=True)])
        worth = payoff(machine.goal(state))
        for node, joint in path:
            node.update(joint, worth)

    def _played_out(self, state: State) -> State:
        machine = self._machine
        while not machine.terminal(state):
            moves: list[Term] = [self._rng.choice(own) for own in machine.legal(state)]
            state = machine.next(state, moves)
        return state
