"""Kinds of pieces, and a first value of each: the number of moves that a piece of the kind has on average.

A piece that moves stays of its kind. So the arguments of a fact that usually stay the same when a role replaces one of
its facts by another one are the *kind* of the fact: the last argument of ``(cell b 1 wn)``. A fact belongs to the role
whose moves need it, as implications of the moves' legality show. Moves of both roles need an empty cell. The mobility
of a piece is a good first estimate of its value (Pell 1993, "Strategy generation and evaluation for meta-game
playing"), and random positions suffice to find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Bytes, Floats, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.implications import implied_bases
from reasoner.kernels.bits import ALL, ZERO
from reasoner.lanes.lane_graph import LEGAL
from reasoner.lanes.play import Lanes, section
from reasoner.lanes.rows import LANES, WORDS
from reasoner.language.terms import Compound, Term

MIN_OWNER_RATIO = 2.0
"""A fact belongs to a role if more than this many times as many legal moves of the role need it as of the other."""
MIN_RULES_RATIO = 1.5
"""Likewise for all moves, whether they are legal in the sampled positions or not."""
MIN_MOVED, MIN_AGREEMENT = 20, 0.9
"""Minimum number of observed moves of pieces, and of their share that leaves an argument of the kind unchanged."""
EVERY = 0.999
"""Share of a role's legal moves that all need a fact which says nothing of pieces, such as whose turn it is."""
PRIOR_COUNT = 20.0
"""Positions that count as seen with the mean of the kind, in the mobility of one fact."""


Shape = tuple[str, int]
"""Functor and number of arguments of a fact."""


class Kinds(NamedTuple):
    """K kinds of B facts; values are positive for kinds of the first role."""

    members: tuple[Longs, ...]  # [K] the facts of each kind
    values: Floats  # [K] the mean number of moves that a piece enables
    amounts: Floats  # [B] the value of the fact's kind; 0: it has none
    places: Floats  # [B] how much more than its kind's mean the fact enables


class _Support(NamedTuple):
    moves: Floats  # [2, B] moves of each role that need the fact, over the positions in which the role chooses
    seen: Floats  # [2, B] positions in which the role chooses and the fact is true
    rules: Floats  # [2, B] all moves of each role that need the fact


def kinds(circuit: Circuit, program: Lanes, values: Words, bits: Bytes, follows: Bools) -> Kinds | None:
    """Find the kinds of pieces in sampled positions; None if no pieces move.

    values: rows of the lanes, overwritten. bits: [N, B] the positions. follows: [N] the position comes one step after
    the one before it in the same game.
    """
    facts = tuple(circuit.bases)[: circuit.searched]
    support = _support(circuit, program, values, bits)
    shared = _shared_arguments(facts, _owners(support), bits, follows)
    alike: dict[tuple[Shape, tuple[Term, ...]], list[int]] = {}
    for number, fact in enumerate(facts):
        if isinstance(fact, Compound) and (shape := _shape(fact)) in shared:
            alike.setdefault((shape, tuple(fact.arguments[place] for place in shared[shape])), []).append(number)
    members, found = list[Longs](), list[float]()
    amounts, places = np.zeros(len(facts)), np.zeros(len(facts))
    for own in map(np.array, alike.values()):
        value = _kind_value(support, own, bits)
        if value:
            members.append(own)
            found.append(value)
            amounts[own] = value
            places[own] = _place_values(support, own, value)
    return Kinds(tuple(members), np.array(found), amounts, places) if members else None


def _owners(support: _Support) -> Longs:
    """Return the role to which each fact belongs, or -1.  # [B]."""
    owner = np.full(support.moves.shape[1], -1)
    for role in range(2):
        needed = support.moves[role] > MIN_OWNER_RATIO * support.moves[1 - role]
        owner[needed & (support.rules[role] > MIN_RULES_RATIO * support.rules[1 - role])] = role
    return owner


def _shape(fact: Compound) -> Shape:
    return str(fact.functor), len(fact.arguments)


