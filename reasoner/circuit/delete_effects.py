"""Find the facts that a move deletes: they are false after the move, whatever other facts the state contains.

The method is ternary simulation of 64 cases at a time. In a case one move is made, the bases that its legality implies
have the implied values, the facts that are presumed false are false, the roles that take turns with its role make their
idle moves, and all other inputs are unknown. In the first round a case is a move, and all tested facts are true at
once. In the second round each fact that was deleted in the first is tested alone, one case for each move and fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Literals, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.implications import MAX_IMPLICATIONS, WORD, implied_bases, simulate_cases
from reasoner.circuit.traversal import mark
from reasoner.kernels import device_function_norefcount, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import uint64

MAX_STEPS = 50_000_000
"""Maximum gates to simulate, for 64 cases each; if more are needed, no deletions are found."""

EVERY = -1
"""Marks, in place of a base, a case in which all tested bases are true."""


class _NextNetwork(NamedTuple):
    left: Literals
    right: Literals
    first: int
    gates: Longs  # the gates that the next values need, in order
    following: Literals  # [B]
    implied: Words  # [M, 2, words of bases] bits of the bases that are false, and of those that are true, if legal


def ended_facts(circuit: Circuit, groups: Sequence[Mapping[int, int]], asked: Bools, absent: Bools) -> Bools:
    """Return, for each move, the bases that it deletes; only the bases `asked` for the move are tested.  # [M, B] each.

    groups: for each group of roles that take turns with each other, the number of each role's idle move, or -1. Idle
    moves, and moves of roles in no group, are not tested.
    absent: for each move the bases that are presumed false if the move is legal; the move does not delete them.
    """
    nothing = np.zeros_like(asked)
    first = 1 + len(circuit.bases) + len(circuit.legal)
    seen = np.zeros(first + len(circuit.left), np.bool_)
    mark(circuit.left, circuit.right, first, circuit.next, seen)
    gates = np.flatnonzero(seen[first:])
    most = MAX_STEPS * WORD // max(len(gates), 1)
    if asked.size > MAX_IMPLICATIONS or len(asked) > most:
        return nothing
    implied = implied_bases(circuit.left, circuit.right, first, len(circuit.bases), circuit.legal)
    implied[:, 0] |= _packed(absent, implied.shape[2])
    network = _NextNetwork(circuit.left, circuit.right, first, gates, circuit.next, implied)
    edges = [*pairwise(np.cumsum([0, *map(len, circuit.moves)]).tolist())]
    ended = nothing.copy()
    for idle in groups:
        for role, rest in idle.items():
            others = _beside(len(circuit.legal), edges, {other: idle[other] for other in idle if other != role}, role)
            moves = np.array([move for move in range(*edges[role]) if move != rest])
            ended[moves] = asked[moves] & ~absent[moves]
            _end(network, moves, np.full_like(moves, EVERY), others, ended)
            rows, bases = (np.ascontiguousarray(each) for each in np.nonzero(ended[moves]))
            moves = moves[rows]
            if len(moves) > most:
                return nothing
            _end(network, moves, bases, others, ended)
    return ended


def _packed(rows: Bools, words: int) -> Words:
    """Pack the rows into bits, 64 a word."""
    padded = np.zeros((len(rows), words * WORD), np.bool_)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _beside(moves: int, edges: Sequence[tuple[int, int]], idle: dict[int, int], role: int) -> Words:
    """Return the possible values of all moves while `role` moves: [2, moves] whether each can be false, and true."""
    can = np.full((2, moves), ALL)
    can[1, slice(*edges[role])] = ZERO
    for other, move in idle.items():
        can[1, slice(*edges[other])] = ZERO
        if move >= 0:
            can[0, move], can[1, move] = ZERO, ALL
    return can


@kernel
def _end(network: _NextNetwork, moves: Longs, held: Longs, others: Words, ended: Bools) -> None:
    """Simulate the cases of one role, and clear in `ended` each tested base that may be true after its case.

    moves: the move of each case; the cases of one move are consecutive.
    held: the true base of each case; EVERY for all bases that `ended` has for the move.
    ended: [M, B] whether the move deletes the base.
    """
    bases = len(network.following)
    can = np.full((2, network.first + len(network.left)), ALL)
    can[1, 0] = 0
    for begin in range(0, len(moves), WORD):
        count = min(WORD, len(moves) - begin)
        can[:, 1 : 1 + bases] = ALL
        can[:, 1 + bases : network.first] = others
        for i in range(count):
            _hold(can, ended[moves[begin + i]], held[begin + i], ONE << uint64(i))
        last = ZERO  # cases of one move are consecutive
        for i in range(count):
            last |= ONE << uint64(i)
            if i + 1 == count or moves[begin + i + 1] != moves[begin + i]:
                _make(network, can, moves[begin + i], last)
                last = ZERO
        simulate_cases(can, network.left, network.right, network.first, network.gates)
        for i in range(count):
            _take_out(network, can, ended[moves[begin + i]], held[begin + i], ONE << uint64(i))


@device_function_norefcount
def _hold(can: Words, ended: Bools, held: int, case: int) -> None:
    """Make the base `held` true in a case; for EVERY, each base that `ended` has."""
    for base in range(len(ended)) if held == EVERY else range(held, held + 1):
        if held != EVERY or ended[base]:
            can[0, 1 + base] &= ~case


@device_function_norefcount
def _make(network: _NextNetwork, can: Words, move: int, cases: int) -> None:
    """Make a move in some cases."""
    bases = len(network.following)
    can[0, 1 + bases + move] &= ~cases
    can[1, 1 + bases + move] |= cases
    for value in range(2):
        for word in range(network.implied.shape[2]):
            bits, base = network.implied[move, value, word], 1 + WORD * word
            while bits:
                if bits & ONE:
                    can[1 - value, base] &= ~cases
                bits >>= ONE
                base += 1


@device_function_norefcount
def _take_out(network: _NextNetwork, can: Words, ended: Bools, held: int, case: int) -> None:
    """Clear from `ended` each base that was true before a case and may be true after it."""
    for base in range(len(ended)) if held == EVERY else range(held, held + 1):
        literal = network.following[base]
        if can[1 - (literal & 1), literal >> 1] & case:
            ended[base] = False
