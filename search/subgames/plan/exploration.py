"""Exploration of a subgame: all its reachable states, by classes of moves, 512 at once.

States are numbered breadth first. `following` holds for each state and class the number of the next state, or why there
is none. The *signals* of a subgame, which are all that the whole reads of it, are stored as bits for each state. States
in which a signal ends the whole by itself are not expanded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bytes, Ints, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.hashing import place_of
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import LEGAL, NEXT
from reasoner.lanes.play import Lanes, lanes, section, word
from reasoner.lanes.program import schedule
from reasoner.lanes.rows import LANES, WORDS, aligned, lowest_bit
from search.subgames.plan.bit_packing import look, packed, read_states, words_for
from search.subgames.plan.errors import TooMuchError
from search.subgames.plan.row_index import code_of, place

ILLEGAL, UNKNOWN, OVER = -1, -2, -3
"""In `following`: the class has no legal move; not yet expanded; the whole is over or out of time."""

DONE, COUNT = range(2)
"""Indices in `counts`: states expanded, and states found."""

FIRST_ROOM = 2
"""Small, so that games of any size take the same paths, and all kernels are compiled ahead."""

PLACES = 1 << 14
"""Size of the table of distinct signal vectors, at most half full."""

_SIX, _LAST = uint64(6), uint64(63)


class Space(NamedTuple):
    """States found so far; S states fit, C classes."""

    states: Words  # [S, words]
    following: Ints  # [S, C] numbers of states, or ILLEGAL, UNKNOWN
    signals: Words  # [S, words of signals]
    steps: Ints  # [S] the least number of steps from the first state
    table: Ints  # [a power of two] numbers + 1, 0 if the place is free; at most half full
    counts: Longs  # [2]


class Rules(NamedTuple):
    """Limits of the exploration."""

    ending: Words  # [2, words of signals] the signals that end the whole when false, and when true
    depth: int  # states so many steps away are not expanded


@kernel
def put(space: Space, state: Words, steps: int) -> int:
    """Return the number of a state; add it if it is new."""
    at = place(space.table, space.states, state)
    if space.table[at] == 0:
        number = space.counts[COUNT]
        space.counts[COUNT] = number + 1
        space.table[at] = number + 1
        space.states[number] = state
        space.steps[number] = steps
    return space.table[at] - 1


@kernel
def rehash(space: Space) -> None:
    """Enter all states into an empty table."""
    for number in range(space.counts[COUNT]):
        space.table[place(space.table, space.states, space.states[number])] = number + 1


@subkernel
def note_signals(values: Words, program: Lanes, signals: Words, first: int, count: int) -> None:
    """Store the signals of the states in the lanes."""
    for goal in program.goals:
        number = uint64(goal[1])
        at, bit = number >> _SIX, ONE << (number & _LAST)
        for w in range(WORDS):
            held = word(values, goal[2], w)
            while held:
                lane = w * 64 + int64(lowest_bit(held))
                held &= held - ONE
                if lane < count:
                    signals[first + lane, at] |= bit


@subkernel
def open_lanes(space: Space, rules: Rules, first: int, count: int, going: Words) -> bool:
    """Find the lanes whose states are expanded; return whether there are any."""
    going[:] = ZERO
    some = False
    if space.steps[first] >= rules.depth:
        return False
    for lane in range(count):
        ends = ZERO
        for i in range(space.signals.shape[1]):
            held = space.signals[first + lane, i]
            ends |= (held & rules.ending[1, i]) | (~held & rules.ending[0, i])
        if ends == ZERO:
            going[lane >> 6] |= ONE << uint64(lane & 63)
            some = True
    return some


@subkernel
def follow_class(
    values: Words, program: Lanes, space: Space, kept: Words, fresh: Words, first: int, number: int, open_to: Words
) -> None:
    """Make the moves of class `number` in the lanes `open_to`, and number the resulting states.

    kept: the rows of the bases for the states in the lanes, from number `first` on; fresh: [LANES, words] scratch for
    the resulting states; open_to: [WORDS].
    """
    moves = 1 + program.bases
    values[WORDS : WORDS * moves] = kept
    section(values, program, LEGAL)
    values[WORDS * moves : WORDS * program.hold] = ZERO
    values[WORDS * (moves + number) : WORDS * (moves + number + 1)] = ALL
    section(values, program, NEXT)
    read_states(values, fresh, program.searched)
    steps = space.steps[first] + 1
    for w in range(WORDS):
        held = open_to[w]
        while held:
            lane = w * 64 + int64(lowest_bit(held))
            held &= held - ONE
            space.following[first + lane, number] = put(space, fresh[lane], steps)


@subkernel
def expand(values: Words, program: Lanes, space: Space, rules: Rules, kept: Words, fresh: Words, count: int) -> None:
    """Expand the next `count` states, all at the same distance from the first.

    values, program: the lanes; kept, fresh: scratch for rows of bases and for states, as in `follow_class`.
    """
    first = space.counts[DONE]
    look(values, program, space.states, first, count)
    kept[:] = values[WORDS : WORDS * (1 + program.bases)]
    note_signals(values, program, space.signals, first, count)
    going, classes = np.zeros(WORDS, np.uint64), space.following.shape[1]
    space.following[first : first + count] = OVER
    if open_lanes(space, rules, first, count, going):
        for lane in range(count):
            if going[lane >> 6] >> uint64(lane & 63) & ONE:
                space.following[first + lane] = ILLEGAL
        open_to = np.zeros((classes, WORDS), np.uint64)
        for number in range(classes):
            for w in range(WORDS):
                open_to[number, w] = going[w] & word(values, program.legal[number], w)
        for number in range(classes):
            if open_to[number].any():
                follow_class(values, program, space, kept, fresh, first, number, open_to[number])
    space.counts[DONE] = first + count


@kernel
def grow(values: Words, program: Lanes, space: Space, rules: Rules, kept: Words, fresh: Words, most: int) -> bool:
    """Expand about `most` states; return False if there is no room for more. Arguments as in `expand`."""
    classes, end = space.following.shape[1], space.counts[DONE] + most
    while space.counts[DONE] < min(space.counts[COUNT], end):
        first = space.counts[DONE]
        count = min(LANES, space.counts[COUNT] - first)
        while space.steps[first + count - 1] != space.steps[first]:
            count -= 1
        if space.counts[COUNT] + count * classes > len(space.states):
            return False
        expand(values, program, space, rules, kept, fresh, count)
    return True


def distinct(rows: Words) -> tuple[Ints, Words]:
    """Number the distinct rows in order of appearance; return the number of each row, and the rows."""
    vector = np.zeros(len(rows), np.int32)
    count = number_rows(rows, vector, np.zeros(PLACES, np.int32))
    if count < 0:
        raise TooMuchError("a subgame has too many distinct outcomes to combine it with others")
    _, first = np.unique(vector, return_index=True)
    return vector, rows[first]


@kernel
def number_rows(rows: Words, vector: Ints, table: Ints) -> int:
    """Number the distinct rows; return how many there are, or -1 if there are too many.  # table [PLACES], zeros."""
    count = 0
    for i in range(len(rows)):
        at = place_of(code_of(rows[i]), PLACES - 1)
        while table[at] and (rows[table[at] - 1] != rows[i]).any():
            at = (at + 1) & (PLACES - 1)
        if table[at]:
            vector[i] = vector[table[at] - 1]
            continue
        if 2 * count >= PLACES:
            return -1
        table[at] = i + 1
        vector[i] = count
        count += 1
    return count


