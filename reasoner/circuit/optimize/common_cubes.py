"""Common cubes: compute only once each set of leaves that several wide gates share.

There are two steps; both are greedy and take the largest gain first. First, gates with many leaves are compared in
pairs, and the leaves that two gates share become a new gate. Second, the pair of literals that most gates with few
leaves contain becomes a new gate, repeatedly (fast extraction: Rajski & Vasudevamurthi 1992, single cubes only).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Literals, Longs
from reasoner.circuit.graph import GateStore, Graph, conjunction
from reasoner.circuit.optimize.wide_gates import Logic, Wide, gates
from reasoner.kernels import device_function, device_function_norefcount, kernel

MIN_LONG_LEAVES = 8
"""Gates with at least this many leaves are *long*; they are compared in pairs. In the other gates, which
are *short*, literals are paired."""

MAX_COMMON_GATES = 64
"""A literal that more than this many gates contain is not used to find pairs of gates."""

MAX_PAIRS = 4_000_000
"""Maximum pairs in one round; a round with more pairs is skipped."""

ROUNDS = 6


def share(logic: Logic) -> Logic:
    """Return the graph in which common cubes of wide gates are gates of their own."""
    old, wide = logic.graph, logic.wide
    lists = Lists(
        wide.start[:-1].copy(),
        np.diff(wide.start).astype(np.int32),
        wide.leaves.copy(),
        np.full(2 * len(wide.leaves) + 2, -1, np.int32),
        np.zeros(len(wide.leaves) + 2, np.int64),
        np.array([0], np.int64),
        2 * (old.first_gate + len(old)),
    )
    _share_rows(lists)
    _share_pairs(lists)
    graph = Graph(old.inputs, old.max_gates)
    literal = np.full(lists.base + 2 * int(lists.made[0]), -1, np.int32)
    literal[: 2 * old.first_gate] = np.arange(2 * old.first_gate)
    longest = int(np.diff(wide.start).max(initial=0))
    _fill(graph.reserve(2 * len(old) + 2), literal, wide, lists, np.empty(longest, np.int32))
    shorter = Logic(graph, literal[logic.outputs])
    return shorter if gates(shorter) < gates(logic) else logic


class Lists(NamedTuple):
    """The leaves of each gate during the rewriting, and the new gates; new gate k has the literal `base` + 2k."""

    start: Longs  # [gates] where a gate's leaves begin
    length: Ints  # [gates] the current number of a gate's leaves
    leaves: Literals  # sorted within a gate
    more: Literals  # leaves of the new gates
    ends: Longs  # new gate k has the leaves more[ends[k] : ends[k + 1]]
    made: Longs  # [1] the number of new gates
    base: int


@kernel
def _fill(store: GateStore, literal: Literals, wide: Wide, lists: Lists, row: Literals) -> None:
    """Make all gates in order, and each new gate before its first reader; `row` is a buffer for a gate's leaves."""
    for g in range(len(wide.nodes)):
        for i in range(lists.length[g]):
            leaf = lists.leaves[lists.start[g] + i]
            if literal[leaf] < 0:
                _make(store, literal, lists, leaf)
            row[i] = literal[leaf]
        made = conjunction(store, row[: lists.length[g]])
        literal[2 * wide.nodes[g]], literal[2 * wide.nodes[g] + 1] = made, made ^ 1


@device_function
def _make(store: GateStore, literal: Literals, lists: Lists, wanted: int) -> None:
    """Make the new gate `wanted`, and before it the new gates that it reads."""
    stack = [wanted]
    while len(stack):
        k = (stack[-1] - lists.base) >> 1
        row = lists.more[lists.ends[k] : lists.ends[k + 1]].copy()
        ready = True
        for leaf in row:
            if literal[leaf] < 0:
                stack.append(leaf)
                ready = False
        if ready:
            made = conjunction(store, literal[row])
            literal[lists.base + 2 * k], literal[lists.base + 2 * k + 1] = made, made ^ 1
            stack.pop()


