"""Which facts a move ends, whatever else is true: those whose next value cannot be true where it is made.

By ternary simulation, 64 moves at a time: one move is made, what its legality implies is true, what is presumed false
with it is false, the roles that take turns with its role make their idle moves, and all else is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Literals, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.implications import MOST_IMPLIED, WORD, implied_bases, simulate_cases
from reasoner.circuit.traversal import mark
from reasoner.kernels import kernel
from reasoner.kernels.bits import ALL, ONE, ZERO

MOST_STEPS = 50_000_000
"""Gates simulated for 64 moves each, at most; where it would take more, nothing is known."""


class _Asked(NamedTuple):
    left: Literals
    right: Literals
    first: int
    gates: Longs  # those that the next values need, in order
    following: Literals  # [B]
    implied: Words  # [M, 2, words of bases] which bases are false, and which are true, where a move is made


def ended_facts(circuit: Circuit, groups: Sequence[Mapping[int, int]], absent: Bools) -> Bools:
    """For each move which bases it ends where they are true.  # [M, B].

    absent: [M, B] the bases that are presumed false where a move is legal; it ends none of them.

    groups: of roles that take turns with each other, the number of each one's idle move, or -1. Of a role that takes
    none, and of an idle move, nothing is known.
    """
    ended = np.zeros((len(circuit.legal), len(circuit.bases)), np.bool_)
    first = 1 + len(circuit.bases) + len(circuit.legal)
    seen = np.zeros(first + len(circuit.left), np.bool_)
    mark(circuit.left, circuit.right, first, circuit.next, seen)
    gates = np.flatnonzero(seen[first:])
    if ended.size > MOST_IMPLIED or len(gates) * len(ended) > MOST_STEPS * WORD or not groups:
        return ended
    implied = implied_bases(circuit.left, circuit.right, first, len(circuit.bases), circuit.legal)
    implied[:, 0] |= _packed(absent, implied.shape[2])
    asked = _Asked(circuit.left, circuit.right, first, gates, circuit.next, implied)
    edges = [*pairwise(np.cumsum([0, *map(len, circuit.moves)]).tolist())]
    for idle in groups:
        for role in idle:
            others = {other: move for other, move in idle.items() if other != role}
            _end(asked, *edges[role], _beside(len(circuit.legal), edges, others), ended)
            if idle[role] >= 0:
                ended[idle[role]] = False
    return ended & ~np.unpackbits(
        implied[:, 0].copy().view(np.uint8), axis=1, count=len(circuit.bases), bitorder="little"
    ).astype(np.bool_)


def _packed(rows: Bools, words: int) -> Words:
    """The same, 64 a word."""
    padded = np.zeros((len(rows), words * WORD), np.bool_)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _beside(moves: int, edges: Sequence[tuple[int, int]], idle: dict[int, int]) -> Words:
    """What is known of others' moves: [2, moves] whether each can be false, and true, all bits or none."""
    can = np.full((2, moves), ALL)
    for role, move in idle.items():
        start, end = edges[role]
        can[1, start:end] = ZERO
        if move >= 0:
            can[0, move], can[1, move] = ZERO, ALL
    return can


@kernel
def _end(asked: _Asked, start: int, end: int, beside: Words, ended: Bools) -> None:
    """Note what the moves from `start` to `end`, of one role, end."""
    bases = len(asked.following)
    can = np.full((2, asked.first + len(asked.left)), ALL)
    can[1, 0] = 0
    for begin in range(start, end, WORD):
        count = min(WORD, end - begin)
        can[:, 1 : 1 + bases] = ALL
        can[:, 1 + bases : asked.first] = beside
        can[0, 1 + bases + start : 1 + bases + end] = ALL
        can[1, 1 + bases + start : 1 + bases + end] = ZERO
        for i in range(count):
            node = 1 + bases + begin + i
            can[0, node], can[1, node] = ~(ONE << np.uint64(i)), ONE << np.uint64(i)
            for word in range(asked.implied.shape[2]):
                for value in range(2):
                    bits, base = asked.implied[begin + i, value, word], 1 + WORD * word
                    while bits:
                        if bits & ONE:
                            can[1 - value, base] &= ~(ONE << np.uint64(i))
                        bits >>= ONE
                        base += 1
        simulate_cases(can, asked.left, asked.right, asked.first, asked.gates)
        for base in range(bases):
            literal = asked.following[base]
            true = can[1 - (literal & 1), literal >> 1]
            for i in range(count):
                ended[begin + i, base] = not (true >> np.uint64(i)) & ONE
