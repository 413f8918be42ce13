"""Beam search in lanes: keep the most promising successors of each level; then repeat with a wider beam.

Two scores alternate. *Worth*: the points that the rules would give if time ran out now, which goals that count finished
parts reveal. *Narrow*: few continuations along the whole path that do not end the game at once, so that dead ends come
early, while there is still a choice (Warnsdorff's rule for the knight's tour). Ties are broken at random. After a move,
the current beam continues with the lines that begin with it; if there are none, a narrower beam begins.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Ints, Words
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES, aligned
from search.puzzle.beam_level import Level, advance, judge
from search.puzzle.counters import counters_of
from search.puzzle.method import Found
from search.puzzle.state_space import COUNT, Space, empty, work_for
from search.subgames.plan.bit_packing import packed, words_for

FIRST_WIDTH = 1 << 8
WIDENED = 2
SUCCESSORS = 12
"""Successors of a state that there is room for, on average."""
DEEPEST = 2000
"""Levels."""
BYTES = 60
"""For a successor, besides its state."""

Way = tuple[Ints, Ints]
"""For the kept states of a level: their indices in the level before, and the moves."""


class Beam:
    """Beams from a state; see `Method`."""

    name, alone, leads, waiting = "beam", 0.0, 0.0, False
    _promise = "worth"

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        circuit = machine.circuit
        self._counters = counters_of(circuit, state)
        self._program, self._values = machine.lanes_program, aligned(machine.rows)
        self._words = words_for(circuit.searched)
        self._work = work_for(circuit, self._words)
        self._key = packed(self._counters.key.astype(np.uint8))
        self._root = packed(state.astype(np.uint8))[None, :]
        self._most = memory // (SUCCESSORS * (8 * self._words + BYTES))  # states of the widest beam
        self._rng = np.random.default_rng(0)
        self._late = np.full(circuit.searched, -1, np.int32)
        if self._counters.end is not None:
            self._late[~self._counters.key] = self._counters.end
        self._beaten = -1
        self._made: list[int] = []  # moves made since the current beam last checked
        self._found: Found | None = None
        self.bound, self.told = machine.points, "nothing found yet"
        self._work_left: Iterator[None] | None = self._working()

    @property
    def done(self) -> bool:
        """See `Method.done`."""
        return self._work_left is None

    def turn(self, beaten: int) -> Found | None:
        """See `Method.turn`."""
        self._beaten, self._found = beaten, None
        if self._work_left is not None and next(self._work_left, self) is self:
            self._work_left = None
        return self._found

    def advance(self, move: int, state: Bools) -> bool:
        """See `Method.advance`."""
        self._root = packed(state.astype(np.uint8))[None, :]
        self._made.append(move)
        return not self.done

    def close(self) -> None:
        """See `Method.close`."""
        self._work_left = None

    def _working(self) -> Iterator[None]:
        width = FIRST_WIDTH
        while width <= self._most:
            whole = True
            for narrow in (False, True):
                whole &= yield from self._beam(width, narrow=narrow)
            width = width * WIDENED if whole else max(FIRST_WIDTH, width // WIDENED)

    def _beam(self, width: int, *, narrow: bool) -> Generator[None, None, bool]:
        """Run one beam to its end; return False if a move was made that no line in it begins with."""
        parents, total, depth, best = self._root, np.zeros(1), 0, -1
        ways: list[Way] = []
        self._made = []
        room = width * SUCCESSORS + LANES
        space, level = empty(room, self._words, self._key), self._level(room)
        while len(parents) and depth < DEEPEST:
            yield from self._successors(parents, space, level)
            depth, count = depth + 1, int(space.counts[COUNT])
            best = max(best, self._take(space, level, count, ways))
            alive = np.flatnonzero(level.over[:count] == 0)
            reached = total + self._degree(level, len(parents))
            alive = self._fresh(space, alive)
            score = self._score(space, level, alive, reached if narrow else None)
            kept = alive[self._lowest(score, width)]
            self._note(space, kept)
            total, parents = reached[space.origin[kept]], space.states[kept]
            ways.append((space.origin[kept], space.move[kept]))
            yield
            if self._made and len(parents):
                ways, left = behind(ways, self._made)
                parents, total, self._made = parents[left], total[left], []
                if not len(parents):
                    return False
        by = "few continuations" if narrow else self._promise
        self.told = f"{width} wide, {depth} deep by {by}: {best} points"
        return True

    def _fresh(self, space: Space, alive: NDArray[Any]) -> NDArray[Any]:  # noqa: ARG002 subclasses use it
        """Return the successors that are worth expanding."""
        return alive

    def _score(self, space: Space, level: Level, alive: NDArray[Any], reached: NDArray[Any] | None) -> NDArray[Any]:
        """Return whole-number scores of the successors, lowest best; `reached`: the parents' scores, None for worth."""
        score: NDArray[Any] = -level.worth[alive] if reached is None else reached[space.origin[alive]]
        return score

    def _note(self, space: Space, kept: NDArray[Any]) -> None:
        """Record the states that the beam keeps; a hook for subclasses."""

    def _successors(self, parents: Words, space: Space, level: Level) -> Iterator[None]:
        """Find and evaluate the successors of the states of a beam, as many as there is room for."""
        space.table[:], space.counts[COUNT], level.pairs[0] = 0, 0, 0
        for first in range(0, len(parents), LANES):
            if not advance(self._values, self._program, parents, first, space, self._work, level):
                break
            yield
        for first in range(0, int(space.counts[COUNT]), LANES):
            judge(self._values, self._program, space, level, first)
            yield

    def _level(self, room: int) -> Level:
        def numbers() -> Ints:
            return np.zeros(room, np.int32)

        return Level(numbers(), numbers(), numbers(), numbers(), numbers(), np.zeros(1, np.int32), self._late)

    @staticmethod
    def _degree(level: Level, parents: int) -> NDArray[Any]:
        """Count the continuations of each parent that do not end the game."""
        pairs = int(level.pairs[0])
        goes = level.over[level.child[:pairs]] == 0
        return np.bincount(level.parent[:pairs], weights=goes.astype(float), minlength=parents)

    def _lowest(self, score: NDArray[Any], width: int) -> NDArray[Any]:
        """Return the indices of the lowest scores, which are whole numbers."""
        if len(score) <= width:
            return np.arange(len(score))
        return np.argpartition(score + 0.5 * self._rng.random(len(score)), width)[:width]

    def _take(self, space: Space, level: Level, count: int, ways: list[Way]) -> int:
        """Keep the line to the best end among the successors if it beats the known value; return its value, or -1."""
        over = np.flatnonzero(level.over[:count] == 1)
        if not len(over):
            return -1
        at = int(over[level.value[over].argmax()])
        value = int(level.value[at])
        if value > self._beaten:
            line, place = [int(space.move[at])], int(space.origin[at])
            for origins, moves in reversed(ways):
                line.append(int(moves[place]))
                place = int(origins[place])
            self._keep(value, line[::-1])
        return value

    def _keep(self, value: int, line: list[int]) -> None:
        """Keep a line if it begins with the moves that were made since the beam began."""
        count = len(self._made)
        if line[:count] == self._made and len(line) > count:
            self._beaten, self._found = value, Found(value, tuple(line[count:]))


def behind(ways: list[Way], made: Sequence[int]) -> tuple[list[Way], Bools]:
    """Return the lines of a beam that begin with `made`, without these moves, and a mask of the states they reach."""
    if len(made) > len(ways):
        return [], np.zeros(len(ways[-1][0]), np.bool_)
    later, kept = list[Way](), np.ones(1, np.bool_)
    for depth, (origins, moves) in enumerate(ways):
        number, kept = np.cumsum(kept, dtype=np.int32) - 1, kept[origins]
        if depth < len(made):
            kept = kept & (moves == made[depth])
        else:
            later.append((number[origins[kept]], moves[kept]))
    return later, kept