@kernel
def _share_rows(lists: Lists) -> None:
    """Extract the common leaves of pairs of long gates, starting with the pairs that share most leaves."""
    pairs, counts = _neighbours(lists)
    for _ in range(ROUNDS):
        order = np.argsort(-counts, kind="mergesort")
        taken = False
        for i in order:
            if counts[i] < 2:
                break
            a, b = pairs[i, 0], pairs[i, 1]
            held = _in_common(lists, a, b)
            if held >= 2 and 4 * held >= 3 * counts[i]:
                _extract_row(lists, a, b)
                taken = True
                held = 0
            counts[i] = held
        if not taken:
            return


@device_function
def _holders(lists: Lists, least: int, most: int, everywhere: bool) -> tuple[Longs, Ints]:
    """Return, for each literal, the gates that contain it: offsets, then gates.

    Only gates with `least` to `most` leaves count, or all gates if `everywhere` is set.
    """
    begins = np.zeros(lists.base + 2 * len(lists.ends) + 1, np.int64)
    for g in range(len(lists.start)):
        if least <= lists.length[g] <= most or everywhere:
            for i in range(lists.start[g], lists.start[g] + lists.length[g]):
                begins[lists.leaves[i] + 1] += 1
    begins = np.cumsum(begins)
    held = np.empty(begins[-1], np.int32)
    at = begins.copy()
    for g in range(len(lists.start)):
        if least <= lists.length[g] <= most or everywhere:
            for i in range(lists.start[g], lists.start[g] + lists.length[g]):
                held[at[lists.leaves[i]]] = g
                at[lists.leaves[i]] += 1
    return begins, held


@device_function
def _neighbours(lists: Lists) -> tuple[Ints, Ints]:
    """Return the pairs of long gates that share two or more leaves, and the number of leaves that each pair shares."""
    begins, held = _holders(lists, MIN_LONG_LEAVES, 1 << 30, False)
    total = 0
    for literal in range(len(begins) - 1):
        count = begins[literal + 1] - begins[literal]
        if count <= MAX_COMMON_GATES:
            total += count * (count - 1) // 2
    if total > MAX_PAIRS:
        total = 0
    keys = np.empty(total, np.int64)
    end = 0
    for literal in range(len(begins) - 1 if total else 0):
        a, b = begins[literal], begins[literal + 1]
        if b - a <= MAX_COMMON_GATES:
            for i in range(a, b):
                for k in range(i + 1, b):
                    keys[end] = np.int64(held[i]) << 32 | held[k]
                    end += 1
    return _counted(keys)


