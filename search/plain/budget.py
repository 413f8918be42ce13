"""Time control: the cost of simulations, and what still fits before the deadline.

`Pace` keeps the cost of a simulation, split into playouts (per step and per playout) and the rest; `Budget` compares it
with one deadline. A machine call may take a microsecond or a second, so costs are measured on real calls. Slow calls
are remembered longer than quick ones, and a playout gets only as many steps as fit.
"""

from __future__ import annotations

from math import inf

SAFETY = 1.25
"""Factor on the recent slow calls when the next one is estimated."""

FORGETTING = 0.998
"""Decay of the memory of a slow call, per simulation."""

NEWEST = 0.05
"""Weight of the newest value in a running mean."""

OUTLIER = 4.0
"""A measurement counts in a running mean as at most this many times the mean: preemption is no cost of the game."""

LEAF_SHARE = 1 / 16
"""Most of the available time that one leaf's playouts may take, so that even a slow machine compares moves."""

MAX_PONDERED_SECONDS = 0.25
"""Seconds of one leaf's playouts if there is no deadline, so that a stop takes effect soon."""

MAX_PLAYOUTS = 128
"""Playouts per leaf, where they cost little."""

NODE_GUESS = 5e-6
"""Initial estimate of the seconds to visit and free one node."""

GUESSED = 1.5
"""Until one is measured, a simulation is estimated at this many times the cost of its machine calls."""


class Slow:
    """Running cost of one operation: a mean, and a slowly decaying maximum."""

    __slots__ = ("mean", "peak")

    def __init__(self) -> None:
        self.mean = 0.0
        self.peak = 0.0

    def note(self, seconds: float) -> None:
        """Add a measurement."""
        self.mean += NEWEST * (min(seconds, OUTLIER * self.mean) - self.mean) if self.mean else seconds
        sunk = self.peak * FORGETTING
        self.peak = seconds if seconds > sunk else sunk

    def relax(self) -> None:
        """Halve the distance of the maximum from the mean: a single slow call must not block all thinking."""
        self.peak = (self.peak + self.mean) / 2


class Pace:
    """Costs, in seconds, of the parts of a simulation; kept for the whole search."""

    def __init__(self) -> None:
        self.rest = Slow()  # a simulation without its playouts
        self.step = Slow()  # one step of one playout
        self.length = 0.0  # mean steps of a playout, 0 before the first
        self.forgetting = Slow()  # one node, when the tree is recycled

    @property
    def usual_step(self) -> float:
        """Estimated seconds of a step of the next playouts.

        This is a slow step where a leaf has one playout. With several, slow calls come from preemption, which costs
        once per call and not once per step, so the mean is used.
        """
        return self.step.mean if self.playouts > 1 else self.step.peak

    @property
    def playouts(self) -> int:
        """Playouts per leaf: they may cost about as much as the rest of a simulation."""
        playout = self.length * self.step.mean
        return min(max(int(self.rest.mean / playout), 1), MAX_PLAYOUTS) if playout else 1

    def note_playouts(self, seconds: float, steps: int, count: int) -> None:
        """Add the measurement of one call of `count` playouts with `steps` steps in total."""
        self.step.note(seconds / max(steps, 1))
        mean = steps / count
        self.length = self.length + NEWEST * (mean - self.length) if self.length else mean

    def guess(self, calls: float) -> None:
        """Set an initial estimate for a simulation without playouts, from the seconds of its machine calls."""
        self.rest = Slow()
        self.rest.note(GUESSED * calls)

    def relax(self) -> None:
        """Lower the cautious estimates, because they left no time to think."""
        self.rest.relax()
        self.step.relax()


class Budget:
    """One deadline against the costs of a pace. Times are seconds of the clock.

    If not `shared`, one leaf may take all the available time.
    """

    def __init__(self, pace: Pace, start: float, deadline: float, shared: bool = True) -> None:
        self.pace = pace
        self.deadline = deadline
        if not shared:
            self.share = inf
        else:
            self.share = MAX_PONDERED_SECONDS if deadline == inf else (deadline - start) * LEAF_SHARE

    def allows(self, now: float, count: int) -> bool:
        """Whether one more simulation with `count` playouts is expected to end before the deadline."""
        pace = self.pace
        playouts = max(min(count * pace.length * pace.step.peak, self.share), pace.step.peak)
        return now + SAFETY * (pace.rest.peak + playouts) < self.deadline

    def spent_by(self, now: float, seconds: float) -> bool:
        """Whether an operation of `seconds` would end too late."""
        return now + SAFETY * seconds >= self.deadline

    def count(self, now: float, wanted: int) -> int:
        """Return how many of the `wanted` playouts a leaf gets: fewer if all could not run to their end."""
        each = self.pace.length * self.pace.usual_step * SAFETY
        if each * wanted <= self._left(now):
            return wanted
        return max(int(self._left(now) / each), 1)

    def steps(self, now: float, count: int, most: int) -> int:
        """Return the steps, at most `most`, that each of `count` playouts may take."""
        each = self.pace.usual_step * SAFETY * count
        left = self._left(now)
        if each == 0 or left == inf or each * most <= left:
            return most
        return max(int(left / each), 1)

    def _left(self, now: float) -> float:
        return min(self.deadline - now, self.share)
