"""Selection of the best of several players by halving, and a sequential test of it against an opponent.

All candidates play pairs of games against the same opponent (`contest`). The better half continues, until one is left.
This candidate is tested on new pairs, because the pairs that selected it are biased in its favour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from reasoner.lanes.machine import CircuitMachine
from search.clock import Clock
from search.minimax.lesson import Lesson
from search.study.contest import HALF, MIN_SECONDS, Contest, Pace, Player
from search.study.probe import Probe
from search.study.sequential import STRONGER, UNDECIDED, WEAKER, PairedTest, surely_above

ROUND_PAIRS = 6
"""Pairs per candidate before half of the candidates are dropped; the others then get twice the time for a move."""
PLANNED_PAIRS = 28
"""Number of pairs of the final test for which time is planned."""
MIN_PAIRS = 12
"""Minimum pairs of the final test: without time for them no trial starts; fewer count only if the test decides."""
MAX_PAIRS = 400
"""Maximum number of pairs of a test."""
MAX_SECONDS = 0.25
"""Maximum processor seconds for a move."""
MAX_RETEST_SECONDS = 1.0
"""Maximum processor seconds for a move in the second test."""
MIN_RETEST_FACTOR = 2
"""Minimum factor by which moves of the second test are longer."""
HALVING_SHARE = 0.4
"""Maximum share of the time for the halving."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a trial.

    chosen: number of the selected candidate; results: results of its pairs in the test, 0..100, 50 if both are equal;
    verdict: decision of the test; seconds: time for a move in the test; pairs: number of all pairs, halving included.
    """

    chosen: int
    results: tuple[float, ...]
    verdict: str
    seconds: float
    pairs: int

    @property
    def mean(self) -> float:
        """The mean of the results."""
        return float(np.mean(self.results))

    @property
    def shown(self) -> bool:
        """Whether the test has shown that the candidate is better than the opponent."""
        return self.verdict == STRONGER

    @property
    def not_worse(self) -> bool:
        """Whether the candidate scored at least half, and was not shown to be worse than the opponent."""
        return self.verdict != WEAKER and (self.shown or self.mean >= 50)


@dataclass(frozen=True, eq=False)
class Trial:
    """Settings of a trial: `seconds` of `clock` for the whole trial, and the number of threads.

    A player without a network uses the evaluation of `lesson`, if there is one.
    """

    machine: CircuitMachine
    probe: Probe
    seconds: float
    threads: int
    clock: Clock
    seed: int = 0
    lesson: Lesson | None = None

    def move_seconds(self, candidates: int) -> float:
        """Return the processor seconds per move that the time of the trial allows; 0 if it is too short for a trial."""
        halving, times = _plan(candidates)
        each = self.seconds * self.threads / self._moves
        if each >= MIN_SECONDS * (halving + PLANNED_PAIRS * times):
            return min(each / (halving + PLANNED_PAIRS * times), MAX_SECONDS)
        least = MIN_PAIRS + (ROUND_PAIRS * candidates if candidates > 1 else 0)
        return MIN_SECONDS if each >= MIN_SECONDS * least else 0.0

    @property
    def _moves(self) -> float:
        """Average number of choices of all players in a pair."""
        return 2 * max(self.probe.steps * self.probe.choosers, 1)

    def longer(self, seconds: float, left: float) -> float:
        """Return the seconds per move of a second test in `left` seconds; 0 if they are not much above `seconds`."""
        each = min(left * self.threads / (MIN_PAIRS * self._moves), MAX_RETEST_SECONDS)
        return each if each >= MIN_RETEST_FACTOR * seconds else 0.0

    def run(
        self,
        candidates: Sequence[Player],
        opponent: Player,
        test: PairedTest,
        stopped: Callable[[], bool],
        *,
        again: PairedTest | None = None,
        fallback: bool = False,
    ) -> Verdict | None:
        """Play until the test decides or time is up; None if the time is too short or the trial was stopped.

        With `fallback`, the last candidate takes no part in the halving, and is tested only if the best one fails.
        If time is up first, results with a mean surely above 50 also show that the candidate is stronger. While there
        is time, `again` tests a passing candidate once more, with longer moves, because a network that helps short
        searches may harm long ones. In this second test, the candidate must not be worse. If the best candidate fails
        the first test and there is time, the runner-up is tested, because the halving separates them by a few pairs
        only.
        """
        halved = len(candidates) - int(fallback)
        seconds, began = self.move_seconds(halved), self.clock.now()
        if not seconds:
            return None
        pace = Pace(seconds, max(int(self.probe.steps / 8), 2), max(4 * self.probe.longest, 200), self.seed)
        contest = Contest(self.machine, pace, self.lesson)
        run = _Run(contest, candidates, opponent, stopped, self.threads)

        def left() -> float:
            return self.seconds - (self.clock.now() - began)

        with ThreadPoolExecutor(self.threads) as run.pool:
            ranked = run.halve(halved, lambda: left() <= (1 - HALVING_SHARE) * self.seconds)
            found = run.passed([ranked[0], halved] if fallback else ranked, test, left)
            while again and found and found.shown and (more := self.longer(contest.pace.seconds, left())):
                contest.lengthen(more)
                later = run.tested(found.chosen, again, left)
                if later is None or (later.not_worse and not later.shown):
                    break
                found = later
        return found


def _plan(candidates: int) -> tuple[int, int]:
    """Return the cost of the halving, and of one pair of the test, in pairs of the first round of the halving."""
    halving, times = 0, 1
    while candidates > 1:
        halving += ROUND_PAIRS * candidates * times
        candidates, times = max(candidates // 2, 1), 2 * times
    return halving, times


class _Run:
    """The pairs of one trial, numbered in the order of play."""

    pool: ThreadPoolExecutor

    def __init__(
        self,
        contest: Contest,
        candidates: Sequence[Player],
        opponent: Player,
        stopped: Callable[[], bool],
        threads: int,
    ) -> None:
        self._contest, self._candidates, self._opponent, self._stopped = contest, candidates, opponent, stopped
        self._threads = threads
        self._number = self.pairs = 0

    def halve(self, count: int, late: Callable[[], bool]) -> list[int]:
        """Return the numbers of the first candidates: the winner, then the dropped ones, the last dropped first."""
        dropped = list[int]()
        alive = {number: list[float]() for number in range(count)}
        while len(alive) > 1 and not self._stopped():
            for _ in range(ROUND_PAIRS):
                round_ = self.round_([*alive], alike=True)
                if len(round_) == len(alive):
                    for own, result in zip(alive.values(), round_, strict=True):
                        own.append(result)
                if late() or self._stopped():
                    break
            if (seconds := self._contest.pace.seconds) > MIN_SECONDS:
                self._contest.lengthen(min(2 * seconds, MAX_SECONDS))
            kept = 1 if late() else max(len(alive) // 2, 1)
            best = sorted(alive, key=lambda own: -float(np.mean(alive[own] or [0.0])))
            dropped = best[kept:] + dropped
            alive = {number: alive[number] for number in best[:kept]}
        return [*alive, *dropped]

    def passed(self, ranked: Sequence[int], test: PairedTest, left: Callable[[], float]) -> Verdict | None:
        """Return the verdict on the first of two candidates that passes, or on the first; None after too few pairs."""
        found = self.tested(ranked[0], test, left)
        if found is None or found.not_worse or len(ranked) == 1 or left() <= 0:
            return found
        second = self.tested(ranked[1], test, left)
        return second if second is not None and second.not_worse else found

    def tested(self, chosen: int, test: PairedTest, left: Callable[[], float]) -> Verdict | None:
        """Return the verdict on a candidate when the test decides or time is up; None after too few pairs."""
        results, verdict = list[float](), UNDECIDED
        while verdict == UNDECIDED and len(results) < MAX_PAIRS and not self._stopped():
            results += self.round_([chosen] * self._threads)
            verdict = test.verdict(results)
            if left() <= 0:
                break
        if self._stopped() or (verdict == UNDECIDED and len(results) < MIN_PAIRS):
            return None
        if verdict == UNDECIDED and surely_above(results, HALF):
            verdict = STRONGER
        return Verdict(chosen, tuple(results), verdict, self._contest.seconds, self.pairs)

    def round_(self, numbers: Sequence[int], alike: bool = False) -> list[float]:
        """Play a pair for each of these candidates; if `alike`, all from the same opening, to compare them."""
        matches = [
            (self._candidates[number], self._opponent, self._number + (0 if alike else place))
            for place, number in enumerate(numbers)
        ]
        self._number += 1 if alike else len(numbers)
        self.pairs += len(numbers)
        return self._contest.pairs(self.pool, matches, self._stopped)
