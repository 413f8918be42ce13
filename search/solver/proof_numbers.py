"""Depth-first proof-number search (df-pn, Nagai 2002) for "the first role's score is at least THRESHOLD".

The proof number of a position estimates how many open positions must be proven to prove it; the disproof number
estimates how many must be disproven to disprove it. Where the first role chooses, the proof number is the smallest of
the children's; the disproof number is the largest plus one for each other undecided child, because a sum would count
positions several times that are reached on several paths (weak proof numbers, Ueda et al. 2008). Where the other role
chooses, the reverse. A new position in which the first role chooses among n moves starts with proof number 1 and
disproof number n; where the other role chooses, with n and 1. The search goes to the child with the smallest number,
until the number of a sibling is smaller by a quarter (Pawlewicz & Lew 2007, the 1 + epsilon trick).

With a horizon (see `expansion`), a child's score is one more than its parent's would be, so that the threshold grows by
one with each level.

The search keeps its path in arrays, so that it can stop after any expansion and continue. Everything else is in the
table: after a restart, the search repeats only the expansions on the path.

Several threads share the table. When a thread enters a position, it first stores a larger value of the number that
selected the position (proof or disproof number), so that other threads prefer its siblings (virtual loss).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs, Words
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.scalars import int64
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import LANES
from search.solver.expansion import Children, Rules, Work, canonical, children_of, expand, part_from
from search.solver.proof_table import INFINITE, bounds_in, find, numbers_in, store

UNDECIDED, DECIDED, DEEP = 1, 0, -5
"""Results of `prove`, besides the negative ones of `expand`: the limit of expansions; decided; the path is too long."""

MAX_DEPTH = 2_000
MAX_CHILDREN = 1 << 15
"""Maximum number of children of all positions of a path."""


class Path(NamedTuple):
    """The positions from the root to the current one, with their children; D levels, N children."""

    counts: Longs  # [3] current level, -1 before the root is expanded; expansions; 1 if other threads share the table
    first: Ints  # [D + 1] the first child of each level
    cursor: Ints  # [D] the child that is being searched
    chooser: Ints  # [D] the role that chooses
    begun: Longs  # [D] the number of expansions made before the search entered the level
    codes: Words  # [D] the hash of the position
    most: Longs  # [D, 2] the numbers at which the search returns to the parent
    children: Children
    numbers: Longs  # [N, 2] the proof and the disproof number of each child


def new_path(words: int, symmetries: int, shared: bool) -> Path:
    """Allocate a path for positions of `words` words; `shared`: other threads use the same table."""
    levels, children = MAX_DEPTH, MAX_CHILDREN
    return Path(
        counts=np.array([-1, 0, int(shared)]),
        first=np.zeros(levels + 1, np.int32),
        cursor=np.zeros(levels, np.int32),
        chooser=np.zeros(levels, np.int32),
        begun=np.zeros(levels, np.int64),
        codes=np.zeros(levels, np.uint64),
        most=np.zeros((levels, 2), np.int64),
        children=children_of(children, words, symmetries),
        numbers=np.zeros((children, 2), np.int64),
    )


@device_function_norefcount
def look_up(table: Words, children: Children, numbers: Longs, i: int, threshold: int) -> None:
    """Improve the bounds of child `i` by the table, and set its numbers."""
    own, bounds = numbers[i], children.bounds[i]
    own[0] = min(max(children.counts[i, 1], 1), INFINITE - 1)
    own[1] = min(max(children.counts[i, 0], 1), INFINITE - 1)
    if bounds[0] != bounds[1]:
        entry, known = find(table, canonical(children.hashes[i]))
        if entry >= 0:
            low, high = bounds_in(known)
            bounds[0], bounds[1] = max(bounds[0], low), min(bounds[1], high)
            proof, disproof = numbers_in(known, threshold)
            if proof and disproof:
                own[0], own[1] = proof, disproof
    if bounds[0] >= threshold:
        own[0], own[1] = 0, INFINITE
    elif bounds[1] < threshold:
        own[0], own[1] = INFINITE, 0


@device_function_norefcount
def _enter(
    program: Lanes,
    rules: Rules,
    work: Work,
    table: Words,
    path: Path,
    state: Words,
    hashes: Words,
    threshold: int,
    proof: int,
    disproof: int,
) -> int:
    """Expand a position on the next level; return DECIDED, or the negative result that prevents it.

    threshold:       of this position.
    proof, disproof: the numbers at which the search leaves the level.
    """
    level = path.counts[0] + 1
    first = path.first[level]
    if level + 1 >= len(path.cursor) or first + LANES > len(path.numbers):
        return DEEP
    own = part_from(path.children, first)
    chooser, count = expand(program, rules, work, table, state, hashes, own, True)
    if chooser < 0:
        return chooser
    path.counts[0], path.first[level + 1], path.chooser[level] = level, first + count, chooser
    path.begun[level], path.codes[level] = path.counts[1], canonical(hashes)
    path.most[level, 0], path.most[level, 1] = proof, disproof
    path.counts[1] += 1
    for i in range(first, first + count):
        look_up(table, path.children, path.numbers, i, threshold + pace(rules))
    return DECIDED


@device_function_norefcount
def _select(path: Path, level: int, own: int) -> tuple[int, int, int, int, int]:
    """Return the child with the smallest number, that number, the second smallest, and the position's other number.

    The last result is the number of its other undecided children. own: 0 where the smallest proof number counts, 1 for
    the disproof number.
    """
    best, least, second, most, undecided = -1, INFINITE, INFINITE, 0, 0
    for i in range(path.first[level], path.first[level + 1]):
        number, other = path.numbers[i, own], path.numbers[i, 1 - own]
        most = max(most, other)
        undecided += 1 if other else 0
        if best < 0 or number < least:
            best, least, second = i, number, least
        elif number < second:
            second = number
    rest = max(undecided - 1, 0)
    total = most if most == 0 or most == INFINITE else min(most + rest, INFINITE - 1)
    return best, least, second, total, rest


@device_function_norefcount
def pace(rules: Rules) -> int:
    """Return the difference between a child's threshold and its parent's."""
    return 1 if rules.horizon else 0


@device_function_norefcount
def _bounds(path: Path, level: int, maximizes: bool, step: int) -> tuple[int, int]:
    """Return the bounds of a position that follow from the bounds of its children; step: as `pace` returns it."""
    bounds = path.children.bounds
    first = path.first[level]
    low, high = int64(bounds[first, 0]), int64(bounds[first, 1])
    for i in range(first + 1, path.first[level + 1]):
        if maximizes:
            low, high = max(low, int64(bounds[i, 0])), max(high, int64(bounds[i, 1]))
        else:
            low, high = min(low, int64(bounds[i, 0])), min(high, int64(bounds[i, 1]))
    return max(low - step, 0), max(high - step, 0)


@device_function_norefcount
def _claim(table: Words, path: Path, child: int, own: int, threshold: int) -> None:
    """Store a larger number for a child, the proof number if `own` is 0, else the disproof number."""
    proof, disproof = path.numbers[child, 0], path.numbers[child, 1]
    larger = min(2 * path.numbers[child, own] + 1, INFINITE - 1)
    proof, disproof = (larger, disproof) if own == 0 else (proof, larger)
    bounds = path.children.bounds[child]
    store(table, canonical(path.children.hashes[child]), bounds[0], bounds[1], threshold, proof, disproof, 1)


@device_function_norefcount
def _leave(
    table: Words, path: Path, level: int, threshold: int, proof: int, disproof: int, low: int, high: int
) -> None:
    """Store the results of a level, and return to its parent."""
    expansions = path.counts[1] - path.begun[level]
    store(table, path.codes[level], low, high, threshold, proof, disproof, expansions)
    path.counts[0] = level - 1
    if level:
        child = path.cursor[level - 1]
        path.numbers[child, 0], path.numbers[child, 1] = proof, disproof
        path.children.bounds[child, 0], path.children.bounds[child, 1] = low, high


@device_function_norefcount
def _evaluate(rules: Rules, path: Path, level: int, threshold: int) -> tuple[int, int, int, int, int, int, int]:
    """Return the bounds and numbers of a position on the path, then `best`, `second` and `rest` as `_select` does.

    threshold: of this position.
    """
    maximizes = path.chooser[level] == rules.first
    best, least, second, total, rest = _select(path, level, 0 if maximizes else 1)
    low, high = _bounds(path, level, maximizes, pace(rules))
    proof, disproof = (least, total) if maximizes else (total, least)
    if low >= threshold:
        proof, disproof = 0, INFINITE
    elif high < threshold:
        proof, disproof = INFINITE, 0
    return low, high, proof, disproof, best, second, rest


@kernel_norefcount
def leave_all(rules: Rules, table: Words, path: Path, threshold: int) -> None:
    """Store the results of all levels and leave the path; threshold: of the root."""
    while path.counts[0] >= 0:
        level = path.counts[0]
        own = threshold + pace(rules) * level
        low, high, proof, disproof, _, _, _ = _evaluate(rules, path, level, own)
        _leave(table, path, level, own, proof, disproof, low, high)


@kernel_norefcount
def enter(table: Words, hashes: Words, numbers: Longs, threshold: int, expansions: int) -> None:
    """Store bounds and numbers of a position, [4], that `expansions` expansions have found."""
    code = canonical(hashes)
    store(table, code, numbers[0], numbers[1], threshold, numbers[2], numbers[3], expansions)


@kernel_norefcount
def prove(
    program: Lanes,
    rules: Rules,
    work: Work,
    table: Words,
    path: Path,
    root: Words,  # [W] the packed position
    hashes: Words,  # [S] its hashes
    threshold: int,
    expansions: int,
    result: Ints,  # [4], written: the root's bounds, proof number and disproof number
) -> int:
    """Search until the root is decided, or for about `expansions` expansions; a later call with `path` continues."""
    if path.counts[0] < 0:
        failed = _enter(program, rules, work, table, path, root, hashes, threshold, INFINITE, INFINITE)
        if failed:
            return failed
    most, step = path.counts[1] + expansions, pace(rules)
    while path.counts[1] < most:
        level = path.counts[0]
        own_threshold = threshold + step * level
        maximizes = path.chooser[level] == rules.first
        own = 0 if maximizes else 1
        low, high, proof, disproof, best, second, rest = _evaluate(rules, path, level, own_threshold)
        if level == 0:
            result[0], result[1], result[2], result[3] = low, high, proof, disproof
        if proof == 0 or disproof == 0 or proof >= path.most[level, 0] or disproof >= path.most[level, 1]:
            _leave(table, path, level, own_threshold, proof, disproof, low, high)
            if level == 0:
                return DECIDED
            continue
        path.cursor[level] = best
        if path.counts[2]:
            _claim(table, path, best, own, own_threshold + step)
        most_least = min(path.most[level, own], second + (second >> 2) + 1)
        most_total = min(path.most[level, 1 - own] - rest, INFINITE)
        next_proof, next_disproof = (most_least, most_total) if maximizes else (most_total, most_least)
        state, codes = path.children.states[best], path.children.hashes[best]
        failed = _enter(
            program, rules, work, table, path, state, codes, own_threshold + step, next_proof, next_disproof
        )
        if failed:
            return failed
    return UNDECIDED


@kernel_norefcount
def children_at(
    program: Lanes,
    rules: Rules,
    work: Work,
    table: Words,
    root: Words,
    hashes: Words,
    threshold: int,
    numbers: Longs,  # [LANES, 2], overwritten
    out: Children,
) -> tuple[int, int]:
    """Expand a position as `expand` does; improve the bounds of its children by the table, and find their numbers."""
    chooser, count = expand(program, rules, work, table, root, hashes, out, True)
    for i in range(count):
        look_up(table, out, numbers, i, threshold)
    return chooser, count
