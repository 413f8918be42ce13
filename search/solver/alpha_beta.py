"""Alpha-beta search for "the first role's score is at least THRESHOLD", beside that of `proof_numbers`.

The window has width 0, so that every position is either proven or disproven. The search is depth-first. It asks the
table for the bounds of all children before it enters one (enhanced transposition cutoffs, Plaat et al. 1996), and
stores what it decides.

The children are tried in the order of the history heuristic (Schaeffer 1989), and a child's place is found only when it
is its turn. The history counts facts that moves make true, because a move's name need not tell what the move does: a
stone dropped into a column may land on any row. If the n-th child decides a position, its new facts get n - 1 points,
and the new facts of each child before it lose one (Tromp 2008). Where searches are long, playouts come before the
history (`playout_order`).

Where many moves lead to the same positions, this search needs fewer expansions than proof numbers; where one side must
only follow forced moves, it needs more. So a solver uses both, with one table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs, Words
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.bits import ONE
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import LANES, lowest_bit
from search.solver.expansion import MAX_SCORE, Children, Rules, Work, canonical, children_of, expand, part_from
from search.solver.playout_order import Sampler, is_worth_games, mean_score, new_sampler, note_size
from search.solver.proof_numbers import DECIDED, DEEP, MAX_CHILDREN, MAX_DEPTH, UNDECIDED, pace
from search.solver.proof_table import INFINITE, bounds_in, find, store

FALSE, TRUE, OPEN = 0, 1, 2
"""Whether a position reaches its threshold; OPEN: its children must be searched."""
HISTORY_BITS = 32
"""The points of a child are much less than 2 to this power."""
START_POINTS = 2
"""The history begins with random points below this number, so that threads search in different orders."""


class Line(NamedTuple):
    """The positions from the root to the current one, with their children; D levels, N children, B bases, W words."""

    counts: Longs  # [2] current level, -1 before the root is expanded; expansions
    first: Ints  # [D + 1] the first child of each level
    left: Ints  # [D] the number of children of each level that had to be searched
    cursor: Ints  # [D] the place in `order`, counted from `first`, of the child that is being searched
    decisive: Ints  # [D] the result of a child that decides the position: TRUE where the first role chooses, else FALSE
    begun: Longs  # [D] the number of expansions made before the search entered the level
    codes: Words  # [D] the hash of the position
    states: Words  # [D, W] the position
    children: Children
    order: Ints  # [N] the children that have to be searched, those tried first
    promise: Longs  # [N] how much playouts speak for a child, or 0
    history: Longs  # [2, B] the points of new facts, for both values of `decisive`
    sampler: Sampler


def new_line(program: Lanes, words: int, symmetries: int, seed: int, *, playouts: bool) -> Line:
    """Allocate a line for positions of `words` words; `playouts`: whether playouts order the first moves."""
    levels, children = MAX_DEPTH, MAX_CHILDREN
    return Line(
        counts=np.array([-1, 0]),
        first=np.zeros(levels + 1, np.int32),
        left=np.zeros(levels, np.int32),
        cursor=np.zeros(levels, np.int32),
        decisive=np.zeros(levels, np.int32),
        begun=np.zeros(levels, np.int64),
        codes=np.zeros(levels, np.uint64),
        states=np.zeros((levels, words), np.uint64),
        children=children_of(children, words, symmetries),
        order=np.zeros(children, np.int32),
        promise=np.zeros(children, np.int64),
        history=np.random.default_rng(seed).integers(0, START_POINTS, (2, program.searched)),
        sampler=new_sampler(program, levels, active=playouts),
    )


@device_function_norefcount
def _points(line: Line, level: int, child: int, more: int) -> int:
    """Add `more` to the points of each fact that is new in a child; return their sum."""
    points = int64(0)
    history = line.history[line.decisive[level]]
    before, after = line.states[level], line.children.states[child]
    for w in range(len(before)):
        new = after[uint64(w)] & ~before[uint64(w)]
        while new:
            base = uint64(64 * w) + uint64(lowest_bit(new))
            new &= new - ONE
            history[base] += more
            points += history[base]
    return points


@device_function_norefcount
def _merit(line: Line, level: int, child: int) -> int:
    """Return what speaks for a child: playouts first, then the history."""
    return (int64(line.promise[child]) << HISTORY_BITS) + _points(line, level, child, 0)


@device_function_norefcount
def _known(table: Words, children: Children, i: int, threshold: int) -> int:
    """Improve the bounds of child `i` by the table; return FALSE, TRUE or OPEN."""
    bounds = children.bounds[i]
    if bounds[0] < threshold <= bounds[1]:
        entry, known = find(table, canonical(children.hashes[i]))
        if entry >= 0:
            low, high = bounds_in(known)
            bounds[0], bounds[1] = max(bounds[0], low), min(bounds[1], high)
    return TRUE if bounds[0] >= threshold else FALSE if bounds[1] < threshold else OPEN


@device_function_norefcount
def _enter(
    program: Lanes, rules: Rules, work: Work, table: Words, line: Line, state: Words, hashes: Words, threshold: int
) -> int:
    """Expand a position; return FALSE, TRUE, or OPEN if it is now on the next level, or a negative result of `expand`.

    threshold: of this position.
    """
    level = line.counts[0] + 1
    first = line.first[level]
    if level + 1 >= len(line.cursor) or first + LANES > len(line.order):
        return DEEP
    chooser, count = expand(program, rules, work, table, state, hashes, part_from(line.children, first), False)
    if chooser < 0:
        return chooser
    line.counts[1] += 1
    decisive = TRUE if chooser == rules.first else FALSE
    left = 0
    for i in range(first, first + count):
        known = _known(table, line.children, i, threshold + pace(rules))
        if known == decisive:
            return decisive
        if known == OPEN:
            line.order[first + left] = i
            left += 1
    if left == 0:
        return TRUE - decisive
    _sample(program, rules, work, line, level, decisive, left)
    line.counts[0], line.first[level + 1], line.left[level], line.cursor[level] = level, first + count, left, 0
    line.decisive[level], line.begun[level], line.codes[level] = decisive, line.counts[1] - 1, canonical(hashes)
    for w in range(len(state)):
        line.states[level, w] = state[w]
    return OPEN


@device_function_norefcount
def _sample(program: Lanes, rules: Rules, work: Work, line: Line, level: int, decisive: int, left: int) -> None:
    """Set the promise of the first `left` children in the order of a level."""
    first, sampler = line.first[level], line.sampler
    sampled = 0
    while sampled < left and is_worth_games(sampler, level, left):  # the first games may turn out to be too long
        child = line.order[first + sampled]
        score = mean_score(program, rules, work, sampler, line.children.states[child])
        line.promise[child] = score if decisive == TRUE else -score
        sampled += 1
    if sampled < left:
        for place in range(first, first + left):
            line.promise[line.order[place]] = 0


@device_function_norefcount
def _next_child(line: Line, level: int) -> int:
    """Return the best child of those that were not tried, and put it at the cursor."""
    first = line.first[level]
    place, end = first + line.cursor[level], first + line.left[level]
    best, most = place, _merit(line, level, line.order[place])
    for i in range(place + 1, end):
        merit = _merit(line, level, line.order[i])
        if merit > most:
            best, most = i, merit
    line.order[place], line.order[best] = line.order[best], line.order[place]
    return int64(line.order[place])


@device_function_norefcount
def _store(table: Words, code: int, found: int, threshold: int, gap: int, expansions: int) -> None:
    """Store that a position reaches its threshold, or that it does not."""
    if found:
        store(table, code, threshold, MAX_SCORE, threshold, 0, INFINITE, expansions)
    else:
        store(table, code, 0, threshold - gap, threshold, INFINITE, 0, expansions)


@device_function_norefcount
def _leave(rules: Rules, table: Words, line: Line, found: int, threshold: int, gap: int) -> int:
    """Leave all levels that the result of a child decides; return the root's result, or OPEN if it is undecided.

    threshold: of the root.
    """
    while line.counts[0] >= 0:
        level = line.counts[0]
        first, cursor = line.first[level], line.cursor[level]
        if found == line.decisive[level]:
            if cursor:
                _points(line, level, line.order[first + cursor], cursor)
                for i in range(first, first + cursor):
                    _points(line, level, line.order[i], -1)
        else:
            line.cursor[level] += 1
            if cursor + 1 < line.left[level]:
                return OPEN
        expansions = line.counts[1] - line.begun[level]
        note_size(line.sampler, level, expansions)
        _store(table, line.codes[level], found, threshold + pace(rules) * level, gap, expansions)
        line.counts[0] = level - 1
    return found


@kernel_norefcount
def search_window(
    program: Lanes,
    rules: Rules,
    work: Work,
    table: Words,
    line: Line,
    root: Words,  # [W] the packed position
    hashes: Words,  # [S] its hashes
    threshold: int,
    gap: int,  # the difference between the threshold and the next lower score
    expansions: int,
    result: Ints,  # [4], written if the root is decided: its bounds, proof number and disproof number
) -> int:
    """Search until the root is decided, or for `expansions` expansions; a later call with `line` continues.

    Returns DECIDED, UNDECIDED, or a negative result of `expand`.
    """
    most = line.counts[1] + expansions
    found = OPEN
    if line.counts[0] < 0:
        found = _enter(program, rules, work, table, line, root, hashes, threshold)
    while found == OPEN and line.counts[1] < most:
        level = line.counts[0]
        child = _next_child(line, level)
        own = threshold + pace(rules) * (level + 1)
        found = _known(table, line.children, child, own)
        if found == OPEN:
            state, codes = line.children.states[child], line.children.hashes[child]
            found = _enter(program, rules, work, table, line, state, codes, own)
            if found >= 0 and found != OPEN:
                _store(table, canonical(codes), found, own, gap, 1)
        if found >= 0 and found != OPEN:
            found = _leave(rules, table, line, found, threshold, gap)
    if found == OPEN:
        return UNDECIDED
    if found < 0:
        return found
    result[0], result[1] = (threshold, MAX_SCORE) if found else (0, threshold - gap)
    result[2], result[3] = (0, INFINITE) if found else (INFINITE, 0)
    return DECIDED
