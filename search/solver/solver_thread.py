"""One thread of a solver: it searches by proof numbers, by alpha-beta, or by both in turns, with the common table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from threading import Event

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.lanes.machine import CircuitMachine
from search.solver.alpha_beta import new_line, search_window
from search.solver.expansion import MAX_SCORE, Rules, new_work
from search.solver.proof_numbers import DEEP, UNDECIDED, leave_all, new_path, prove

SLICE_SECONDS = 0.002
"""Approximate seconds between two looks at the clock."""
MAX_SLICE = 1_000
"""Maximum expansions between two looks at the clock."""
PATIENCE = 1 << 24
"""Expansions by proof numbers, for all questions together, after which a thread doubts them."""
DOUBTED = 7
"""Turns of alpha-beta for each of doubted proof numbers."""


class Method(Enum):
    """A way to search."""

    PROOF_NUMBERS = auto()
    ALPHA_BETA = auto()


def methods_of(thread: int, threads: int) -> list[Method]:
    """Return the methods with which a thread begins: a single one takes turns, several are divided between them."""
    if threads == 1:
        return [Method.PROOF_NUMBERS, Method.ALPHA_BETA]
    return [Method.ALPHA_BETA if thread % 2 else Method.PROOF_NUMBERS]


class SolverThread:
    """A thread's memory and its last result.

    width: words of a position.
    methods: used in turns, so that a position takes at most about twice as long as by the better one. If several
        threads share the methods, that of proof numbers also uses alpha-beta after `patience` expansions: the longer a
        search, the more positions the table loses, and proof numbers need all of them.
    shared: whether other threads search by proof numbers with the same table.
    playouts: whether playouts order the first moves of alpha-beta.
    """

    def __init__(
        self,
        machine: CircuitMachine,
        rules: Rules,
        width: int,
        seed: int,
        methods: list[Method],
        *,
        shared: bool,
        playouts: bool,
        patience: int = PATIENCE,
    ) -> None:
        symmetries = rules.zobrist.shape[1]
        self.program, self.rules = machine.lanes_program, rules
        self.work = new_work(self.program, machine.rows, seed)
        self._path = new_path(width, symmetries, shared)
        self._line = new_line(self.program, width, symmetries, seed, playouts=playouts)
        self._methods, self._turns, self._patience = methods, methods, patience
        self.result: Ints = np.zeros(4, np.int32)
        self.code = UNDECIDED
        self._question = b"", -1
        self._slice = 1  # expansions of a call of a kernel

    @property
    def expansions(self) -> int:
        """The number of positions expanded so far."""
        return int(self._path.counts[1] + self._line.counts[1])

    def begin(self, question: tuple[bytes, int]) -> None:
        """Prepare a search; if it has the same question as the last one, which was not decided, continue that one.

        question: the hashes of the position, and the threshold.
        """
        if question != self._question or self.code != UNDECIDED:
            self._path.counts[0] = self._line.counts[0] = -1
            self._turns = self._methods
            self.result[:] = 0, MAX_SCORE, 1, 1
        self._question, self.code = question, UNDECIDED

    def adapt(self, seconds: float) -> None:
        """Adapt the slice to the seconds that the last one took."""
        if seconds > SLICE_SECONDS:
            self._slice = max(self._slice // 2, 1)
        elif seconds < SLICE_SECONDS / 2:
            self._slice = min(self._slice * 2, MAX_SLICE)

    def search(self, table: Words, root: Words, hashes: Words, threshold: int, gap: int) -> None:
        """Make some expansions by the next method; gap: as `search_window` takes it."""
        method, *others = self._turns
        self._turns = [*others, method]
        program, rules, work = self.program, self.rules, self.work
        size, result = self._slice, self.result
        if method is Method.PROOF_NUMBERS:
            self.code = prove(program, rules, work, table, self._path, root, hashes, threshold, size, result)
            if self._methods == [method] and self._path.counts[1] >= self._patience:
                self._methods = self._turns = [*[Method.ALPHA_BETA] * DOUBTED, Method.PROOF_NUMBERS]
        else:
            self.code = search_window(
                program, rules, work, table, self._line, root, hashes, threshold, gap, size, result
            )
            if self.code == DEEP:  # proof numbers prefer short lines
                self.code, self._turns = UNDECIDED, [Method.PROOF_NUMBERS]

    def leave(self, table: Words, threshold: int) -> None:
        """Store the numbers of the positions on the path of proof numbers, and leave it."""
        leave_all(self.rules, table, self._path, threshold)


def run_all(work: Callable[[SolverThread], None], threads: Sequence[SolverThread], done: Event) -> None:
    """Do the work of all threads, which ends when `done` is set. An exception, such as Ctrl-C, sets it.

    If the system gives fewer threads, the others do the work.
    """
    if len(threads) == 1:
        work(threads[0])
        return
    with ThreadPoolExecutor(len(threads)) as pool:
        try:
            running = []
            for thread in threads:
                with contextlib.suppress(RuntimeError):
                    running.append(pool.submit(work, thread))
            if not running:
                work(threads[0])
            for one in running:
                one.result()
        finally:
            done.set()
