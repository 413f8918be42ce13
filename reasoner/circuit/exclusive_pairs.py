"""Prove that pairs of facts, such as the stones of two colours on one cell, are mutually exclusive.

The candidates are those of `reasoner.circuit.exclusion`, even if no moves require their facts. The proof is by
induction. Each next value is split into the terms of an OR. Two facts exclude each other in the next state if
each term of the one contradicts each term of the other, given the exclusions that are presumed now. To find a
contradiction, a conjunction of two terms is propagated up and down the gates. This is sound but incomplete: it may miss
a contradiction.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Literals, Longs
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.exclusion_candidates import candidates
from reasoner.circuit.graph import FALSE, TRUE
from reasoner.kernels import device_function, kernel

MAX_STEPS = 500_000
"""Maximum gates to visit in all rounds together; if more are needed, no pair is proven."""

MAX_MEMBERS = 32
"""Maximum facts of a candidate, and terms of a next value."""

MAX_GATES = 1_000
"""Maximum gates of two next values; a pair with more is not proven."""

PROPAGATIONS = 3
"""Number of propagation passes over the gates for one conjunction."""

UNKNOWN = 2

Pair = tuple[int, int]


class Transition(NamedTuple):
    """The parts of a circuit that the kernels need; B bases, M moves."""

    left: Literals
    right: Literals
    first: int
    following: Literals  # [B] the next values
    legal: Literals  # [M]
    mover: Longs  # [M]


class Assignment(NamedTuple):
    """The values of nodes that follow from a conjunction."""

    value: NDArray[np.int8]  # [nodes] FALSE, TRUE or UNKNOWN
    trail: Longs  # [nodes + 1] the number of known nodes, then the nodes
    made: Longs  # [roles] the move of each role, or -1
    stack: Longs  # [nodes + 2] buffer


def exclusive_pairs(circuit: Circuit) -> list[Pair]:
    """Return pairs of numbers of mutually exclusive bases, except pairs within one of the circuit's groups."""
    groups = [
        group for group in candidates(circuit.bases, circuit.initial, circuit.groups) if len(group) <= MAX_MEMBERS
    ]
    pairs = sorted({pair for group in groups for pair in combinations(sorted(group), 2)})
    known = {pair for group in circuit.groups for pair in combinations(sorted(group), 2)}
    steps = MAX_STEPS
    while pairs:
        rows = _rows(len(circuit.bases), chain(known, pairs))
        holds = np.zeros(len(pairs), np.bool_)
        steps = _hold(_transition(circuit), *rows, np.array(pairs, np.int64), holds, steps)
        if steps < 0:
            return []
        if holds.all():
            break
        pairs = [pair for pair, held in zip(pairs, holds.tolist(), strict=True) if held]
    return pairs


def _transition(circuit: Circuit) -> Transition:
    mover = np.repeat(np.arange(len(circuit.roles)), [len(own) for own in circuit.moves])
    first = 1 + len(circuit.bases) + len(circuit.legal)
    return Transition(circuit.left, circuit.right, first, circuit.next, circuit.legal, mover.astype(np.int64))


def _rows(bases: int, pairs: Iterable[Pair]) -> tuple[Longs, Longs]:
    """Return, for each base's node, the nodes that it excludes: offsets, then nodes."""
    both = (
        np.array([end for a, b in pairs for end in ((a, b), (b, a)) if max(a, b) < bases], np.int64).reshape(-1, 2) + 1
    )
    both = both[np.argsort(both[:, 0], kind="stable")]
    return np.searchsorted(both[:, 0], np.arange(bases + 2)).astype(np.int64), both[:, 1].copy()


