"""Threads of the search: slices of sweeps in one or several threads until the deadline.

Each thread has its own lanes and runs slices of a few milliseconds in compiled code without the GIL. Between slices,
the leading thread checks the clock. The tree is recycled while no thread is inside a slice.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from reasoner.kernels.memory import address
from reasoner.lanes.play import lanes as lanes_of
from reasoner.lanes.rows import LANES
from reasoner.platform_calls import usable_processors
from search.clock import Clock
from search.native.cost_model import MIN_NETWORK_BATCHES, Costs
from search.native.drive import NOTHING_LEFT
from search.native.numbering import Numbering
from search.native.recycling import recycle
from search.native.thread_lanes import ThreadLanes
from search.native.tree import Tree
from search.network.compiled_network import CompiledNetwork
from search.options import SearchOptions, fixed_playouts

SLICE_SECONDS = 0.003
SAFETY = 1.5
"""Safety factor on the measured time of a sweep."""
STEP_SHARE = 1 / 4
"""Maximum share of the available time for one playout, so that playouts of huge games end."""
COSTED = ("sweep_now", "collections", "simulations", "playouts")
"""The counts that the cost model uses."""
FIXED_ENDED_LANES = 64
FIXED_BATCHES = 32
"""Ended lanes to wait for, and pending batches, if the number of simulations is fixed, so that nothing is measured."""
NODE_SECONDS = 2e-7
"""Initial and minimum estimate of the seconds to recycle one node."""


def default_threads() -> int:
    """Return half of the CPUs that this process may use, so that the other half is free for other processes."""
    return max(usable_processors() // 2, 1)


class Engine:
    """A tree, the threads that search it, and their costs; `costs` are measured costs of an earlier, similar search."""

    def __init__(
        self,
        numbering: Numbering,
        tree: Tree,
        options: SearchOptions,
        clock: Clock,
        fitted: CompiledNetwork | None = None,
        costs: Costs | None = None,
    ) -> None:
        self.tree = tree
        self.options = options
        self.rules = numbering.rules(options)
        self.root = 0  # node
        self.lock = threading.Lock()  # held while node and edge numbers change
        self._clock = clock
        self._costs = costs or Costs(plays=fitted is None or fitted.share > 0)
        self._sweep = 0.0  # seconds of one sweep with its share of the tree updates, by the clock
        self._node_seconds = NODE_SECONDS
        self._capped = False
        self._available = 0.0  # seconds that were available when the position was set
        self._finished = False  # whether the leading thread has finished
        threads = 1 if options.simulations else options.threads or default_threads()
        self._emitted = numbering.machine.program.code.load()
        program, self.single = lanes_of(numbering.machine.program, self._emitted), numbering.game.single
        program = program._replace(decisive=int(options.decisive and numbering.machine.decisive))
        self.thread_lanes = [
            ThreadLanes(program, self._emitted.rows, tree.record, self.single, options.seed + number, fitted)
            for number in range(threads)
        ]
        self._playouts, self._share = options.playouts, 1.0 if fitted is None else fitted.share
        if fitted is not None:
            self._fitted = fitted  # keeps the memory alive that `rules` points to
            self.rules[0]["network"], self.rules[0]["width"] = address(fitted.record), tree.count("width")
            self._playouts = self._playouts if fitted.share else 1
        self._gates = [threading.Lock() for _ in self.thread_lanes]  # held by a thread inside a slice
        for thread in self.thread_lanes:
            thread.record["max_steps"], thread.record["max_batches"] = options.max_steps, LANES // threads
            thread.record["playouts_per_leaf"] = self._playouts or fixed_playouts(self._share)
            thread.record["min_ended"] = FIXED_ENDED_LANES
            thread.record["stretch"] = not (options.simulations or self._playouts)
            if options.simulations:
                thread.record["max_batches"] = FIXED_BATCHES
            if not self._costs.plays:
                thread.record["max_batches"] = MIN_NETWORK_BATCHES
        self.begin_position()

    @property
    def start(self) -> int:
        """The node at which descents start."""
        return self.tree.count("start")

    def count(self, name: str) -> int:
        """Return the sum over all threads of the count called `name`."""
        return sum(int(thread.record[name]) for thread in self.thread_lanes)

    def begin_position(self) -> None:
        """Reset the counts, and allow the fixed number of simulations again."""
        self._capped = False
        self.tree.record[0]["allowed"] = self.options.simulations or -1
        for thread in self.thread_lanes:
            thread.begin_counting()

    def start_at(self, node: int) -> None:
        """Start descents at `node`. In a one-player game, drop all batches and the best line, which start elsewhere."""
        self.tree.record[0]["start"] = node
        for thread in self.thread_lanes:
            if self.single:
                thread.drop_batches()
                thread.drop_line()

    def best_line(self) -> tuple[float, list[int]]:
        """Return the value, 0..1, and the moves of the best line from the start; a value below 0 if there is none."""
        thread = max(self.thread_lanes, key=lambda each: (each.record["line_value"], each.record["line_length"]))
        return float(thread.record["line_value"]), thread.line[: int(thread.record["line_length"])].tolist()

    def expect_line(self, value: float, length: int) -> None:
        """Accept only lines that are better than a known line with this value and length."""
        for thread in self.thread_lanes:
            thread.record["line_value"], thread.record["line_length"] = value, length

    def run(self, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Search until `deadline`, until `stop` returns true, or until nothing is left to search."""
        if not self._measured(deadline):
            return
        self._cap_steps(deadline)
        for thread in self.thread_lanes:
            thread.stop(False)
        self._finished = False
        helpers = self._start_helpers()
        try:
            self._run_leader(deadline, stop)
        finally:
            self._finished = True
            for thread in self.thread_lanes:
                thread.stop(True)
            for helper in helpers:
                helper.join()

    def _start_helpers(self) -> list[threading.Thread]:
        """Start the helper threads; fewer if the system does not allow all of them."""
        started: list[threading.Thread] = []
        with contextlib.suppress(RuntimeError):
            for i in range(1, len(self.thread_lanes)):
                helper = threading.Thread(target=self._run_helper, args=(i,))
                helper.start()
                started.append(helper)
        return started

    def make_room(self) -> bool:
        """Grow the tables or recycle nodes; return whether nodes were recycled.

        No other thread may be in a slice.
        """
        with self.lock:
            if self.tree.grow():
                return False
            self._recycle_to(len(self.tree.nodes) // 2, len(self.tree.edges) // 2)
            return True

    def recycle_all(self) -> None:
        """Free all nodes except root and start, which keep the statistics of their moves."""
        with self.lock:
            self._recycle_to(0, 0)

    def _recycle_to(self, nodes: int, edges: int) -> None:
        for thread in self.thread_lanes:
            thread.drop_batches()
        self.root, start = recycle(self.tree.record, self.root, self.start, nodes, edges)
        self.tree.record[0]["start"] = start

    def _measured(self, deadline: float) -> bool:
        """Measure the cost of a sweep if it is unknown and time allows; return whether it is known."""
        if self._sweep:
            return True
        if self._clock.now() >= deadline:
            return False
        began = self._clock.now()
        self.thread_lanes[0].drive(self.rules, 0, 0)  # compiles or loads the kernel on the first call
        if not self._costs.sweep:
            self._costs.measure(self.thread_lanes[0])
        self._sweep = self._costs.sweep + self._costs.goals
        return self._clock.now() - began >= 0

    def _cap_steps(self, deadline: float) -> None:
        """Limit the steps of a playout to its share of the time that was available when the position was set."""
        left = deadline - self._clock.now()
        if self._capped or left == float("inf") or left <= 0:
            return
        steps = int(STEP_SHARE * left / self._sweep)
        self._capped, self._available = True, left
        for thread in self.thread_lanes:
            thread.record["max_steps"] = min(max(steps, 1), self.options.max_steps)
            thread.record["next_cut"] = 0

    def _run_leader(self, deadline: float, stop: Callable[[], bool] | None) -> None:
        now = self._clock.now()
        while not (stop and stop()) and now + SAFETY * self._sweep < deadline:
            if self.tree.count("full"):
                self._recycle(deadline)
            how = self._slice(0, min(SLICE_SECONDS, (deadline - now) / 2))
            now = self._clock.now()
            if how == NOTHING_LEFT:
                return

    def _run_helper(self, index: int) -> None:
        """Main function of a helper thread."""
        while not self._finished and self._slice(index, SLICE_SECONDS) != NOTHING_LEFT:
            pass

    def _slice(self, index: int, seconds: float) -> int:
        """Run one thread for about `seconds`, but at least for one sweep."""
        thread, costs = self.thread_lanes[index], self._costs
        sweeps, descents = max(int(seconds / costs.sweep), 1), max(int(seconds / costs.descent), 1)
        before, began, clock = [int(thread.record[name]) for name in COSTED], time.thread_time(), self._clock.now()
        with self._gates[index]:
            how = thread.drive(self.rules, sweeps, descents)
        if index == 0:
            done = [int(thread.record[name]) - start for name, start in zip(COSTED, before, strict=True)]
            costs.note(time.thread_time() - began, *done)
            self._note_sweep((self._clock.now() - clock) / max(done[0], 1))
            if not self.options.simulations:
                for each in self.thread_lanes:
                    costs.set(each, self._playouts, self._share)
        return how

    def _note_sweep(self, sweep: float) -> None:
        """Record the clock time of a sweep; slow sweeps influence the estimate longer."""
        self._sweep = sweep if sweep > self._sweep else self._sweep + (sweep - self._sweep) / 8

    def _recycle(self, deadline: float) -> None:
        """Free memory if time allows. In the first half of a turn, all nodes below the root can always be freed.

        In the second half, the tree may stay full; then the search continues without new nodes.
        """
        began, nodes = self._clock.now(), self.tree.count("node_count")
        left = deadline - began
        affordable = 2 * nodes * self._node_seconds < left
        if not affordable and left < self._available / 2:
            return
        for gate in self._gates[1:]:
            gate.acquire()
        try:
            if not affordable:
                self.recycle_all()
                self._node_seconds = max(self._node_seconds / 2, NODE_SECONDS)  # retry after a slow recycling
            elif self.make_room():
                self._node_seconds = max((self._clock.now() - began) / nodes, NODE_SECONDS)
        finally:
            for gate in self._gates[1:]:
                gate.release()
