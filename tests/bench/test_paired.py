"""What compares the speed of two checkouts."""

from __future__ import annotations

import statistics

from bench.paired import Pairs, Side, enough, measured


class Steady(Side):
    """A side that takes so many seconds for each piece of work."""

    def __init__(self, each: float) -> None:
        self._each = each

    def seconds(self, game: str, what: str, count: int, seed: int) -> float:  # noqa: ARG002 as a side takes it
        return self._each * count


def test_the_same_work_is_given_to_both_and_the_faster_one_is_named():
    pairs = measured((Steady(1e-5), Steady(2e-5)), "nim", "playouts", rounds=4)
    assert statistics.median(pairs.ratios()) == 2
    assert pairs.interval() == (2, 2)
    assert 0.05 < pairs.count * 2e-5 < 0.3


def test_work_that_takes_no_time_is_given_up_growing():
    assert enough((Steady(0.0), Steady(1e-12)), "nim", "simulations") > 0


def test_the_interval_holds_the_median_and_narrows_with_more_pairs():
    few, many = (Pairs(1, [1.0, 2.0, 3.0, 4.0, 5.0] * times, [6.0] * 5 * times) for times in (1, 40))
    assert few.interval()[0] < many.interval()[0] <= 2.0 <= many.interval()[1] < few.interval()[1]