@kernel
def _hold(asked: Transition, begins: Longs, excluded: Longs, pairs: Longs, holds: Bools, steps: int) -> int:
    """Set in `holds` the pairs that exclude each other in the next state; return the remaining steps.

    The result is below 0 if `steps` were too few.
    """
    nodes = asked.first + len(asked.left)
    known = Assignment(
        np.full(nodes, UNKNOWN, np.int8),
        np.zeros(nodes + 1, np.int64),
        np.full(asked.mover.max() + 1, -1),
        np.zeros(nodes + 2, np.int64),
    )
    a, b = np.empty(MAX_MEMBERS + 2, np.int32), np.empty(MAX_MEMBERS + 2, np.int32)
    cone, seen = np.empty(MAX_GATES + 2, np.int64), np.zeros(nodes, np.bool_)
    for i in range(len(pairs)):
        one, other = asked.following[pairs[i, 0]], asked.following[pairs[i, 1]]
        gates = _cone(asked, one, other, cone, seen)
        first, second = _terms(asked, one, a), _terms(asked, other, b)
        if gates < 0 or first < 0 or second < 0:
            continue
        holds[i] = True
        for j in range(first * second):
            steps -= PROPAGATIONS * (gates + 8)
            if steps < 0:
                return steps
            if not _contradict(asked, begins, excluded, known, a[j // second], b[j % second], cone[:gates]):
                holds[i] = False
                break
    return steps


@device_function
def _cone(asked: Transition, one: int, other: int, cone: Longs, seen: Bools) -> int:
    """Write to `cone` the gates on which two literals depend, operands first; return their number, -1 if too many."""
    cone[0], cone[1], count, at = one >> 1, other >> 1, 2, 0
    while at < count and count < MAX_GATES:
        node = cone[at]
        if seen[node] or node < asked.first:
            count -= 1
            cone[at] = cone[count]
            continue
        seen[node] = True
        cone[count], cone[count + 1] = asked.left[node - asked.first] >> 1, asked.right[node - asked.first] >> 1
        count += 2
        at += 1
    for i in range(at):
        seen[cone[i]] = False
    if at < count:
        return -1
    cone[:count] = np.sort(cone[:count])
    return count


@device_function
def _terms(asked: Transition, literal: int, terms: Literals) -> int:
    """Write the terms of an OR; return their number, -1 if too many."""
    terms[0], count, at = literal, 1, 0
    while at < count:
        term = terms[at]
        if not term & 1 or term >> 1 < asked.first:
            at += 1
        elif count > MAX_MEMBERS:
            return -1
        else:
            gate = (term >> 1) - asked.first
            terms[at], terms[count] = asked.left[gate] ^ 1, asked.right[gate] ^ 1
            count += 1
    return count


@device_function
def _contradict(
    asked: Transition, begins: Longs, excluded: Longs, known: Assignment, a: int, b: int, cone: Longs
) -> bool:
    """Whether two literals cannot be true together."""
    contradict = _assume(asked, begins, excluded, known, a) or _assume(asked, begins, excluded, known, b)
    for _ in range(PROPAGATIONS):
        for node in cone:
            if contradict:
                break
            contradict = _follow(asked, begins, excluded, known, node)
    for i in range(1, known.trail[0] + 1):
        known.value[known.trail[i]] = UNKNOWN
    known.trail[0] = 0
    known.made[:] = -1
    return contradict


@device_function
def _follow(asked: Transition, begins: Longs, excluded: Longs, known: Assignment, node: int) -> bool:
    """Propagate values from a gate's operands to the gate, and back; return whether this finds a contradiction."""
    left, right = asked.left[node - asked.first], asked.right[node - asked.first]
    a, b = _value(asked, known, left), _value(asked, known, right)
    if a == FALSE or b == FALSE:
        return _assume(asked, begins, excluded, known, 2 * node + 1)
    if a == TRUE and b == TRUE:
        return _assume(asked, begins, excluded, known, 2 * node)
    if known.value[node] == FALSE and (a == TRUE or b == TRUE):
        return _assume(asked, begins, excluded, known, (right if a == TRUE else left) ^ 1)
    return False


@device_function
def _value(asked: Transition, known: Assignment, literal: int) -> int:
    node = literal >> 1
    value: int = known.value[node]
    if node == 0:
        value = FALSE
    move = node - asked.first + len(asked.legal)
    if value == UNKNOWN and 0 <= move < len(asked.legal) and known.made[asked.mover[move]] >= 0:
        value = FALSE  # the role makes another move
    return value if value == UNKNOWN else value ^ (literal & 1)


@device_function
def _assume(asked: Transition, begins: Longs, excluded: Longs, known: Assignment, literal: int) -> bool:
    """Assume a literal, its conjuncts and its exclusions; return whether this finds a contradiction."""
    stack = known.stack
    stack[0], height = literal, 1
    while height:
        height -= 1
        one = stack[height]
        node, value = one >> 1, _value(asked, known, one)
        if value == FALSE:
            return True
        if value == TRUE and (known.value[node] != UNKNOWN or node == 0):
            continue
        _note(known, node, TRUE ^ (one & 1))
        move = node - asked.first + len(asked.legal)
        if one & 1:
            continue
        if node >= asked.first:
            stack[height], stack[height + 1] = asked.left[node - asked.first], asked.right[node - asked.first]
            height += 2
        elif move >= 0:
            known.made[asked.mover[move]] = move
            stack[height] = asked.legal[move]
            height += 1
        else:
            for other in excluded[begins[node] : begins[node + 1]]:
                if known.value[other] == TRUE:
                    return True
                if known.value[other] == UNKNOWN:
                    _note(known, other, FALSE)
    return False


@device_function
def _note(known: Assignment, node: int, value: int) -> None:
    known.value[node] = value
    known.trail[0] += 1
    known.trail[known.trail[0]] = node
