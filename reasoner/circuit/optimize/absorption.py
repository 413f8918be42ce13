"""Absorption: drop the terms of an OR that another term covers. ``(a & b) | (a & b & c)`` is ``a & b``.

A term implies the leaves of its conjunction. If a leaf is a conjunction, the term also implies that conjunction's
leaves, and so on: "the queen can go three squares" implies that the next square is free, and so that the queen can go
one square. If a term implies all leaves of another term, it is superfluous in the OR.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Ints, Literals
from reasoner.circuit.optimize.wide_gates import Logic, Wide, gates, remade
from reasoner.kernels import device_function_norefcount, kernel

MIN_TERMS, MAX_TERMS = 4, 20_000
"""Minimum and maximum terms of an OR that is examined."""

MAX_IMPLIED = 128
"""Maximum number of implied literals to find for a term; further ones are ignored."""


def absorb(logic: Logic) -> Logic:
    """Return the graph without superfluous terms."""
    wide = logic.wide
    kept = np.ones(len(wide.leaves), np.bool_)
    _superfluous(wide, kept)
    if kept.all():
        return logic
    start = np.concatenate(([0], np.cumsum(kept)))[wide.start]
    shorter = remade(logic, wide, start, wide.leaves[kept])
    return shorter if gates(shorter) < gates(logic) else logic


@kernel
def _superfluous(wide: Wide, kept: Bools) -> None:
    """Clear `kept` for the leaves of wide gates whose terms are superfluous."""
    first = np.full(2 * len(wide.number), -1, np.int32)  # by literal: the first term whose rarest literal it is, or -1
    following = np.empty(len(wide.leaves), np.int32)  # by term: the next term with the same rarest literal, or -1
    needed = np.empty(len(wide.leaves), np.int32)  # by term: see `_needed`
    mark = np.full(2 * len(wide.number), -1, np.int32)  # by literal: the last term that implies it
    implied = np.empty(MAX_IMPLIED, np.int32)
    for g in range(len(wide.nodes)):
        begin, end = wide.start[g], wide.start[g + 1]
        if not MIN_TERMS <= end - begin <= MAX_TERMS or not _any_term(wide, begin, end):
            continue
        for i in range(begin, end):
            key = _rarest(wide, wide.leaves[i] ^ 1)
            following[i], needed[i] = first[key], _needed(wide, wide.leaves[i] ^ 1)
            first[key] = i
        for i in range(begin, end):
            height = _implied(wide, wide.leaves[i] ^ 1, implied, mark, i)
            kept[i] = not _finds_another(wide, i, implied[:height], mark, first, following, needed, kept)
        for i in range(begin, end):
            first[_rarest(wide, wide.leaves[i] ^ 1)] = -1


@device_function_norefcount
def _any_term(wide: Wide, begin: int, end: int) -> bool:
    """Whether some term of the OR is a conjunction."""
    found = False
    for leaf in wide.leaves[begin:end]:
        found |= bool(leaf & 1) and wide.number[leaf >> 1] >= 0
    return found


@device_function_norefcount
def _rarest(wide: Wide, term: int) -> int:
    """Return the leaf of a term's conjunction that the fewest gates read; the term itself if it is no conjunction."""
    g = wide.number[term >> 1]
    if term & 1 or g < 0:
        return term
    best: int = wide.leaves[wide.start[g]]
    for leaf in wide.leaves[wide.start[g] : wide.start[g + 1]]:
        if wide.readers[leaf >> 1] < wide.readers[best >> 1]:
            best = leaf
    return best


@device_function_norefcount
def _needed(wide: Wide, term: int) -> int:
    """Return a literal that an implied `term` marks: itself, or a leaf that is no conjunction; -1 if there is none."""
    g = wide.number[term >> 1]
    if term & 1 or g < 0:
        return term
    for i in range(wide.start[g + 1] - 1, wide.start[g] - 1, -1):
        if wide.leaves[i] & 1 or wide.number[wide.leaves[i] >> 1] < 0:
            return int(wide.leaves[i])
    return -1


@device_function_norefcount
def _implied(wide: Wide, term: int, implied: Literals, mark: Ints, stamp: int) -> int:
    """Write the literals that a term implies, itself first; mark them with `stamp`, and return their number."""
    implied[0], count = term, 1
    mark[term] = stamp
    at = 0
    while at < count:
        literal = implied[at]
        g = wide.number[literal >> 1]
        if not literal & 1 and g >= 0:
            for leaf in wide.leaves[wide.start[g] : wide.start[g + 1]]:
                if mark[leaf] != stamp and count < MAX_IMPLIED:
                    mark[leaf] = stamp
                    implied[count] = leaf
                    count += 1
        at += 1
    return count


@device_function_norefcount
def _finds_another(
    wide: Wide,
    i: int,
    implied: Literals,
    mark: Ints,
    first: Ints,
    following: Ints,
    needed: Literals,
    kept: Bools,
) -> bool:
    """Whether term i implies all leaves of another kept term.

    implied: the literals that term i implies; mark: by literal the last term that implies it; first, following: for
    each literal a list of the terms whose rarest literal it is, -1 at its end; needed: see `_needed`; kept: [terms].
    """
    for literal in implied:
        other = first[literal]
        while other >= 0:
            may = needed[other] < 0 or mark[needed[other]] == i
            if may and other != i and kept[other] and _all_marked(wide, wide.leaves[other] ^ 1, mark, i):
                return True
            other = following[other]
    return False


@device_function_norefcount
def _all_marked(wide: Wide, term: int, mark: Ints, stamp: int) -> bool:
    """Whether all leaves of a term are marked, or are conjunctions of marked leaves."""
    g = wide.number[term >> 1]
    if term & 1 or g < 0:
        return bool(mark[term] == stamp)
    for leaf in wide.leaves[wide.start[g] : wide.start[g + 1]]:
        inner = wide.number[leaf >> 1]
        if mark[leaf] == stamp:
            continue
        if leaf & 1 or inner < 0:
            return False
        for deeper in wide.leaves[wide.start[inner] : wide.start[inner + 1]]:
            if mark[deeper] != stamp:
                return False
    return True
