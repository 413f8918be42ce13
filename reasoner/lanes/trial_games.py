"""512 random games on the gates of a lane graph, before there is code: to try out what is worth making."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Bools, Floats, Ints, Longs, Words
from reasoner.kernels import kernel
from reasoner.lanes.lane_graph import CHOOSE, GOAL, LEGAL, NEXT, PREFER, LaneGraph
from reasoner.lanes.rows import LANES, WORDS


class TrialGames:
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

    def legal_in(self, states: Words) -> Words:
        """The legal moves in other states, of which nothing else is asked.  # [searched bases, words]; [M, words]."""
        graph = self.graph
        self.put(states)
        _evaluate(self.values, graph.left, graph.right, graph.first_gate, graph.sections[LEGAL])
        return self._rows(graph.legal)

    def state(self) -> Words:
        """What the games are at.  # [searched bases, words], a copy."""
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
        """The games, not over, in which somebody has a winning move."""
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
        """The moves that some literals choose.  # [M]; [M, words]."""
        return self._rows(moves)

    def after(self, moves: Ints) -> Words:
        """The states after the moves that some literals choose."""
        return self.after_moves(self.moves(moves))

    def after_moves(self, made: Words) -> Words:
        """The states after some moves.  # [M, words]; [searched bases, words]."""
        graph, first = self.graph, 1 + len(self.graph.circuit.bases)
        self.values[first : first + len(made)] = made
        _evaluate(self.values, graph.left, graph.right, graph.first_gate, self.stepping)
        return self._rows(graph.next[: graph.circuit.searched])

    def _rows(self, literals: Ints) -> Words:
        rows: Words = self.values[literals >> 1] ^ -(literals & 1)[:, None].astype(np.uint64)
        return rows


class Variations:
    """The legal moves in states that are changed a little: only what hangs on a change is evaluated anew."""

    def __init__(self, games: TrialGames, states: Words) -> None:
        """states: [searched bases, words]."""
        self._games = games
        self.legal = games.legal_in(states)
        self._before, self._changed = games.values.copy(), np.zeros(len(games.values), np.bool_)

    def put(self, bases: Longs, rows: Words) -> tuple[Longs, Words]:
        """The moves that may be legal elsewhere where some bases have other rows, and where each of them is.

        bases: [B]; rows: [B, words]; the answer is [moves] and [moves, words], in the order of moves.
        """
        games, graph = self._games, self._games.graph
        games.values[1 + bases] = rows
        self._changed[1 + bases] = True
        nodes = graph.sections[LEGAL]
        _evaluate_changed(games.values, self._before, self._changed, graph.left, graph.right, graph.first_gate, nodes)
        moves = np.flatnonzero(self._changed[graph.legal >> 1])
        there = games.moves(graph.legal[moves])
        changed = np.flatnonzero(self._changed)
        games.values[changed] = self._before[changed]
        self._changed[changed] = False
        return moves, there


def several(rows: Words) -> Words:
    """Where more than one row is set."""
    before = np.bitwise_or.accumulate(rows, axis=0)[:-1]
    found: Words = np.bitwise_or.reduce(rows[1:] & before, axis=0)
    return found


def count(words: Words) -> int:
    """How many bits are set."""
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


@kernel
def _evaluate_changed(
    values: Words, before: Words, changed: Bools, left: Ints, right: Ints, first: int, nodes: Ints
) -> None:
    """Evaluate those of some gates an operand of which has changed, and tell which of these have changed."""
    for node in nodes:
        a, b = left[node - first], right[node - first]
        if changed[a >> 1] or changed[b >> 1]:
            flip_a, flip_b = np.uint64(0) - np.uint64(a & 1), np.uint64(0) - np.uint64(b & 1)
            for w in range(WORDS):
                one, other = values[a >> 1, w] ^ flip_a, values[b >> 1, w] ^ flip_b
                values[node, w] = one ^ other if a > b else one & other
                changed[node] |= values[node, w] != before[node, w]
