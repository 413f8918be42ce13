"""Algebraic factoring of ORs of conjunctions: ``(a & b) | (a & c)`` is ``a & (b | c)``, which has a gate less.

The literal that most terms share is factored out and the quotient is factored recursively; then the next literal
follows (Brayton & McMullen 1982). By De Morgan the same method factors ANDs of disjunctions. A leaf also simplifies the
terms of its gate: ``a & ~(a & b)`` is ``a & ~b``, and ``a & ~(~a & b)`` is ``a``.

A *term* is here a conjunction whose complement is a leaf of a wide gate and has no other readers. A *plain* leaf is one
that is not the complement of a term.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Ints, Literals, Longs
from reasoner.circuit.graph import FALSE, TRUE, GateStore, Graph, and_, conjunction, sort_distinct
from reasoner.circuit.optimize.wide_gates import Logic, Wide, blank, gates
from reasoner.kernels import device_function, device_function_norefcount, kernel

MAX_LITERALS = 200_000
"""Maximum literals in the terms of one gate; a larger gate is left unchanged."""

MAX_DEPTH = 256
"""Maximum literals that are factored out of the same terms, each by a recursive call; the stack limits the calls."""


def factor(logic: Logic) -> Logic:
    """Return the graph with common factors taken out."""
    old, wide = logic.graph, logic.wide
    graph = Graph(old.inputs, old.max_gates)
    literal = blank(old)
    store = graph.reserve(2 * len(old))
    rows = np.empty((2, int(np.diff(wide.start).max(initial=0))), np.int32)
    _fill(store, literal, wide, rows, np.full(graph.first_gate + len(store.left), -1, np.int32))
    shorter = Logic(graph, literal[logic.outputs])
    return shorter if gates(shorter) < gates(logic) else logic


@kernel
def _fill(store: GateStore, literal: Literals, wide: Wide, rows: Ints, seen: Ints) -> None:
    """Make every wide gate, and write its literals to `literal`.

    rows: [2, leaves] buffer for the literals of two gates; seen: buffer by node, -1 everywhere.
    """
    for g in range(len(wide.nodes)):
        leaves = wide.leaves[wide.start[g] : wide.start[g + 1]]
        size = _size_of_terms(wide, leaves)
        if 0 < size <= MAX_LITERALS and not _all_differ(wide, literal, leaves, seen, g):
            made = _gate_with_terms(store, literal, wide, leaves, size)
        else:
            made = _as_it_is(store, literal, wide, leaves, rows, size <= MAX_LITERALS)
        node = wide.nodes[g]
        literal[2 * node], literal[2 * node + 1] = made, made ^ 1


@device_function_norefcount
def _all_differ(wide: Wide, literal: Literals, leaves: Literals, seen: Ints, stamp: int) -> bool:
    """Whether all literals of the terms and plain leaves have different nodes, so that there is no common factor."""
    for leaf in leaves:
        if _is_term(wide, leaf):
            g = wide.number[leaf >> 1]
            for inner in wide.leaves[wide.start[g] : wide.start[g + 1]]:
                if not _is_new(literal[inner] >> 1, seen, stamp):
                    return False
        elif not _is_new(literal[leaf] >> 1, seen, stamp):
            return False
    return True


@device_function_norefcount
def _is_new(node: int, seen: Ints, stamp: int) -> bool:
    """Whether a node is no constant and has not been seen with this stamp; mark it as seen."""
    if node == 0 or seen[node] == stamp:
        return False
    seen[node] = stamp
    return True


@device_function_norefcount
def _as_it_is(store: GateStore, literal: Literals, wide: Wide, leaves: Literals, rows: Ints, anew: bool) -> int:
    """Return the gate of some leaves without factoring them; if `anew` is set, rebuild terms from their leaves."""
    row, count = rows[0], 0
    for leaf in leaves:
        if anew and _is_term(wide, leaf):
            g, length = wide.number[leaf >> 1], 0
            for inner in wide.leaves[wide.start[g] : wide.start[g + 1]]:
                rows[1, length] = literal[inner]
                length += 1
            row[count] = conjunction(store, rows[1, :length]) ^ 1
        else:
            row[count] = literal[leaf]
        count += 1
    return conjunction(store, row[:count])


@device_function_norefcount
def _is_term(wide: Wide, leaf: int) -> bool:
    return bool(leaf & 1) and wide.number[leaf >> 1] >= 0 and wide.readers[leaf >> 1] == 1


@device_function_norefcount
def _size_of_terms(wide: Wide, leaves: Literals) -> int:
    """Return the number of literals in the terms among the leaves."""
    size = 0
    for leaf in leaves:
        if _is_term(wide, leaf):
            g = wide.number[leaf >> 1]
            size += wide.start[g + 1] - wide.start[g]
    return size


@device_function
def _gate_with_terms(store: GateStore, literal: Literals, wide: Wide, leaves: Literals, size: int) -> int:
    flat = np.empty(size, np.int32)
    start = np.zeros(len(leaves) + 1, np.int64)
    plain = np.empty(len(leaves), np.int32)
    terms, others, end = 0, 0, 0
    for leaf in leaves:
        if _is_term(wide, leaf):
            g = wide.number[leaf >> 1]
            for inner in wide.leaves[wide.start[g] : wide.start[g + 1]]:
                flat[end] = literal[inner]
                end += 1
            terms += 1
            start[terms] = end
        else:
            plain[others] = literal[leaf]
            others += 1
    return _combined(store, flat, start[: terms + 1], plain[:others], 0)


@device_function
def _combined(store: GateStore, flat: Literals, start: Longs, plain: Literals, depth: int) -> int:
    """Return the AND of the `plain` literals and the complements of the terms; term i is flat[start[i]] … .

    depth: the number of literals that are already factored out of these terms.
    """
    count = len(start) - 1
    if count == 0:
        return conjunction(store, plain.copy())
    flat, start, plain, possible = _simplified(flat, start, plain)
    if not possible:
        return FALSE
    count = len(start) - 1
    made = np.empty(count, np.int32)  # complements of the rebuilt terms
    alive = np.ones(count, np.bool_)
    extra = np.empty(count, np.int32)
    extras = 0
    while depth < MAX_DEPTH:
        literals, ends = _by_frequency(flat, start, alive)
        found = False
        for k in range(len(ends)):
            begin = ends[k - 1] if k else 0
            mine = 0
            for i in range(begin, ends[k]):
                mine += alive[literals[i, 1]]
            if mine < 2:
                continue
            factor = literals[begin, 0]
            inner, inner_start = _without(flat, start, literals[begin : ends[k], 1], alive, factor, mine)
            rest = _combined(store, inner, inner_start, np.empty(0, np.int32), depth + 1)
            extra[extras] = and_(store, factor, rest ^ 1) ^ 1
            extras += 1
            found = True
        if not found:
            break
    end = 0
    for i in range(count):
        if alive[i]:
            made[end] = conjunction(store, flat[start[i] : start[i + 1]].copy()) ^ 1
            end += 1
    return conjunction(store, np.concatenate((plain, made[:end], extra[:extras])))


@device_function
def _without(
    flat: Literals,
    start: Longs,
    terms: Literals,
    alive: Bools,
    factor: int,
    count: int,
) -> tuple[Literals, Longs]:
    """Return the live terms that contain the factor, with the factor removed, and clear `alive` for them."""
    size = 0
    for t in terms:
        if alive[t]:
            size += start[t + 1] - start[t] - 1
    inner, inner_start = np.empty(size, np.int32), np.zeros(count + 1, np.int64)
    end, n = 0, 0
    for t in terms:
        if alive[t]:
            alive[t] = False
            for literal in flat[start[t] : start[t + 1]]:
                if literal != factor:
                    inner[end] = literal
                    end += 1
            n += 1
            inner_start[n] = end
    return inner, inner_start


@device_function
def _by_frequency(flat: Literals, start: Longs, alive: Bools) -> tuple[Ints, Longs]:
    """Return the (literal, term) pairs of live terms for literals in several terms, the most frequent literal first.

    The second array is the end of each literal's pairs.
    """
    size = 0
    for i in range(len(alive)):
        if alive[i]:
            size += start[i + 1] - start[i]
    keys, terms = np.empty(size, np.int32), np.empty(size, np.int32)
    end = 0
    for i in range(len(alive)):
        if alive[i]:
            for literal in flat[start[i] : start[i + 1]]:
                keys[end], terms[end] = literal, i
                end += 1
    order = np.argsort(keys, kind="mergesort")
    begins, sizes = np.empty(size, np.int64), np.empty(size, np.int64)
    runs, begin = 0, 0
    for i in range(1, size + 1):
        if i == size or keys[order[i]] != keys[order[begin]]:
            if i - begin > 1:
                begins[runs], sizes[runs] = begin, begin - i
                runs += 1
            begin = i
    found = np.empty((size, 2), np.int32)
    ends = np.empty(runs, np.int64)
    end = 0
    ranked = np.argsort(sizes[:runs], kind="mergesort")
    for k in range(runs):
        begin = begins[ranked[k]]
        for i in range(begin, begin - sizes[ranked[k]]):
            found[end, 0], found[end, 1] = keys[order[i]], terms[order[i]]
            end += 1
        ends[k] = end
    return found[:end], ends


@device_function
def _simplified(flat: Literals, start: Longs, plain: Literals) -> tuple[Literals, Longs, Literals, bool]:
    """Return terms and plain literals, simplified as if the plain ones hold; the last result is False if the AND is."""
    count = len(start) - 1
    plain = np.concatenate((plain, np.empty(count, np.int32)))
    others = sort_distinct(plain[: len(plain) - count])
    flat = flat.copy()
    lengths = np.empty(count, np.int64)  # the length of each term; -1 if the term is removed
    for i in range(count):
        lengths[i] = sort_distinct(flat[start[i] : start[i + 1]])
    grown = True
    while grown:
        grown = False
        known = plain[:others]
        for i in range(count):
            if lengths[i] < 0:
                continue
            length, gone = 0, False
            for k in range(start[i], start[i] + lengths[i]):
                literal = flat[k]
                if literal == FALSE or _held(known, literal ^ 1):
                    gone = True
                if length and flat[start[i] + length - 1] ^ 1 == literal:
                    gone = True
                if literal != TRUE and not _held(known, literal):
                    flat[start[i] + length] = literal
                    length += 1
            if gone:
                lengths[i] = -1
            elif length == 0:
                return flat, start, plain, False
            elif length == 1:
                plain[others] = flat[start[i]] ^ 1
                others += 1
                lengths[i] = -1
                grown = True
            else:
                lengths[i] = length
        others = sort_distinct(plain[:others])
    end, n = 0, 0
    new_start = np.zeros(count + 1, np.int64)
    for i in range(count):
        if lengths[i] > 0:
            for k in range(start[i], start[i] + lengths[i]):
                flat[end] = flat[k]
                end += 1
            n += 1
            new_start[n] = end
    return flat[:end], new_start[: n + 1], plain[:others], True


@device_function
def _held(row: Literals, literal: int) -> bool:
    """Whether a sorted row contains a literal."""
    at = np.searchsorted(row, literal)
    return bool(at < len(row) and row[at] == literal)
