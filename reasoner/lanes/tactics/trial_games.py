"""512 random games on the gates of a lane graph, which test preferences before code is emitted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Floats, Ints, Words
from reasoner.kernels import kernel
from reasoner.kernels.scalars import int64
from reasoner.lanes.lane_graph import CHOOSE, GOAL, LEGAL, NEXT, PREFER, LaneGraph
from reasoner.lanes.rows import LANES, WORDS, aligned, row_gate


class TrialGames:
    """512 games on the gates of a graph. Games that are over are stepped, too; the caller masks them by `over`."""

    def __init__(self, graph: LaneGraph, seed: int) -> None:
        self.graph, self.rng = graph, np.random.default_rng(seed)
        self.over = np.zeros(WORDS, np.uint64)  # games that have ended, as noted by the caller
        self.looking = np.concatenate([graph.sections[section] for section in (LEGAL, CHOOSE, PREFER)])
        self.values = aligned(graph.hold).reshape(-1, WORDS)
        self.put(-graph.circuit.initial[: graph.circuit.searched, None].astype(np.uint64))

    def put(self, states: Words) -> None:
        """Set the current states.  # [searched bases, words]."""
        self.values[1 : 1 + len(states)] = states

    def look(self) -> None:
        """Evaluate the states and draw moves."""
        graph, values = self.graph, self.values
        randoms = values[graph.first_gate - graph.randoms : graph.first_gate]
        randoms[:] = self.rng.integers(0, 2**64, randoms.shape, np.uint64)
        _evaluate(values, graph.left, graph.right, graph.first_gate, self.looking)

    def legal_in(self, states: Words) -> Words:
        """Set the current states, and return the legal moves.  # [searched bases, words]; [M, words]."""
        graph = self.graph
        self.put(states)
        _evaluate(self.values, graph.left, graph.right, graph.first_gate, graph.sections[LEGAL])
        return self._rows(graph.legal)

    def state(self) -> Words:
        """The current states.  # [searched bases, words], a copy."""
        return self.values[1 : 1 + self.graph.circuit.searched].copy()

    def scores(self) -> Floats:
        """The roles' goals.  # [roles, lanes]."""
        graph = self.graph
        _evaluate(self.values, graph.left, graph.right, graph.first_gate, graph.sections[GOAL])
        scores = np.zeros((len(graph.circuit.roles), LANES))
        for (role, value, _), held in zip(graph.goals.tolist(), self._rows(graph.goals[:, 2]), strict=True):
            scores[role] += value * np.unpackbits(held.view(np.uint8), bitorder="little")
        return scores

    def won(self) -> Words:
        """The games that are not over and in which some role has a winning move."""
        won: Words = self._rows(np.array([self.graph.won], np.int32))[0]
        return won & self.running()

    def running(self) -> Words:
        """The games that are not over."""
        stopped: Words = self._rows(np.array([self.graph.stop], np.int32))[0]
        return ~stopped

    def at_once(self, of_role: Sequence[tuple[int, int]]) -> Words:
        """The games in which more than one role has more than one legal move."""
        one, more = np.zeros(WORDS, np.uint64), np.zeros(WORDS, np.uint64)
        for start, end in of_role:
            choosing = several(self._rows(self.graph.legal[start:end]))
            more |= one & choosing
            one |= choosing
        return more

    def moves(self, moves: Ints) -> Words:
        """The values of the moves' literals, such as `LaneGraph.chosen`.  # [M]; [M, words]."""
        return self._rows(moves)

    def after(self, made: Words) -> Words:
        """The states after the moves `made`.  # [M, words]; [searched bases, words]."""
        graph, first = self.graph, 1 + len(self.graph.circuit.bases)
        self.values[first : first + len(made)] = made
        _evaluate(self.values, graph.left, graph.right, graph.first_gate, graph.sections[NEXT])
        return self._rows(graph.next[: graph.circuit.searched])

    def _rows(self, literals: Ints) -> Words:
        rows: Words = self.values[literals >> 1] ^ -(literals & 1)[:, None].astype(np.uint64)
        return rows


def several(rows: Words) -> Words:
    """The bits that are set in more than one row."""
    before = np.bitwise_or.accumulate(rows, axis=0)[:-1]
    found: Words = np.bitwise_or.reduce(rows[1:] & before, axis=0)
    return found


def count(words: Words) -> int:
    """Count the set bits."""
    return int(np.bitwise_count(words).sum())


@kernel
def _evaluate(values: Words, left: Ints, right: Ints, first: int, nodes: Ints) -> None:
    """Evaluate gates in their order."""
    for node in nodes:
        row_gate(values, int64(node), left[node - first], right[node - first])
