"""The tests that decide when enough was played; Wald's own is tested in tests/bench/test_strength.py."""

from __future__ import annotations

import numpy as np
import pytest

from search.study.sequential import STRONGER, UNDECIDED, WEAKER, PairedTest, SequentialTest, surely_above


def verdicts(mean, spread, count=200):
    rng = np.random.default_rng(1)
    test = PairedTest(50, 54)
    draws = rng.choice([-1, 1], (count, 1500)) * spread + mean
    return [test.verdict(row.tolist()) for row in draws]


@pytest.mark.parametrize("spread", [10, 30])
def test_the_risks_of_a_paired_test_are_about_those_it_names(spread):
    assert np.mean([verdict == STRONGER for verdict in verdicts(50, spread)]) <= 0.09
    assert np.mean([verdict == WEAKER for verdict in verdicts(54, spread)]) <= 0.09


def test_results_near_fifty_are_decided_sooner_than_by_walds_test():
    results = [56.0, 54.0] * 60
    assert PairedTest(50, 54).verdict(results) == STRONGER
    assert PairedTest(50, 54).verdict(results[:2]) == UNDECIDED


@pytest.mark.parametrize("test", [SequentialTest(50, 60), PairedTest(50, 60)])
@pytest.mark.parametrize("mean", [50, 60, 70])
def test_the_first_results_that_suffice_decide(test: SequentialTest, mean: int):
    results = [mean + 25.0 * step for step in np.random.default_rng(mean).integers(-2, 2, 80).tolist()]
    ratios = [test.ratio(results[:count]) for count in range(1, len(results) + 1)]
    low, high = test.bounds
    first = next((ratio for ratio in ratios if not low < ratio < high), None)
    assert test.verdict(results) == (UNDECIDED if first is None else STRONGER if first >= high else WEAKER)


@pytest.mark.parametrize("count", [14, 40])
def test_a_last_look_when_time_is_over_says_seldom_that_equals_are_better_and_mostly_that_the_better_is(count):
    rng = np.random.default_rng(2)

    def shown(mean: float) -> float:
        draws = rng.choice([0.0, 50.0, 100.0], (1500, count), p=[0.75 - mean / 100, 0.5, mean / 100 - 0.25])
        test = PairedTest(50, 60)
        verdicts = [(test.verdict(row.tolist()), surely_above(row.tolist(), 50)) for row in draws]
        return float(np.mean([own == STRONGER or (own == UNDECIDED and last) for own, last in verdicts]))

    assert shown(50) <= 0.08
    assert shown(70) >= 0.65
