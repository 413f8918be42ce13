"""Which of some ways to play is best, and whether it is better than another: halving, then a sequential test.

All play pairs of games against the same opponent (`contest`); the better half goes on, and the last one is tested by
pairs of its own, so that what made it the last one does not count for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from reasoner.lanes.machine import CircuitMachine
from search.clock import Clock
from search.study.contest import HALF, SHORTEST, Contest, Pace, Way
from search.study.probe import Probe
from search.study.sequential import STRONGER, UNDECIDED, WEAKER, PairedTest, surely_above

LAPS = 6
"""Pairs that a candidate gets before half of them are dropped; those that are left get twice the time for a move."""
TEST = 28
"""Pairs that there should be time for to test the last one."""
LEAST = 12
"""With time for fewer of these nothing is played, and fewer tell nothing that the test has not decided."""
MOST = 400
"""Pairs of the test."""
LONGEST = 0.25
"""Processor seconds for a move, at most."""
LONGEST_AGAIN = 1.0
"""The same where what is shown is tested anew, ..."""
LONGER = 2
"""... by moves that take at least so many times as long."""
HALVING = 0.4
"""Share of the time for that, at most."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """chosen: number of the candidate; results: of its pairs in the test, 0..100, 50 where both are alike.

    verdict: of the test; seconds: that a move got in the end; pairs: in all, those of the halving too.
    """

    chosen: int
    results: tuple[float, ...]
    verdict: str
    seconds: float
    pairs: int

    @property
    def mean(self) -> float:
        """Of the results."""
        return float(np.mean(self.results))

    @property
    def shown(self) -> bool:
        """Whether the test has shown that it is better."""
        return self.verdict == STRONGER

    @property
    def not_worse(self) -> bool:
        """Whether it did as well at least, and was not shown to be worse."""
        return self.verdict != WEAKER and (self.shown or self.mean >= 50)


@dataclass(frozen=True, eq=False)
class Trial:
    """Where and how long: `seconds` there are by `clock` for all of it, with so many threads."""

    machine: CircuitMachine
    probe: Probe
    seconds: float
    threads: int
    clock: Clock
    seed: int = 0

    def move_seconds(self, candidates: int) -> float:
        """What a player gets for a move so that there is time for all; 0 where the time is too short."""
        halving, times = _plan(candidates)
        each = self.seconds * self.threads / self._moves
        if each >= SHORTEST * (halving + TEST * times):
            return min(each / (halving + TEST * times), LONGEST)
        least = LEAST + (LAPS * candidates if candidates > 1 else 0)
        return SHORTEST if each >= SHORTEST * least else 0.0

    @property
    def _moves(self) -> float:
        """Of a pair, those that are chosen."""
        return 2 * max(self.probe.steps * self.probe.choosers, 1)

    def longer(self, seconds: float, left: float) -> float:
        """What a player gets for a move in a test anew, with so many seconds left for it; 0 where they are too few."""
        each = min(left * self.threads / (LEAST * self._moves), LONGEST_AGAIN)
        return each if each >= LONGER * seconds else 0.0

    def run(
        self,
        candidates: Sequence[Way],
        opponent: Way,
        test: PairedTest,
        stopped: Callable[[], bool],
        *,
        again: PairedTest | None = None,
    ) -> Verdict | None:
        """Play until the test decides or the seconds are over; None where they are too few, or it was stopped before.

        Where the seconds are over first, results that are surely above 50 show that it is stronger, too. What is
        shown is tested by `again` with longer moves while there is time, as what helps short searches may harm long
        ones: there it must not do worse. Where the best one fails, the runner-up is tested if there is time, as a few
        pairs told them apart.
        """
        seconds, began = self.move_seconds(len(candidates)), self.clock.now()
        if not seconds:
            return None
        pace = Pace(seconds, max(int(self.probe.steps / 8), 2), max(4 * self.probe.longest, 200), self.seed)
        contest = Contest(self.machine, pace)
        run = _Run(contest, candidates, opponent, stopped, self.threads)

        def left() -> float:
            return self.seconds - (self.clock.now() - began)

        with ThreadPoolExecutor(self.threads) as run.pool:
            found = run.passed(run.halve(lambda: left() <= (1 - HALVING) * self.seconds), test, left)
            while again and found and found.shown and (more := self.longer(contest.pace.seconds, left())):
                contest.lengthen(more)
                later = run.tested(found.chosen, again, left)
                if later is None or (later.not_worse and not later.shown):
                    break
                found = later
        return found


def _plan(candidates: int) -> tuple[int, int]:
    """The halving of so many, in pairs as long as its first ones, and how many times as long those after it are."""
    halving, times = 0, 1
    while candidates > 1:
        halving += LAPS * candidates * times
        candidates, times = max(candidates // 2, 1), 2 * times
    return halving, times


class _Run:
    """The pairs of one trial, numbered in the order they are played."""

    pool: ThreadPoolExecutor

    def __init__(
        self,
        contest: Contest,
        candidates: Sequence[Way],
        opponent: Way,
        stopped: Callable[[], bool],
        threads: int,
    ) -> None:
        self._contest, self._candidates, self._opponent, self._stopped = contest, candidates, opponent, stopped
        self._threads = threads
        self._number = self.pairs = 0

    def halve(self, late: Callable[[], bool]) -> list[int]:
        """The candidates by their numbers: the one that is left, then those that were dropped, the last ones first."""
        dropped = list[int]()
        alive = {number: list[float]() for number in range(len(self._candidates))}
        while len(alive) > 1 and not self._stopped():
            for _ in range(LAPS):
                lap = self.lap([*alive], alike=True)
                if len(lap) == len(alive):
                    for own, result in zip(alive.values(), lap, strict=True):
                        own.append(result)
                if late() or self._stopped():
                    break
            if (seconds := self._contest.pace.seconds) > SHORTEST:
                self._contest.lengthen(min(2 * seconds, LONGEST))
            kept = 1 if late() else max(len(alive) // 2, 1)
            best = sorted(alive, key=lambda own: -float(np.mean(alive[own] or [0.0])))
            dropped = best[kept:] + dropped
            alive = {number: alive[number] for number in best[:kept]}
        return [*alive, *dropped]

    def passed(self, ranked: Sequence[int], test: PairedTest, left: Callable[[], float]) -> Verdict | None:
        """What a test says of the first of two that passes it, else of the first; None where pairs are too few."""
        found = self.tested(ranked[0], test, left)
        if found is None or found.not_worse or len(ranked) == 1 or left() <= 0:
            return found
        second = self.tested(ranked[1], test, left)
        return second if second is not None and second.not_worse else found

    def tested(self, chosen: int, test: PairedTest, left: Callable[[], float]) -> Verdict | None:
        """What a test says of a candidate before the seconds are over; None where pairs are too few."""
        results, verdict = list[float](), UNDECIDED
        while verdict == UNDECIDED and len(results) < MOST and not self._stopped():
            results += self.lap([chosen] * self._threads)
            verdict = test.verdict(results)
            if left() <= 0:
                break
        if self._stopped() or (verdict == UNDECIDED and len(results) < LEAST):
            return None
        if verdict == UNDECIDED and surely_above(results, HALF):
            verdict = STRONGER
        return Verdict(chosen, tuple(results), verdict, self._contest.seconds, self.pairs)

    def lap(self, numbers: Sequence[int], alike: bool = False) -> list[float]:
        """A pair for each of these candidates, from the same opening if they are to be compared."""
        matches = [
            (self._candidates[number], self._opponent, self._number + (0 if alike else place))
            for place, number in enumerate(numbers)
        ]
        self._number += 1 if alike else len(numbers)
        self.pairs += len(numbers)
        return self._contest.pairs(self.pool, matches, self._stopped)
