"""Memory of one thread's lanes and batches."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints
from reasoner.kernels.memory import address
from reasoner.lanes.play import Lanes, scratch, seed_generators
from reasoner.lanes.rows import LANES, WORDS, aligned
from search.native.drive import drive
from search.native.lane_states import BLOCK, free_all
from search.native.layout import BATCH, LANE, MAX_DEPTH, MAX_LINE_MOVES, STEP, THREAD, Records
from search.native.recycling import cancel_batches
from search.native.stages import STAGES
from search.network.compiled_network import CompiledNetwork

HISTORY_BYTES = 16 << 20
"""Maximum memory for the recorded moves in one-player games."""
HISTORY_SWEEPS = 2048
"""Maximum number of recorded sweeps."""
COUNTERS = ("simulations", "playouts", "steps", "refuted")
"""Fields of THREAD that are counted per position."""


class ThreadLanes:
    """Lanes and batches of one thread, all free at first, for a program with `rows` rows and a [G] TREE array of trees.

    With a `CompiledNetwork`, the object also contains the network's scratch memory.
    """

    def __init__(
        self, lanes: Lanes, rows: int, trees: Records, single: bool, seed: int, fitted: CompiledNetwork | None = None
    ) -> None:
        width, roles = int(trees[0]["width"]), int(trees[0]["roles"])
        self._trees = trees
        self.lanes = lanes
        self.values = aligned(rows + LANES + 2 + BLOCK)
        seed_generators(self.values, lanes.random, seed)
        self.turned, self.picks = scratch(lanes.drawn)
        self.values[(1 + lanes.bases) * WORDS : lanes.hold * WORDS] = 0
        self.line = np.zeros(MAX_LINE_MOVES, np.int32)
        self._stop = np.zeros(1, np.int64)
        self.pending: Ints = np.zeros(len(trees), np.int32)
        """The number of batches in use, by tree."""
        moves = max(lanes.moves, 1) * WORDS  # some games have no moves at all
        kept = min(max(HISTORY_BYTES // (8 * moves), 2), HISTORY_SWEEPS) if single else 1
        self._memory: dict[str, NDArray[Any]] = {
            "free": np.zeros(LANES, np.int32),
            "queues": np.zeros((STAGES, LANES), np.int32),
            "counts": np.zeros(STAGES, np.int32),
            "ended": np.zeros(WORDS, np.uint64),
            "cut": np.zeros(WORDS, np.uint64),
            "lanes": np.zeros(LANES, LANE),
            "batches": np.zeros(LANES, BATCH),
            "forced": np.zeros((LANES, roles), np.int32),
            "sums": np.zeros((LANES, roles)),
            "bests": np.zeros(LANES),
            "states": np.zeros((LANES, width), np.uint64),
            "path": np.zeros((LANES, MAX_DEPTH), STEP),
            "picked": np.zeros(roles, np.int32),
            "goals": np.zeros((LANES, roles)),
            "back": np.zeros(roles),
            "line": self.line,
            "pending_of": self.pending,
            "trees": trees,
            "history": np.zeros((kept, moves if single else 1), np.uint64),
            "stop": self._stop,
        }
        self.array: Records = np.zeros(1, THREAD)  # the record for the kernels
        self.record = self.array[0]
        for name, array in self._memory.items():
            self.record[name] = address(array)
        rows_of = {"hold": lanes.hold, "over": lanes.stop, "masks": rows, "mixed": rows + LANES}
        sizes = {"bases": lanes.bases, "searched": lanes.searched, "moves": lanes.moves, "history_sweeps": kept}
        for name, number in {
            **rows_of,
            **sizes,
            "block": rows + LANES + 2,
            "max_batches": LANES,
            "tree_count": len(trees),
            "enough": 1,
            "keeps_line": single,
        }.items():
            self.record[name] = number
        if fitted is not None:
            self._work = fitted.work(LANES)
            self.record["work"] = address(self._work.record)
        self.record["random"] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        self.drop_line()
        free_all(self.array, self.values)

    def drive(self, rules: Records, sweeps: int, descents: int) -> int:
        """Make up to `sweeps` sweeps and about `descents` descents; see `search.native.drive.drive`."""
        lanes, values, turned, picks = self.lanes, self.values, self.turned, self.picks
        return int(drive(rules, self.array, lanes, values, turned, picks, sweeps, descents))

    def stop(self, flag: bool) -> None:
        """If `flag` is True, make a running `drive` return; if False, allow `drive` to run."""
        self._stop[0] = flag

    def drop_batches(self) -> None:
        """Drop all batches; their descents no longer count towards the limit on descents."""
        cancel_batches(self.array)
        self._trees["allowed"] += np.where(self._trees["allowed"] >= 0, self.pending, 0)
        self.pending[:] = 0
        for name in ("running", "pending", "next_cut", "needs_update"):
            self.record[name] = 0
        self._memory["ended"][:] = self._memory["cut"][:] = 0
        free_all(self.array, self.values)

    def drop_line(self) -> None:
        """Forget the best line."""
        self.record["line_value"], self.record["line_length"] = -1.0, 0

    def begin_counting(self) -> None:
        """Reset the counts of the position."""
        for name in COUNTERS:
            self.record[name] = 0
