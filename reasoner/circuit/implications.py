"""Find by ternary simulation the bases that a literal implies: the literal cannot be true if the base is false.

Likewise a literal implies that a base is false: the literal cannot be true if the base is true.
"""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np

from reasoner.arrays import Literals, Longs, Words
from reasoner.background import in_background
from reasoner.circuit.graph import FALSE, TRUE
from reasoner.circuit.netlist import Netlist
from reasoner.circuit.traversal import mark
from reasoner.kernels import device_function_norefcount, kernel
from reasoner.kernels.bits import ALL, ONE

MAX_IMPLICATIONS = 100_000_000
"""Maximum product of the numbers of moves and bases."""

MAX_STEPS = 300_000_000
"""Maximum gates to simulate, for 64 bases each; if more are needed, no implications are found."""

MIN_PARALLEL_STEPS = 100_000
"""Minimum product of gates and words of bases for which two threads divide the work."""

WORD = 64

UNKNOWN = 2
"""The value of a node that is not known to be FALSE or TRUE."""


def legality_implies(netlist: Netlist) -> Words:
    """Return `implied_bases` of each move's legality; all zeros if there are too many moves and bases.

    # [moves, 2, words of 64 bases].
    """
    bases = len(netlist.bases)
    if bases * len(netlist.legal) > MAX_IMPLICATIONS:
        return np.zeros((len(netlist.legal), 2, -(-bases // WORD)), np.uint64)
    graph = netlist.graph
    return implied_bases(graph.left, graph.right, graph.first_gate, bases, netlist.legal)


def implied_bases(left: Literals, right: Literals, first_gate: int, bases: int, literals: Literals) -> Words:
    """Return, for each literal, the bases that are false if the literal is true, and the bases that are then true.

    The bases are the graph's first inputs.  # [literals, 2, words of 64 bases].
    """
    words = -(-bases // WORD)
    implied = np.zeros((len(literals), 2, words), np.uint64)
    seen = np.zeros(first_gate + len(left), np.bool_)
    mark(left, right, first_gate, literals, seen)
    gates = np.flatnonzero(seen[first_gate:])
    if 2 * len(gates) * words <= MAX_STEPS:
        half = words // 2 if len(gates) * words >= MIN_PARALLEL_STEPS else 0

        def imply(start: int, end: int) -> None:
            _imply(left, right, first_gate, bases, gates, literals, implied, start, end)

        with in_background(lambda: imply(0, half)) if half else nullcontext():
            imply(half, words)
    return implied


@kernel
def _imply(
    left: Literals,
    right: Literals,
    first_gate: int,
    bases: int,
    gates: Longs,
    literals: Literals,
    implied: Words,
    start: int,
    end: int,
) -> None:
    """Write the implications of literals: if a literal cannot be true with a value of a base, it implies the other.

    left, right, first_gate: the graph; gates: the gates that the literals need, in order; implied: [literals, 2, words]
    zeros, of which words `start` … `end` - 1 are written.
    """
    can = np.full((2, first_gate + len(left)), ALL)
    can[1, 0] = 0
    for word in range(start, end):
        first, last = 1 + WORD * word, min(1 + WORD * (word + 1), 1 + bases)
        for value in range(2):
            for node in range(first, last):
                can[value, node] = ~(ONE << np.uint64(node - first))
            simulate_cases(can, left, right, first_gate, gates)
            for i in range(len(literals)):
                implied[i, value, word] = ~can[1 - (literals[i] & 1), literals[i] >> 1]
            if last - first < WORD:
                implied[:, value, word] &= (ONE << np.uint64(last - first)) - ONE
            can[value, first:last] = ALL


@device_function_norefcount
def simulate_cases(can: Words, left: Literals, right: Literals, first_gate: int, gates: Longs) -> None:
    """Compute the possible values of gates in 64 cases at once.

    can: [2, nodes] words; bit c of ``can[v, n]``: in case c, node n may have the value v. gates: operands first.
    """
    for gate in gates:
        a, b = left[gate], right[gate]
        can[1, first_gate + gate] = can[1 - (a & 1), a >> 1] & can[1 - (b & 1), b >> 1]
        can[0, first_gate + gate] = can[a & 1, a >> 1] | can[b & 1, b >> 1]


@kernel
def simulate_all(can: Words, left: Literals, right: Literals, first_gate: int) -> None:
    """Run `simulate_cases` on all gates."""
    simulate_cases(can, left, right, first_gate, np.arange(len(left)))


def implies(left: Literals, right: Literals, first: int, literal: int, other: int) -> bool:
    """Whether `other` follows from the conjuncts of `literal`."""
    known = assumed(left, right, first, literal)
    return bool(known[other >> 1] == TRUE ^ (other & 1))


@kernel
def assumed(left: Literals, right: Literals, first: int, literal: int) -> Literals:
    """Return the value of each node if a literal is true: FALSE, TRUE, or UNKNOWN.  # [nodes]."""
    known = np.full(first + len(left), UNKNOWN, np.int32)
    known[0] = FALSE
    stack = np.empty(len(left) + 2, np.int32)
    stack[0], height = literal, 1
    while height:
        height -= 1
        one = stack[height]
        at = one >> 1
        if known[at] != UNKNOWN:
            continue
        known[at] = TRUE ^ (one & 1)
        if not one & 1 and at >= first:
            stack[height], stack[height + 1] = left[at - first], right[at - first]
            height += 2
    for gate in range(len(left)):
        a, b = known[left[gate] >> 1], known[right[gate] >> 1]
        a, b = a ^ (left[gate] & 1) if a <= TRUE else a, b ^ (right[gate] & 1) if b <= TRUE else b
        if known[first + gate] == UNKNOWN and (a == FALSE or b == FALSE or (a == TRUE and b == TRUE)):
            known[first + gate] = min(a, b)
    return known
