import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.gamemaster.statistics import Z95, difference, estimate, students_t


def slow_interval(scores):
    """All win probabilities that the mean score does not contradict, found by trying many."""
    n, mean = len(scores), sum(scores) / len(scores) / 100
    tried = [k / 20_000 for k in range(20_001)]
    fitting = [p for p in tried if abs(mean - p) <= Z95 * math.sqrt(p * (1 - p) / n) + 1e-12]
    return 100 * min(fitting), 100 * max(fitting)


@given(st.lists(st.integers(0, 100), min_size=1, max_size=50))
def test_the_interval_holds_every_probability_that_fits_the_mean(scores):
    found = estimate(scores)
    low, high = slow_interval(scores)
    assert math.isclose(found.low, low, abs_tol=0.02)
    assert math.isclose(found.high, high, abs_tol=0.02)


@given(st.lists(st.integers(0, 100), min_size=1))
def test_the_mean_lies_in_its_interval(scores):
    found = estimate(scores)
    assert found.low <= found.mean + 1e-9
    assert found.mean <= found.high + 1e-9
    assert math.isclose(found.mean, sum(scores) / len(scores), abs_tol=1e-9)


def test_the_mean_of_equal_scores_is_that_score():
    """`--require 'me>=29'` and 'me<=55' compare the mean exactly."""
    for score in range(101):
        for count in (1, 3, 10):
            assert estimate([score] * count).mean == score


def test_no_scores_have_no_mean():
    assert estimate([]).mean is None


def test_winning_every_match_still_leaves_a_doubt():
    """40 of 40: by Wilson's formula at least 40 / (40 + z^2)."""
    found = estimate([100] * 40)
    assert math.isclose(found.low, 100 * 40 / (40 + Z95**2))
    assert found.high == 100


def test_overlapping_intervals_may_still_differ():
    """Nine matches in ten are drawn, and one player wins all the others."""
    ones, others = [50.0] * 90 + [100.0] * 10, [50.0] * 90 + [0.0] * 10
    one, other, found = estimate(ones), estimate(others), difference(ones, others)
    assert other.high > one.low
    assert found.told_apart
    assert math.isclose(found.mean, 10)


def test_a_difference_whose_interval_holds_0_tells_nothing_apart():
    assert not difference([100, 0, 100, 100], [0, 100, 0, 0]).told_apart
    assert difference([100] * 20, [0] * 20).told_apart
    assert difference([], []) is None


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1))
def test_a_difference_turns_its_sign_with_the_players(scores):
    ones, others = zip(*scores, strict=True)
    found, turned = difference(ones, others), difference(others, ones)
    assert math.isclose(found.low, -turned.high, abs_tol=1e-9)
    assert math.isclose(found.mean, (sum(ones) - sum(others)) / len(scores), abs_tol=1e-9)


def test_the_quantiles_of_students_distribution_are_those_of_its_tables():
    known = {2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 29: 2.045, 10_000: 1.960}
    assert {freedom: students_t(freedom) for freedom in known} == pytest.approx(known, rel=0.01)
    assert students_t(9) == pytest.approx(2.262, abs=5e-4)
