"""The games of a batch in memory: blocks of 512 lanes, distributed among threads, and the results of the games."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Bytes, Ints
from reasoner.batch.plan import NONE, Plan, Shown, Work
from reasoner.batch.turn import all_bytes, all_packed
from reasoner.lanes.lane_graph import LEGAL
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.play import load, section
from reasoner.lanes.rows import LANES, WORDS, aligned


class Part(NamedTuple):
    """The part of the games that one thread works on."""

    blocks: slice
    games: slice
    values: NDArray[np.uint64]  # [blocks, rows * WORDS]
    shown: Shown


class Blocks:
    """N games of R roles; `workplace` allocates the work memory of a thread."""

    ended: Bools  # [N]
    terminal: Bools  # [N]
    goals: Ints  # [N, R]
    values: NDArray[np.uint64]  # [blocks, rows * WORDS]

    def __init__(self, games: int, roles: int, rows: int, threads: int, workplace: Callable[[], Work]) -> None:
        self.ended = np.zeros(games, np.bool_)
        self.terminal = np.zeros(games, np.bool_)
        self.goals = np.full((games, roles), NONE, np.int32)
        blocks = -(-games // LANES)
        self.values = aligned(blocks * rows).reshape(blocks, -1)
        self._threads = threads
        self._workplace = workplace
        self.work = [workplace() for _ in self._shares]

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.ended)

    def copy(self) -> Blocks:
        """Return a copy."""
        (games, roles), rows = self.goals.shape, self.values.shape[1] // WORDS
        other = Blocks(games, roles, rows, self._threads, self._workplace)
        for mine, copy in ((self.ended, other.ended), (self.terminal, other.terminal)):
            copy[:] = mine
        other.goals[:] = self.goals
        other.values[:] = self.values
        return other

    def each(self, task: Callable[[Part, Work], None]) -> None:
        """Run a task on every thread's part of the blocks."""
        parts = [self._part(blocks) for blocks in self._shares]
        if len(parts) == 1:
            task(parts[0], self.work[0])
            return
        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(task, parts, self.work))

    def lanes(self, chosen: Bools) -> NDArray[np.uint64]:
        """Convert a mask of games to lanes.  # [blocks, WORDS]."""
        padded = np.zeros(len(self.values) * LANES, np.bool_)
        padded[: len(self)] = chosen
        return np.packbits(padded, bitorder="little").view(np.uint64).reshape(-1, WORDS)

    def packed(self, literals: NDArray[np.uint32]) -> NDArray[np.uint64]:
        """Return the values of literals in all games as packed bits, each byte's highest bit first.  # [N, words]."""
        out = np.zeros((len(self), words_for(len(literals))), np.uint64)
        self.each(
            lambda part, own: all_packed(part.values, literals, own.turned, len(part.shown.ended), out[part.games])
        )
        return out

    def unpack(self, literals: NDArray[np.uint32], out: Bytes) -> None:
        """Write the values of literals in all games, one byte each.  # out [N, literals]."""
        self.each(
            lambda part, own: all_bytes(
                part.values, literals, own.turned, own.packed, len(part.shown.ended), out[part.games].reshape(-1)
            )
        )

    def _part(self, blocks: slice) -> Part:
        games = slice(blocks.start * LANES, min(blocks.stop * LANES, len(self)))
        ended, terminal = self.ended[games].view(np.uint8), self.terminal[games].view(np.uint8)
        return Part(blocks, games, self.values[blocks], Shown(ended, terminal, self.goals[games]))

    @cached_property
    def _shares(self) -> list[slice]:
        """Return the blocks of each thread."""
        blocks = len(self.values)
        threads = min(self._threads, blocks)
        ends = [blocks * i // threads for i in range(threads + 1)]
        return [slice(first, end) for first, end in itertools.pairwise(ends)]


def plan_of(machine: CircuitMachine, start: Bytes, again: bool) -> Plan:
    """Return the plan of games that begin in the state `start` (one byte a base); runs LEGAL once on that state."""
    circuit, left, values = machine.circuit, machine.left_by_legal, aligned(machine.rows)
    load(values, start, np.full(WORDS, ~np.uint64(0)))
    section(values, machine.lanes_program, LEGAL)
    return Plan(
        starts=np.cumsum([0, *map(len, circuit.moves)], dtype=np.int32),
        start=start,
        left=left,
        begun=(values.reshape(-1, WORDS)[left, 0] & np.uint64(1)).astype(np.uint8),
        rest=int(circuit.searched < len(circuit.bases)),
        again=int(again),
    )


def words_for(bits: int) -> int:
    """Return the number of 64-bit words that `bits` bits need."""
    return -(-bits // 64)
