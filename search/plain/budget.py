"""What thinking costs, and what still fits before the deadline.

`Pace` remembers the price of a simulation, split into playouts (by step and game) and the rest; `Budget` sets it
against one deadline. A machine may take a microsecond or a second a call, so nothing is assumed: prices come from
calls really made, slow ones are remembered longer than quick ones, and a playout gets no more steps than fit.
"""

from __future__ import annotations

from math import inf

SAFETY = 1.25
"""A call may take this much longer than the slow ones seen lately."""

FORGETTING = 0.998
"""How fast a slow call is forgotten, per simulation."""

NEWEST = 0.05
"""Weight of the newest value in a running mean."""

LEAF_SHARE = 1 / 16
"""One leaf's playouts may take at most this share of the time given, so that even a slow machine compares moves."""

LONGEST_PONDERED = 0.25
"""Seconds they may take where there is no deadline, but a stop that should be heard soon."""

MOST_PLAYOUTS = 128
"""A machine that plays many games at once plays these for little more than one."""

NODE_GUESS = 5e-6
"""Seconds to walk over one node, and to free it, before it was ever done."""

GUESSED = 1.5
"""Until one was seen, a simulation is taken to cost this many times what its calls cost elsewhere."""

SHORTEST = 1e-9
"""The price of a playout too cheap for the clock to see."""


class Slow:
    """The running price of one thing: a mean, and a slowly sinking maximum of it."""

    __slots__ = ("mean", "peak")

    def __init__(self) -> None:
        self.mean = 0.0
        self.peak = 0.0

    def note(self, seconds: float) -> None:
        """Take in one more price."""
        self.mean = self.mean + NEWEST * (seconds - self.mean) if self.mean else seconds
        sunk = self.peak * FORGETTING
        self.peak = seconds if seconds > sunk else sunk

    def relax(self) -> None:
        """Believe half of the peak above the mean: a single slow call must not forbid all thinking for ever."""
        self.peak = (self.peak + self.mean) / 2


class Pace:
    """Prices, in seconds, of the parts of a simulation; they live as long as the search."""

    def __init__(self) -> None:
        self.rest = Slow()  # a simulation without its playouts
        self.step = Slow()  # one step of one playout
        self.length = 0.0  # steps a playout has on average, 0 before the first
        self.forgetting = Slow()  # of one node, when the tree is recycled
        self.fixed = 0.0  # one call for playouts, whatever their number
        self.slope = 0.0  # each further playout of the same call, 0 while not measured

    @property
    def usual_step(self) -> float:
        """What a step of the next playouts should be taken to cost.

        The slow ones where single steps are dear. Where a whole batch was cheap enough to be measured, slow calls are
        not the machine's but moments without a processor: they come once a call, and not once a step.
        """
        return self.step.mean if self.slope else self.step.peak

    @property
    def playouts(self) -> int:
        """How many playouts a leaf should get: they may cost about what the rest of a simulation costs anyhow."""
        if self.slope == 0:
            return 1
        return min(max(int((self.fixed + self.rest.mean) / self.slope), 1), MOST_PLAYOUTS)

    def note_playouts(self, seconds: float, steps: int, count: int) -> None:
        """Take in one call of `count` playouts that made `steps` steps together."""
        self.step.note(seconds / max(steps, 1))
        mean = steps / count
        self.length = self.length + NEWEST * (mean - self.length) if self.length else mean

    def note_batch(self, one: float, many: float, count: int) -> None:
        """Split the price of a call into what it costs anyhow and what each playout adds."""
        self.slope = max((many - one) / (count - 1), SHORTEST)
        self.fixed = max(one - self.slope, 0.0)

    def guess(self, calls: float) -> None:
        """Begin with a price for what a simulation does besides playouts, from the seconds its calls took once."""
        self.rest = Slow()
        self.rest.note(GUESSED * calls)

    def relax(self) -> None:
        """Trust the prices a little less: they forbade all thinking."""
        self.rest.relax()
        self.step.relax()


class Budget:
    """One deadline against the prices of a pace. Times are the clock's seconds.

    Not `shared`, one leaf may take all the time there is.
    """

    def __init__(self, pace: Pace, start: float, deadline: float, shared: bool = True) -> None:
        self.pace = pace
        self.deadline = deadline
        if not shared:
            self.share = inf
        else:
            self.share = LONGEST_PONDERED if deadline == inf else (deadline - start) * LEAF_SHARE

    def allows(self, now: float, count: int) -> bool:
        """Whether one more simulation with `count` playouts is expected to end before the deadline."""
        pace = self.pace
        playouts = max(min(count * pace.length * pace.step.peak, self.share), pace.step.peak)
        return now + SAFETY * (pace.rest.peak + playouts) < self.deadline

    def spent_by(self, now: float, seconds: float) -> bool:
        """Whether something that takes `seconds` may no longer be begun."""
        return now + SAFETY * seconds >= self.deadline

    def count(self, now: float, wanted: int) -> int:
        """How many of the `wanted` playouts a leaf can get: fewer where that lets them run to their end."""
        each = self.pace.length * self.pace.usual_step * SAFETY
        if each * wanted <= self._left(now):
            return wanted
        return max(int(self._left(now) / each), 1)

    def steps(self, now: float, count: int, most: int) -> int:
        """The steps, at most `most`, that `count` playouts may take each."""
        each = self.pace.usual_step * SAFETY * count
        left = self._left(now)
        if each == 0 or left == inf or each * most <= left:
            return most
        return max(int(left / each), 1)

    def _left(self, now: float) -> float:
        return min(self.deadline - now, self.share)