class Exploration:
    """The states of a subgame from its circuit's initial state; goal k of the circuit is signal k."""

    def __init__(self, circuit: Circuit, signals: int, rules: Rules, emitter: str | None = None) -> None:
        program = schedule(circuit, emitter)
        self._emitted = program.code.load()
        self._lanes = lanes(program, self._emitted)
        self._values = aligned(self._emitted.rows)
        self._kept = np.zeros(WORDS * len(circuit.bases), np.uint64)
        self._rules = rules
        self.bases, self.classes = circuit.searched, len(circuit.legal)
        self._words = words_for(self.bases), words_for(signals)
        self._fresh = np.zeros((LANES, self._words[0]), np.uint64)
        self.space = self._room(FIRST_ROOM)
        put(self.space, packed(circuit.initial[: self.bases].astype(np.uint8)), 0)

    @property
    def count(self) -> int:
        """The number of states found."""
        return int(self.space.counts[COUNT])

    @property
    def complete(self) -> bool:
        """Whether all reachable states were found."""
        return bool(self.space.counts[DONE] == self.space.counts[COUNT])

    @property
    def bytes_each(self) -> int:
        """The memory of a state."""
        return 8 * sum(self._words) + 4 * self.classes + 4 + 16

    def grow(self, most: int, limit: int) -> bool:
        """Expand about `most` states; return False if all are known, or `limit` states were found."""
        if self.complete or self.count >= limit:
            return False
        if not grow(self._values, self._lanes, self.space, self._rules, self._kept, self._fresh, most):
            self._enlarge()
        return True

    def number(self, bits: Bytes) -> int:
        """Return the number of a state, -1 if it was not found.  # bits [bases]."""
        space = self.space
        return int(space.table[place(space.table, space.states, packed(bits[: self.bases]))]) - 1

    def _room(self, count: int) -> Space:
        return Space(
            states=np.empty((count, self._words[0]), np.uint64),
            following=np.empty((count, self.classes), np.int32),  # written when a state is expanded
            signals=np.zeros((count, self._words[1]), np.uint64),
            steps=np.empty(count, np.int32),
            table=np.zeros(1 << (2 * count).bit_length(), np.int32),
            counts=np.zeros(2, np.int64),
        )

    def _enlarge(self) -> None:
        """Make room for the successors of at least one more batch."""
        old, count = self.space, self.count
        self.space = self._room(2 * len(old.states) + LANES * self.classes)
        for name in ("states", "following", "signals", "steps"):
            getattr(self.space, name)[:count] = getattr(old, name)[:count]
        self.space.counts[:] = old.counts
        rehash(self.space)