def _support(circuit: Circuit, program: Lanes, values: Words, bits: Bytes) -> _Support:
    """Count for each fact the legal moves that need it."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    implied = implied_bases(circuit.left, circuit.right, first, len(circuit.bases), circuit.legal)[:, 1]
    needed = np.unpackbits(np.ascontiguousarray(implied).view(np.uint8), axis=1, bitorder="little")[:, : bits.shape[1]]
    ends = np.cumsum([0, *map(len, circuit.moves)])
    counts, seen = np.zeros(len(needed)), np.zeros((2, bits.shape[1]))
    for begin in range(0, len(bits), LANES):
        some = bits[begin : begin + LANES]
        legal = _legal(program, values, some)
        for role in range(2):
            own = legal[ends[role] : ends[role + 1]]
            active = own.sum(axis=0) > 1
            counts[ends[role] : ends[role + 1]] += own[:, active].sum(axis=1)
            seen[role] += some[active].sum(axis=0)
    moves, rules = np.zeros_like(seen), np.zeros_like(seen)
    for role in range(2):
        part = slice(ends[role], ends[role + 1])
        moves[role], rules[role] = counts[part] @ needed[part], needed[part].sum(axis=0)
        moves[role, moves[role] >= EVERY * counts[part].sum()] = 0
    return _Support(moves, seen, rules)


def _legal(program: Lanes, values: Words, bits: Bytes) -> Bytes:
    """Return the legality of each move in up to LANES positions.  # [M, N]."""
    rows = values.reshape(-1, WORDS)
    spread = np.zeros((bits.shape[1], LANES), np.uint8)
    spread[:, : len(bits)] = bits.T
    rows[1 : 1 + program.bases] = ZERO
    rows[1 : 1 + bits.shape[1]] = np.packbits(spread, axis=1, bitorder="little").view(np.uint64)
    section(values, program, LEGAL)
    literals = np.asarray(program.legal)
    true = rows[literals >> 1] ^ np.where(literals & 1, ALL, ZERO)[:, None]
    return np.unpackbits(true.view(np.uint8), axis=1, bitorder="little")[:, : len(bits)]


def _shared_arguments(facts: Sequence[Term], owner: Longs, bits: Bytes, follows: Bools) -> dict[Shape, tuple[int, ...]]:
    """Return for each shape of moving pieces the arguments that moves leave unchanged."""
    agreed: dict[Shape, list[list[bool]]] = {}
    for role in range(2):
        own = np.flatnonzero(owner == role)
        held = bits[:, own].astype(np.int8)
        change = held[1:] - held[:-1]
        moved = follows[1:] & ((change < 0).sum(axis=1) == 1) & ((change > 0).sum(axis=1) == 1)
        for row in change[moved]:
            old, new = facts[own[row.argmin()]], facts[own[row.argmax()]]
            if isinstance(old, Compound) and isinstance(new, Compound) and _shape(old) == _shape(new):
                pairs = zip(old.arguments, new.arguments, strict=True)
                agreed.setdefault(_shape(old), []).append([a == b for a, b in pairs])
    shared: dict[Shape, tuple[int, ...]] = {}
    for shape, rows in agreed.items():
        same = tuple(np.flatnonzero(np.mean(rows, axis=0) >= MIN_AGREEMENT).tolist())
        if len(rows) >= MIN_MOVED and 0 < len(same) < len(rows[0]):
            shared[shape] = same
    return shared


def _kind_value(support: _Support, own: Longs, bits: Bytes) -> float:
    """Return the mean mobility of the facts of a kind; 0 if it is nobody's, or if their number never changes."""
    counts = bits[:, own].sum(axis=1)
    mine, theirs = support.moves[:, own].sum(axis=1)
    if counts.min() == counts.max() or max(mine, theirs) <= MIN_OWNER_RATIO * min(mine, theirs):
        return 0.0
    role = int(theirs > mine)
    mean = max(mine, theirs) / max(support.seen[role, own].sum(), 1.0)
    return float(-mean if role else mean)


def _place_values(support: _Support, own: Longs, value: float) -> Floats:
    role = int(value < 0)
    moves, seen = support.moves[role, own], support.seen[role, own]
    mean = (moves + PRIOR_COUNT * abs(value)) / (seen + PRIOR_COUNT)
    more: Floats = (mean - abs(value)) * (-1.0 if role else 1.0)
    return more
