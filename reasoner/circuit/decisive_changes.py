"""Kernels of `reasoner.circuit.decisive` for the changes by a move: bases that stay true, literals that become true."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Literals, Longs, Words
from reasoner.circuit.graph import FALSE, FIRST_GATE, TRUE, GateStore, and_
from reasoner.kernels import device_function

MAX_TERMS = 64
"""Maximum terms of a disjunction, and nodes of a conjunction, that are visited."""


class WinQuery(NamedTuple):
    """The inputs of the kernels for one role."""

    left: Literals
    right: Literals
    first: int
    given: Literals  # [nodes] the literal of each node in a non-terminal state
    ahead: Longs  # the gates that other roles' legality needs
    after: Longs  # the gates that the next values need
    end: Longs  # the gates that terminal and the role's best goal need
    own: Longs  # the gates that the role's own legality needs
    bases: Longs  # the nodes of the bases that legality, goals and terminal read
    following: Literals  # [bases] their next values
    rising: int  # literal, false while the game goes on; a move wins if it becomes true and `condition` is then true
    condition: int  # a literal; see `rising`
    read: Bools  # [literals] whether the negation normal form of `rising` contains the literal
    edges: Longs  # [roles + 1] the first move of each role
    role: int
    begins: Longs  # [B + 2] for each base's node the index in `excluded` where its excluded nodes begin
    excluded: Longs  # for each base's node the nodes of the bases that it excludes
    implied: (
        Words  # [M, 2, words of bases] the bases whose falsehood, and the bases whose truth, a move's legality implies
    )

    @property
    def steps(self) -> int:
        """The estimated cost of one move in gates."""
        return len(self.given) // 8 + len(self.ahead) + len(self.after) + len(self.end)


@device_function
def stays(store: GateStore, query: WinQuery, base: int, then: int, false: Bools) -> bool:
    """Whether a true base stays true, because it excludes every condition that would make it false.

    then: the literal of its next value; false: [nodes of the bases] a buffer, all False.
    """
    gate = (then >> 1) - store.sizes[FIRST_GATE]
    if then & 1 or gate < 0 or (store.left[gate] != 2 * base and store.right[gate] != 2 * base):
        return False
    others = query.excluded[query.begins[base] : query.begins[base + 1]]
    false[others] = True
    other = store.left[gate] ^ store.right[gate] ^ 2 * base
    held = _excluded(store, other ^ 1, false)
    false[others] = False
    return held


@device_function
def implied(store: GateStore, literal: int, then: int) -> bool:
    """Whether `then` is a disjunction that contains `literal`, so that `literal` implies `then`."""
    terms = np.empty(MAX_TERMS, np.int32)
    for i in range(_terms(store, then, terms)):
        if terms[i] in (TRUE, literal):
            return True
    return False


@device_function
def _terms(store: GateStore, literal: int, terms: Literals) -> int:
    """Write the terms of a disjunction to `terms`, and return their number; once `terms` is full, none is split."""
    terms[0], count, at = literal, 1, 0
    while at < count:
        gate = (terms[at] >> 1) - store.sizes[FIRST_GATE]
        if gate >= 0 and terms[at] & 1 and count < len(terms):
            terms[at], terms[count] = store.left[gate] ^ 1, store.right[gate] ^ 1
            count += 1
        else:
            at += 1
    return count


@device_function
def _excluded(store: GateStore, literal: int, false: Bools) -> bool:
    """Whether a disjunction is false if the bases `false` are false: each of its terms contains one of them."""
    terms = np.empty(MAX_TERMS, np.int32)
    for i in range(_terms(store, literal, terms)):
        if not _has_one_of(store, terms[i], false):
            return False
    return True


@device_function
def _has_one_of(store: GateStore, term: int, bases: Bools) -> bool:
    """Whether one of some bases is an uncomplemented member of a conjunction."""
    row = np.empty(MAX_TERMS + 2, np.int32)
    row[0], length, at = term, 1, 0
    while at < length:
        literal = row[at]
        at += 1
        gate = (literal >> 1) - store.sizes[FIRST_GATE]
        if not literal & 1 and gate >= 0 and length < MAX_TERMS:
            row[length], row[length + 1] = store.left[gate], store.right[gate]
            length += 2
        elif not literal & 1 and literal >> 1 < len(bases) and bases[literal >> 1]:
            return True
    return False


@device_function
def rises_of(store: GateStore, query: WinQuery, node: Literals, then: Literals) -> Literals:
    """Return, for each literal, a *rise*: true if the literal becomes true, false if it is false after the move.

    Shape [literals]. If the literal is true before and after the move, its rise may have either value, so the one with
    fewer gates is taken. Only literals in `query.read` get a rise. ``a & b`` becomes true if both are true after the
    move and one of them becomes true.
    """
    rises = np.zeros(2 * len(node), np.int32)
    for base in query.bases:
        for literal in (2 * base, 2 * base + 1):
            flip = literal & 1
            if query.read[literal] and then[base] != node[base]:
                rises[literal] = _gained(store, then[base] ^ flip, node[base] ^ flip)
    for gate in query.end:
        at, left, right = query.first + gate, query.left[gate], query.right[gate]
        if query.read[2 * at] and node[at] != TRUE:
            a, b = rises[left], rises[right]
            a = a if a != FALSE and b == FALSE else then[left >> 1] ^ (left & 1)
            b = b if b != FALSE and rises[left] == FALSE else then[right >> 1] ^ (right & 1)
            changes = rises[left] != FALSE or rises[right] != FALSE
            rises[2 * at] = and_(store, a, b) if changes else FALSE
        if query.read[2 * at + 1] and node[at] != FALSE:
            rises[2 * at + 1] = either(store, rises[left ^ 1], rises[right ^ 1])
    return rises


@device_function
def _gained(store: GateStore, then: int, now: int) -> int:
    """Return the literal that makes a false literal true: `new` if `then` is ``now | new``, else `then`."""
    if then == FALSE or now == TRUE:
        return FALSE
    gate = (then >> 1) - store.sizes[FIRST_GATE]
    gained = then
    if then & 1 and gate >= 0 and store.left[gate] == now ^ 1:
        gained = store.right[gate] ^ 1
    elif then & 1 and gate >= 0 and store.right[gate] == now ^ 1:
        gained = store.left[gate] ^ 1
    return gained


@device_function
def either(store: GateStore, a: int, b: int) -> int:
    """The literal of ``a | b``."""
    literal: int = and_(store, a ^ 1, b ^ 1) ^ 1
    return literal
