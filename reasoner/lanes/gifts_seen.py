"""How often a random move gives the next a win, and whether meeting threats makes that rarer.

Which moves meet a threat is told by what they change (`reasoner.circuit.decisive`). In some games those are the moves
that stop it; in others most moves change something of it, and few stop it. So it is tried out, 512 games at a time, on
the gates themselves, before there is code.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.kernels import kernel
from reasoner.lanes.lane_graph import CHOOSE, LEGAL, NEXT, PREFER, LaneGraph
from reasoner.lanes.rows import WORDS

SWEEPS = 200
"""Steps of the games looked at ..."""
MOST_GATES = 30_000_000
"""... and gates evaluated for them."""
SHORT = 20
"""Steps in which it is counted how many roles choose."""
LEAST = 20
"""Wins given by any moves; where fewer are seen, meeting threats is of no use to random play."""

RARER = 0.75
"""Of the wins given by any moves, the part that preferred moves may give where meeting threats is of use.

Measured: 0.19 to 0.61 in games of stones in a row and of breaking through, 0.87 to 1.05 in all others.
"""


def meeting_helps(graph: LaneGraph) -> bool:
    """Whether preferred moves give wins clearly less often than any."""
    preferred, uniform, _ = gifts_seen(graph)
    return uniform >= LEAST and preferred < RARER * uniform


def gifts_seen(graph: LaneGraph, seed: int = 0) -> tuple[int, int, int]:
    """In how many states without a winning move a preferred move gave one, in how many any did; how many there were."""
    games, free = _Games(graph, seed), np.zeros(WORDS, np.uint64)
    going = ~free  # games that have not come to an end
    asked, given = 0, [0, 0]
    for _ in range(min(SWEEPS, MOST_GATES // max(3 * len(graph.left), 1))):
        games.look()
        given[0] += _count(games.won() & free)
        going &= games.running()
        if not going.any():
            break
        free = going & ~games.won()
        asked += _count(free)
        uniform, preferred = games.after(graph.chosen), games.after(graph.preferred)
        games.put(uniform)
        games.look()
        given[1] += _count(games.won() & free)
        games.put(preferred)
    return given[0], given[1], asked


def chosen_at_once(graph: LaneGraph, of_role: Sequence[tuple[int, int]], seed: int = 0) -> float:
    """In what share of the states of random games more than one role has a choice.  # of_role: first move and end."""
    games, asked, found = _Games(graph, seed), 0, 0
    going = ~np.zeros(WORDS, np.uint64)
    for _ in range(SHORT):
        games.look()
        going &= games.running()
        asked += _count(going)
        found += _count(games.at_once(of_role) & going)
        games.put(games.after(graph.chosen))
    return found / max(asked, 1)


class _Games:
    """512 games on the gates of a graph; who asks leaves out those that have ended, which go on as if they had not."""

    def __init__(self, graph: LaneGraph, seed: int) -> None:
        self.graph, self.rng = graph, np.random.default_rng(seed)
        self.looking = np.concatenate([graph.sections[section] for section in (LEGAL, CHOOSE, PREFER)])
        self.stepping = graph.sections[NEXT]
        self.values = np.zeros((graph.hold, WORDS), np.uint64)
        self.put(-graph.circuit.initial[: graph.circuit.searched, None].astype(np.uint64))

    def put(self, states: Words) -> None:
        """Go on from other states.  # [searched bases, words]."""
        self.values[1 : 1 + len(states)] = states

    def look(self) -> None:
        """Evaluate the states, and draw moves."""
        graph, values = self.graph, self.values
        randoms = values[graph.first_gate - graph.randoms : graph.first_gate]
        randoms[:] = self.rng.integers(0, 2**64, randoms.shape, np.uint64)
        _evaluate(values, graph.left, graph.right, graph.first_gate, self.looking)

    def won(self) -> Words:
        """The games, not over, in which somebody has a winning move."""
        won: Words = self._rows(np.array([self.graph.won], np.int32))[0]
        return won & self.running()

    def running(self) -> Words:
        """The games that are not over."""
        stopped: Words = self._rows(np.array([self.graph.stop], np.int32))[0]
        return ~stopped

    def at_once(self, of_role: Sequence[tuple[int, int]]) -> Words:
        """The games in which more than one role has more than one legal move."""
        one, several = np.zeros(WORDS, np.uint64), np.zeros(WORDS, np.uint64)
        for start, end in of_role:
            choosing = _several(self._rows(self.graph.legal[start:end]))
            several |= one & choosing
            one |= choosing
        return several

    def after(self, moves: Ints) -> Words:
        """The states after the moves that some literals choose."""
        graph, first = self.graph, 1 + len(self.graph.circuit.bases)
        self.values[first : first + len(moves)] = self._rows(moves)
        _evaluate(self.values, graph.left, graph.right, graph.first_gate, self.stepping)
        return self._rows(graph.next[: graph.circuit.searched])

    def _rows(self, literals: Ints) -> Words:
        rows: Words = self.values[literals >> 1] ^ -(literals & 1)[:, None].astype(np.uint64)
        return rows


def _several(rows: Words) -> Words:
    """Where more than one row is set."""
    before = np.bitwise_or.accumulate(rows, axis=0)[:-1]
    found: Words = np.bitwise_or.reduce(rows[1:] & before, axis=0)
    return found


def _count(words: Words) -> int:
    return int(np.bitwise_count(words).sum())


@kernel
def _evaluate(values: Words, left: Ints, right: Ints, first: int, nodes: Ints) -> None:
    """Evaluate some gates, in their order; one is an XOR where its left operand is the greater."""
    for node in nodes:
        a, b = left[node - first], right[node - first]
        flip_a, flip_b = np.uint64(0) - np.uint64(a & 1), np.uint64(0) - np.uint64(b & 1)
        for w in range(WORDS):
            one, other = values[a >> 1, w] ^ flip_a, values[b >> 1, w] ^ flip_b
            values[node, w] = one ^ other if a > b else one & other