@device_function
def _counted(keys: Longs) -> tuple[Ints, Ints]:
    """Return the keys that occur twice or more, split into pairs, and their counts."""
    keys = np.sort(keys)
    pairs = np.empty((len(keys) // 2 + 1, 2), np.int32)
    counts = np.empty(len(keys) // 2 + 1, np.int32)
    found, begin = 0, 0
    for i in range(1, len(keys) + 1):
        if i == len(keys) or keys[i] != keys[begin]:
            if i - begin > 1:
                pairs[found, 0], pairs[found, 1] = keys[begin] >> 32, keys[begin] & 0xFFFFFFFF
                counts[found] = i - begin
                found += 1
            begin = i
    return pairs[:found], counts[:found]


@device_function_norefcount
def _in_common(lists: Lists, a: int, b: int) -> int:
    """Return the number of leaves that two gates share."""
    i, k, count = lists.start[a], lists.start[b], 0
    i_end, k_end = i + lists.length[a], k + lists.length[b]
    while i < i_end and k < k_end:
        x, y = lists.leaves[i], lists.leaves[k]
        count += x == y
        i += x <= y
        k += y <= x
    return count


@device_function_norefcount
def _extract_row(lists: Lists, a: int, b: int) -> None:
    """Make a new gate of the leaves that two gates share, and use it in both."""
    k = lists.made[0]
    end = lists.ends[k]
    i, j = lists.start[a], lists.start[b]
    i_end, j_end = i + lists.length[a], j + lists.length[b]
    i_kept, j_kept = i, j
    while i < i_end or j < j_end:
        x = lists.leaves[i] if i < i_end else 1 << 30
        y = lists.leaves[j] if j < j_end else 1 << 30
        if x == y:
            lists.more[end] = x
            end += 1
        elif x < y:
            lists.leaves[i_kept] = x
            i_kept += 1
        else:
            lists.leaves[j_kept] = y
            j_kept += 1
        i += x <= y
        j += y <= x
    lists.ends[k + 1] = end
    lists.made[0] = k + 1
    lists.leaves[i_kept] = lists.leaves[j_kept] = lists.base + 2 * k
    lists.length[a], lists.length[b] = i_kept + 1 - lists.start[a], j_kept + 1 - lists.start[b]


@kernel
def _share_pairs(lists: Lists) -> None:
    """Replace pairs of literals in short gates by new gates, starting with the pairs that most gates contain."""
    for _ in range(ROUNDS):
        total = 0
        for g in range(len(lists.start)):
            if 3 <= lists.length[g] < MIN_LONG_LEAVES:
                total += lists.length[g] * (lists.length[g] - 1) // 2
        if total == 0 or total > 4 * MAX_PAIRS:
            return
        begins, held = _holders(lists, 3, MIN_LONG_LEAVES - 1, False)
        pairs, counts = _counted(_pairs(lists, begins, total))
        if not _extract_pairs(lists, pairs, counts, begins, held):
            return


@device_function
def _pairs(lists: Lists, begins: Longs, most: int) -> Longs:
    """Return the pairs of literals in short gates, as keys; literals that only one gate contains are left out.

    begins: as `_holders` returns it for short gates; most: the maximum of pairs.
    """
    keys, end = np.empty(most, np.int64), 0
    for g in range(len(lists.start)):
        if 3 <= lists.length[g] < MIN_LONG_LEAVES:
            for i in range(lists.start[g], lists.start[g] + lists.length[g]):
                a = lists.leaves[i]
                for k in range(i + 1, lists.start[g] + lists.length[g] if begins[a + 1] - begins[a] > 1 else 0):
                    b = lists.leaves[k]
                    if begins[b + 1] - begins[b] > 1:
                        keys[end] = np.int64(a) << 32 | b
                        end += 1
    return keys[:end]


@device_function
def _extract_pairs(lists: Lists, pairs: Ints, counts: Ints, begins: Longs, held: Ints) -> bool:
    """Replace pairs by new gates in the short gates that contain them; return whether any pair was replaced.

    begins, held: the short gates that contain a literal, as returned by `_holders`.
    """
    mine = np.empty(len(lists.start), np.int32)
    taken = False
    for i in np.argsort(-counts, kind="mergesort"):
        a, b = pairs[i, 0], pairs[i, 1]
        rare = a if begins[a + 1] - begins[a] < begins[b + 1] - begins[b] else b
        count = 0
        for k in range(begins[rare], begins[rare + 1]):
            g = held[k]
            if lists.length[g] >= 3 and _holds(lists, g, a) and _holds(lists, g, b):
                mine[count] = g
                count += 1
        if count >= 2 and 2 * count >= counts[i] and lists.ends[lists.made[0]] + 2 <= len(lists.more):
            _extract_pair(lists, a, b, mine[:count])
            taken = True
    return taken


@device_function_norefcount
def _holds(lists: Lists, g: int, literal: int) -> bool:
    held = False
    for i in range(lists.start[g], lists.start[g] + lists.length[g]):
        held |= bool(lists.leaves[i] == literal)
    return held


@device_function_norefcount
def _extract_pair(lists: Lists, a: int, b: int, holders: Ints) -> None:
    k = lists.made[0]
    end = lists.ends[k]
    lists.more[end], lists.more[end + 1] = a, b
    lists.ends[k + 1] = end + 2
    lists.made[0] = k + 1
    for g in holders:
        kept = lists.start[g]
        for i in range(lists.start[g], lists.start[g] + lists.length[g]):
            if lists.leaves[i] != a and lists.leaves[i] != b:
                lists.leaves[kept] = lists.leaves[i]
                kept += 1
        lists.leaves[kept] = lists.base + 2 * k
        lists.length[g] = kept + 1 - lists.start[g]
