"""Cost model: choose the playouts per leaf and the ended lanes per collection from costs measured on this machine.

Costs are CPU seconds of the calling thread, so that preemption does not count as a cost of the game. Sweeps are timed
separately once. The time of a search slice minus the time of its sweeps is the cost of updating the tree.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from reasoner.arrays import Ints, Words
from reasoner.kernels import kernel
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT, PREFER
from reasoner.lanes.loaded import RANDOM_ROWS
from reasoner.lanes.play import Lanes, choose, section
from reasoner.lanes.rows import LANES, WORDS
from search.native.thread_lanes import ThreadLanes

PLAYOUT_COST_RATIO = 2.5
"""The playouts of a leaf may cost up to this many times the rest of a simulation; less if a network counts, too."""
MAX_PLAYOUTS_PER_LEAF = 32
"""Maximum playouts per leaf: in small games playouts cost almost nothing, but more descents help more."""
MIN_ENDED_LANES, MAX_ENDED_LANES = 8, 192
"""Bounds of the number of ended lanes to wait for before results are collected."""
MIN_NETWORK_BATCHES, MAX_NETWORK_BATCHES = 8, 32
"""Bounds of the number of pending batches if only the network evaluates leaves. A selection does not yet know the
results of pending batches, so fewer are better (research/networks.md)."""
COLLECTION_SECONDS = 1e-6
"""Seconds for collecting results, without reading the goals."""
DESCENT_SECONDS = 2e-5
"""Estimated seconds of a descent before the first measurement."""
NEWEST = 0.2
"""Weight of the newest slice in a running mean."""
MIN_TIMED_SECONDS = 2e-4
"""Minimum seconds of calls that are timed together."""


@kernel
def sweep_alone(lanes: Lanes, values: Words, turned: Words, picks: Ints, sweeps: int) -> None:
    """Make `sweeps` sweeps with all lanes on hold, for timing."""
    for _ in range(sweeps):
        section(values, lanes, LEGAL)
        if lanes.decisive:
            section(values, lanes, PREFER)
        else:
            choose(values, lanes, turned, picks)
        section(values, lanes, NEXT)


@kernel
def goals_alone(lanes: Lanes, values: Words, times: int) -> None:
    """Compute the goals `times` times, for timing."""
    for _ in range(times):
        section(values, lanes, GOAL)


@dataclass(slots=True)
class Costs:
    """Measured costs in CPU seconds; 0: unknown."""

    sweep: float = 0.0
    goals: float = 0.0
    playout: float = 0.0
    update: float = 0.0  # per simulation
    plays: bool = True  # whether leaves are played out; if not, sweeps are part of `update`
    rest: float = 0.0  # per simulation without its sweeps, if leaves are not played out

    @property
    def descent(self) -> float:
        """Estimated seconds of one descent."""
        return self.update + self.playout or DESCENT_SECONDS

    def measure(self, thread: ThreadLanes) -> None:
        """Time sweeps and goals separately; all lanes must be on hold."""
        lanes, values = thread.lanes, thread.values
        generator = values[lanes.random * WORDS : (lanes.random + RANDOM_ROWS) * WORDS]
        before = generator.copy()
        sweep_alone(lanes, values, thread.turned, thread.picks, 1)  # compile or load the kernel before timing it
        goals_alone(lanes, values, 1)
        self.sweep = _each(lambda times: sweep_alone(lanes, values, thread.turned, thread.picks, times))
        self.goals = _each(lambda times: goals_alone(lanes, values, times))
        generator[:] = before  # the number of timing runs must not change the random moves

    def note(self, seconds: float, sweeps: int, collections: int, simulations: int, playouts: int) -> None:
        """Update the running means with the CPU seconds and the counts of one slice."""
        playing = sweeps * self.sweep + collections * self.goals
        if simulations and not self.plays:
            self.update = _mixed(self.update, seconds / simulations)
            self.rest = _mixed(self.rest, max(seconds - sweeps * self.sweep, 0.0) / simulations)
        elif simulations and playouts:
            self.update = _mixed(self.update, max(seconds - playing, 0.0) / simulations)
            self.playout = _mixed(self.playout, max(playing, self.sweep) / playouts)

    def playouts_per_leaf(self, share: float = 1.0) -> int:
        """Return the number of playouts (lanes) per batch; `share`: their weight in the value of a leaf."""
        if not self.playout:
            return MAX_PLAYOUTS_PER_LEAF
        return min(max(round(PLAYOUT_COST_RATIO * share * self.update / self.playout), 1), MAX_PLAYOUTS_PER_LEAF)

    def min_ended(self) -> int:
        """Return the number of ended lanes to wait for before results are collected.

        While the search waits for n ended lanes, n / 2 lanes are idle on average, and goals are read once per n
        playouts. The result is the n at which both costs are equal.
        """
        if not self.playout:
            return MAX_ENDED_LANES // 3
        best = (2 * LANES * (self.goals + COLLECTION_SECONDS) / self.playout) ** 0.5
        return int(min(max(best, MIN_ENDED_LANES), MAX_ENDED_LANES))

    def pending_batches(self) -> int:
        """Return the number of pending batches if leaves are not played out.

        With this number, the sweeps of a batch cost as much as the rest of its simulation.
        """
        if not self.rest:
            return MIN_NETWORK_BATCHES
        return min(max(round(2 * self.sweep / self.rest), MIN_NETWORK_BATCHES), MAX_NETWORK_BATCHES)

    def set(self, thread: ThreadLanes, playouts: int, share: float = 1.0) -> None:
        """Apply the costs to a thread; see `playouts_per_leaf`, which `playouts` other than 0 replaces."""
        if not self.plays:
            thread.record["max_batches"] = self.pending_batches()
        thread.record["playouts_per_leaf"] = playouts or self.playouts_per_leaf(share)
        thread.record["min_ended"] = self.min_ended()


def _mixed(mean: float, newest: float) -> float:
    return mean + NEWEST * (newest - mean) if mean else newest


def _each(run: Callable[[int], object]) -> float:
    """Return the CPU seconds of one call: calls are timed together, and the least of three measurements counts."""
    times, taken = 1, _timed(run, 1)
    while taken < MIN_TIMED_SECONDS:
        times *= 4
        taken = _timed(run, times)
    again = min(_timed(run, times) for _ in range(2)) if taken < 10 * MIN_TIMED_SECONDS else taken
    return min(taken, again) / times


def _timed(run: Callable[[int], object], times: int) -> float:
    began = time.thread_time()
    run(times)
    return max(time.thread_time() - began, 1e-9)
