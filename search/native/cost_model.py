"""How many lanes a batch gets and how many ended lanes are waited for: chosen by what things cost on this machine.

Costs are processor seconds of the calling thread, so that a moment without a processor is not taken for a slow game.
A sweep is timed alone once; what slices of the search take beyond their sweeps is the price of tending the tree.
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
from search.native.evaluate import evaluate_cut
from search.native.layout import Records
from search.native.thread_lanes import ThreadLanes

RATIO = 2.5
"""Playouts may take this many times what the rest of a simulation takes ..."""
MOST_SHARE = 32
"""... with at most so many lanes a batch: in small games playouts cost nothing, and more descents teach more."""
LEAST_PATIENCE, MOST_PATIENCE = 8, 192
LEAST_UNPLAYED, MOST_UNPLAYED = 8, 32
"""Batches at the same time where a network alone says what they are worth. What is chosen while others are in flight is
chosen half blind: the fewer the better, as matches told (research/networks.md)."""
HARVEST = 1e-6
"""Seconds that a harvest takes besides the goals."""
DESCENT = 2e-5
"""Seconds of a descent, before any was made."""
NEWEST = 0.2
"""Weight of the newest slice in a running mean."""
TRIAL = 2e-4
"""Seconds of sweeps timed together, where one does not take longer."""


@kernel
def sweep_alone(lanes: Lanes, values: Words, turned: Words, picks: Ints, sweeps: int) -> None:
    """Make sweeps with all lanes on hold."""
    for _ in range(sweeps):
        section(values, lanes, LEGAL)
        if lanes.decisive:
            section(values, lanes, PREFER)
        else:
            choose(values, lanes, turned, picks)
        section(values, lanes, NEXT)


@kernel
def goals_alone(lanes: Lanes, values: Words, times: int) -> None:
    """Compute the goals."""
    for _ in range(times):
        section(values, lanes, GOAL)


@kernel
def evaluations_alone(rules: Records, threads: Records, values: Words, times: int) -> None:
    """Evaluate the lanes that are cut off."""
    for _ in range(times):
        evaluate_cut(rules[0], threads[0], values)


@dataclass(slots=True)
class Prices:
    """Processor seconds, 0 where nothing is known."""

    sweep: float = 0.0
    goals: float = 0.0
    playout: float = 0.0
    tending: float = 0.0  # of one simulation
    plays: bool = True  # whether leaves are played out; if not, sweeps count as tending, too
    rest: float = 0.0  # of one simulation without its sweeps, where leaves are not played out

    @property
    def descent(self) -> float:
        """What a descent is taken to cost, when it is decided how many are to be made."""
        return self.tending + self.playout or DESCENT

    def measure(self, thread: ThreadLanes, rules: Records) -> None:
        """Time sweeps and goals alone, with what an evaluation needs besides; all lanes must be on hold."""
        lanes, values = thread.lanes, thread.values
        generator = values[lanes.random * WORDS : (lanes.random + RANDOM_ROWS) * WORDS]
        before = generator.copy()
        sweep_alone(lanes, values, thread.turned, thread.picks, 1)  # what has to be compiled or loaded is no price
        goals_alone(lanes, values, 1)
        self.sweep = _each(lambda times: sweep_alone(lanes, values, thread.turned, thread.picks, times))
        self.goals = _each(lambda times: goals_alone(lanes, values, times))
        if rules[0]["evaluates"]:
            evaluations_alone(rules, thread.array, values, 1)
            self.goals += _each(lambda times: evaluations_alone(rules, thread.array, values, times))
        generator[:] = before  # how often it was timed must not show in what is played

    def note(self, seconds: float, sweeps: int, harvests: int, simulations: int, playouts: int) -> None:
        """Take in a slice of the search that took so long, and what was done in it."""
        playing = sweeps * self.sweep + harvests * self.goals
        if simulations and not self.plays:
            self.tending = _mixed(self.tending, seconds / simulations)
            self.rest = _mixed(self.rest, max(seconds - sweeps * self.sweep, 0.0) / simulations)
        elif simulations and playouts:
            self.tending = _mixed(self.tending, max(seconds - playing, 0.0) / simulations)
            self.playout = _mixed(self.playout, max(playing, self.sweep) / playouts)

    def share(self) -> int:
        """The lanes a batch should get."""
        if not self.playout:
            return MOST_SHARE
        return min(max(round(RATIO * self.tending / self.playout), 1), MOST_SHARE)

    def patience(self) -> int:
        """The ended lanes to wait for: where idle lanes cost as much as reading goals.

        With n lanes waited for, n / 2 are idle in the mean, and goals are read once in n playouts.
        """
        if not self.playout:
            return MOST_PATIENCE // 3
        best = (2 * LANES * (self.goals + HARVEST) / self.playout) ** 0.5
        return int(min(max(best, LEAST_PATIENCE), MOST_PATIENCE))

    def in_flight(self) -> int:
        """The batches at the same time where none is played out: so many that their sweeps cost what the rest does."""
        if not self.rest:
            return LEAST_UNPLAYED
        return min(max(round(2 * self.sweep / self.rest), LEAST_UNPLAYED), MOST_UNPLAYED)

    def set(self, thread: ThreadLanes, share: int) -> None:
        """Let a thread go by the prices; with a `share` of lanes a batch that is not 0, only in what else they say."""
        if not self.plays:
            thread.record["most_batches"] = self.in_flight()
        thread.record["share"], thread.record["patience"] = share or self.share(), self.patience()


def _mixed(mean: float, newest: float) -> float:
    return mean + NEWEST * (newest - mean) if mean else newest


def _each(run: Callable[[int], object]) -> float:
    """Processor seconds of one of several done together, the least of three times."""
    times, taken = 1, _timed(run, 1)
    while taken < TRIAL:
        times *= 4
        taken = _timed(run, times)
    again = min(_timed(run, times) for _ in range(2)) if taken < 10 * TRIAL else taken
    return min(taken, again) / times


def _timed(run: Callable[[int], object], times: int) -> float:
    began = time.thread_time()
    run(times)
    return max(time.thread_time() - began, 1e-9)
