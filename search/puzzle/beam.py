"""Beam search in lanes: keep the best-ranked successors of each level; then repeat with a wider beam.

`beam_solvers` defines the rankings. Ties are broken at random. After a move is made in the match, the current beam
continues with the lines that begin with this move. If there are none, a narrower beam starts.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Ints, Words
from reasoner.kernels import kernel
from reasoner.kernels.bits import ZERO
from reasoner.kernels.hashing import joined
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import uint64
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES, aligned
from search.native.tree import pack, words_for
from search.puzzle.beam_level import Level, advance, judge
from search.puzzle.counters import counters_of
from search.puzzle.solver import Solution
from search.puzzle.state_space import COUNT, Space, empty, work_for

SUCCESSORS_A_STATE = 12
"""Average number of successors per state that memory is allocated for."""
MAX_LEVELS = 2000
SUCCESSOR_BYTES = 60
"""Memory of a successor in addition to its state."""

Way = tuple[Ints, Ints]
"""For the kept states of a level: the indices of their parents in the previous level, and the moves from them."""

Ranking = Callable[[Space, Level, NDArray[Any], NDArray[Any]], NDArray[Any]]
"""Function that returns integer scores of the successors still in play; the lowest score is best.

Arguments: the space, the level, the numbers of these successors, and per parent the continuations on its path.
"""


@kernel
def hash_states(states: Words, count: int, key: Words, code: Words) -> None:
    """Compute a code of each of `count` states from the bits in `key`; equal states have equal codes."""
    for number in range(count):
        found = GOLDEN
        for i in range(len(key)):
            found = joined(found, states[number, i] & key[i])
        code[number] = found | uint64(1)  # 0 is none


class BeamSearch:
    """Beams from a state; see `PuzzleSolver`. Subclasses implement `_working`, which yields after each turn."""

    name, alone, leads, waiting = "", 0.0, 0.0, False

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None:
        circuit = machine.circuit
        self._counters = counters_of(circuit, state)
        self._program, self._values = machine.lanes_program, aligned(machine.rows)
        self._words = words_for(circuit.searched)
        self._work = work_for(circuit, self._words)
        self._key = pack(self._counters.key.astype(np.uint8))
        self._root = pack(state.astype(np.uint8))[None, :]
        self._max_width = memory // (SUCCESSORS_A_STATE * (8 * self._words + SUCCESSOR_BYTES))
        self._rng = np.random.default_rng(0)
        self._late = np.full(circuit.searched, -1, np.int32)
        if self._counters.end is not None:
            self._late[~self._counters.key] = self._counters.end
        self._beaten = -1
        self._made: list[int] = []  # moves made in the match that the current beam has not seen
        self._found: Solution | None = None
        self.bound, self.progress = machine.points, "nothing found yet"
        self._work_left: Iterator[None] | None = self._working()

    @property
    def done(self) -> bool:
        """See `PuzzleSolver.done`."""
        return self._work_left is None

    def turn(self, beaten: int) -> Solution | None:
        """See `PuzzleSolver.turn`."""
        self._beaten, self._found = beaten, None
        if self._work_left is not None and next(self._work_left, self) is self:
            self._work_left = None
        return self._found

    def advance(self, move: int, state: Bools) -> bool:
        """See `PuzzleSolver.advance`."""
        self._root = pack(state.astype(np.uint8))[None, :]
        self._made.append(move)
        return not self.done

    def close(self) -> None:
        """See `PuzzleSolver.close`."""
        self._work_left = None

    def _working(self) -> Iterator[None]:
        raise NotImplementedError

    def _beams(self, widths: Sequence[int], ranking: Ranking, by: str) -> Iterator[None]:
        """Run a beam of each width. No beam expands a state twice, because a state met again is no nearer to a goal.

        If a move is made that no line of a beam begins with, the next narrower beam runs again.
        """
        widths, place = [width for width in widths if width <= self._max_width], 0
        while place < len(widths):
            whole = yield from self._beam(widths[place], ranking, by, expanded=np.zeros(0, np.uint64))
            place = place + 1 if whole else max(0, place - 1)

    def _beam(
        self, width: int, ranking: Ranking, by: str, expanded: Words | None = None
    ) -> Generator[None, None, bool]:
        """Run one beam to its end; return False if a move was made in the match that none of its lines begins with.

        expanded: the codes of states that are not expanded again; None: states may be expanded again.
        """
        parents, total, depth, best = self._root, np.zeros(1), 0, -1
        ways: list[Way] = []
        self._made = []
        room = width * SUCCESSORS_A_STATE + LANES
        space, level = empty(room, self._words, self._key), self._level(room)
        while len(parents) and depth < MAX_LEVELS:
            yield from self._successors(parents, space, level)
            depth, count = depth + 1, int(space.counts[COUNT])
            best = max(best, self._take(space, level, count, ways))
            alive = np.flatnonzero(level.over[:count] == 0)
            codes = np.full(count, ZERO)
            if expanded is not None:
                hash_states(space.states, count, space.key, codes)
                alive = alive[~np.isin(codes[alive], expanded)]
            reached = total + continuations(level, len(parents))
            kept = alive[self._lowest(ranking(space, level, alive, reached), width)]
            if expanded is not None:
                expanded = np.concatenate((expanded, codes[kept]))
            total, parents = reached[space.origin[kept]], space.states[kept]
            ways.append((space.origin[kept], space.move[kept]))
            yield
            if self._made and len(parents):
                ways, left = behind(ways, self._made)
                parents, total, self._made = parents[left], total[left], []
                if not len(parents):
                    return False
        self.progress = f"{width} wide, {depth} deep by {by}: {best} points"
        return True

    def _successors(self, parents: Words, space: Space, level: Level) -> Iterator[None]:
        """Find and evaluate the successors of the states of a beam, as many as fit into memory."""
        space.table[:], space.counts[COUNT], level.pairs[0] = 0, 0, 0
        for first in range(0, len(parents), LANES):
            if not advance(self._values, self._program, parents, first, space, self._work, level):
                break
            yield
        for first in range(0, int(space.counts[COUNT]), LANES):
            judge(self._values, self._program, space, level, first)
            yield

    def _level(self, room: int) -> Level:
        over, value, worth, parent, child = (np.zeros(room, np.int32) for _ in range(5))
        return Level(over, value, worth, parent, child, np.zeros(1, np.int32), self._late)

    def _lowest(self, score: NDArray[Any], width: int) -> NDArray[Any]:
        """Return the indices of the `width` lowest scores, which are integers."""
        if len(score) <= width:
            return np.arange(len(score))
        return np.argpartition(score + 0.5 * self._rng.random(len(score)), width)[:width]

    def _take(self, space: Space, level: Level, count: int, ways: list[Way]) -> int:
        """Keep the line to the best terminal successor if it beats the known value; return its value; -1: none."""
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
        """Keep a line if it begins with the moves made in the match since the beam began."""
        count = len(self._made)
        if line[:count] == self._made and len(line) > count:
            self._beaten, self._found = value, Solution(value, tuple(line[count:]))


def continuations(level: Level, parents: int) -> NDArray[Any]:
    """Count the continuations of each parent that do not end the game.  # [parents]."""
    pairs = int(level.pairs[0])
    goes = level.over[level.child[:pairs]] == 0
    return np.bincount(level.parent[:pairs], weights=goes.astype(float), minlength=parents)


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
