"""Time control: costs of simulations, and the work that still fits before the deadline.

`Pace` records the cost of a simulation, split into playouts and the rest. `Budget` compares this cost with one
deadline. A machine call may take a microsecond or a second, so costs are measured on real calls. Slow calls influence
the estimates longer than quick ones, and a playout gets only as many steps as fit.
"""

from __future__ import annotations

from math import inf

SAFETY = 1.25
"""Safety factor on the time of recent slow calls in the estimate of the next call."""

FORGETTING = 0.998
"""Decay factor, per simulation, of the recorded time of a slow call."""

NEWEST = 0.05
"""Weight of the newest value in a running mean."""

OUTLIER = 4.0
"""A measurement counts as at most this many times the running mean, because preemption is not a cost of the game."""

LEAF_SHARE = 1 / 16
"""Maximum share of the available time for the playouts of one leaf, so that even a slow machine compares moves."""

MAX_PONDERED_SECONDS = 0.25
"""Maximum seconds for the playouts of one leaf if there is no deadline, so that a stop takes effect soon."""

MAX_PLAYOUTS = 128
"""Maximum number of playouts per leaf."""

NODE_GUESS = 5e-6
"""Initial estimate of the seconds to visit and free one node."""

GUESSED = 1.5
"""Before the first measurement, a simulation is estimated at this many times the cost of its machine calls."""


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
        """Halve the distance of the maximum from the mean, so that one slow call does not prevent all simulations."""
        self.peak = (self.peak + self.mean) / 2


class Pace:
    """Costs, in seconds, of the parts of a simulation; kept for the whole search."""

    def __init__(self) -> None:
        self.rest = Slow()  # a simulation without its playouts
        self.step = Slow()  # one step of one playout
        self.length = 0.0  # mean steps of a playout; 0 before the first playout
        self.forgetting = Slow()  # one node, when the tree is recycled

    @property
    def usual_step(self) -> float:
        """Estimated seconds of a step of the next playouts.

        If a leaf has one playout, the estimate is the time of a slow step. With several playouts, slow calls are caused
        by preemption, which costs once per call and not once per step, so the mean is used.
        """
        return self.step.mean if self.playouts > 1 else self.step.peak

    @property
    def playouts(self) -> int:
        """Playouts per leaf: as many as cost about as much as the rest of a simulation."""
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
        """Lower the maxima in the estimates, after a turn in which they left no time to think."""
        self.rest.relax()
        self.step.relax()


class Budget:
    """Decides whether work with the costs of a `Pace` fits before one deadline. Times are seconds of the clock.

    `shared`: one leaf gets only a share of the available time; otherwise it may take all of it.
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
        """Return the number of playouts of a leaf: `wanted`, or fewer if not all of them could run to their end."""
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
